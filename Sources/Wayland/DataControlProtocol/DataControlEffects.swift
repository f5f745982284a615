package import WaylandWire

extension DataControlClient {
    package enum Effect: Hashable, Sendable {
        /// Send a request.
        case request(Request)
        /// From now on, the selections of a seat are reported, beginning with the current selections.
        case attached(DataControlVariant, version: UInt32)
        /// The seat's initial selections have been reported.
        ///
        /// - Parameter hasPrimary: False if the compositor has no primary selection.
        case settled(seat: String?, hasPrimary: Bool)
        /// The selections are unknown until the next ``attached(_:version:)``. All sources and offers have ended.
        case detached(SeatDetachment)
        /// The selections cannot be read yet. This effect occurs at most once, after the compositor's first list of
        /// globals.
        case unavailable(SeatUnavailability)
        /// A selection was set or became empty. Each such effect is one change.
        case changed(SeatSelection, Owner)
        /// Write the contents of a source in one of its types to the descriptor, and close the descriptor.
        case write(SourceID, type: String, to: WireDescriptor)
        /// A source is no longer offered. This effect follows each ``DataControlClient/set(_:types:marker:)`` once,
        /// unless the connection fails.
        case ended(SourceID, SourceEnd)
        /// All events that the compositor sent before it received the sync request have been handled.
        case synced(SyncID)
        /// Close a descriptor that arrived.
        case close(WireDescriptor)
        /// Close the connection and all descriptors that arrived and were not passed on. This is the last effect.
        case fail(Fault)
    }

    /// The contents of a selection.
    package enum Owner: Hashable, Sendable {
        /// The selection is empty: it was cleared, or its owner ended. The protocol does not say which.
        case nobody
        /// A program has cleared the selection, as the protocol itself reports.
        case cleared
        case ours(SourceID)
        /// Another client's contents, with their types in order.
        case foreign(ForeignOfferID, types: [String])
    }

    package enum SourceEnd: Hashable, Sendable {
        /// Another client set the selection, or cleared it.
        case replaced
        /// This client set the selection again, or cleared it.
        case superseded
        /// The compositor ignored the source.
        case refused
        case detached
    }

    package enum Request: Hashable, Sendable {
        case display(WlDisplay.Request)
        case registry(ObjectID, WlRegistry.Request)
        case seat(ObjectID, WlSeat.Request)
        case manager(ObjectID, DataControlManager.Request)
        case device(ObjectID, DataControlDevice.Request)
        case source(ObjectID, DataControlSource.Request)
        case offer(ObjectID, DataControlOffer.Request)

        /// Encodes the request. The requests that the client makes are never too long.
        package func encoded() throws(WireError) -> EncodedMessage {
            switch self {
            case .display(let request): try request.encoded(to: .display)
            case .registry(let object, let request): try request.encoded(to: object)
            case .seat(let object, let request): try request.encoded(to: object)
            case .manager(let object, let request): try request.encoded(to: object)
            case .device(let object, let request): try request.encoded(to: object)
            case .source(let object, let request): try request.encoded(to: object)
            case .offer(let object, let request): try request.encoded(to: object)
            }
        }
    }

    /// A fault of the compositor that ends the connection.
    package enum Fault: Error, Hashable, Sendable, CustomStringConvertible {
        /// The compositor sent wl_display.error, after which it closes the connection.
        case error(interface: String, code: UInt32, message: String)
        case stream(WireError)
        case malformed(interface: String, WireError)
        case unknownObject(ObjectID)
        /// The compositor confirmed the end of an object that was not destroyed.
        case deletedObject(UInt32)
        /// The compositor created an object whose number is in use, is in the client's range, or skips unused numbers.
        case createdObject(ObjectID)
        /// The compositor set a selection to an object that is not an offer, or to an offer that has ended.
        case notAnOffer(ObjectID)
        /// The compositor set both selections to the same offer.
        case offerOfBothSelections(ObjectID)
        case globalTwice(UInt32)
        case tooManyOffers(limit: Int)
        case tooManyGlobals(limit: Int)
        case tooManyObjects(limit: Int)

        package var description: String {
            switch self {
            case .error(let interface, let code, let message):
                "the compositor reported error \(code) of \(interface): \(message)"
            case .stream(let error): "the compositor sent \(error)"
            case .malformed(let interface, let error): "the compositor sent \(error), as an event of \(interface)"
            case .unknownObject(let object):
                "the compositor sent an event of object \(object.number), which never existed"
            case .deletedObject(let number): "the compositor deleted object \(number), which was not destroyed"
            case .createdObject(let object): "the compositor created object \(object.number) out of turn"
            case .notAnOffer(let object):
                "the compositor set a selection to object \(object.number), which is not an offer"
            case .offerOfBothSelections(let object): "the compositor set both selections to offer \(object.number)"
            case .globalTwice(let name): "the compositor announced two globals as \(name)"
            case .tooManyOffers(let limit): "the compositor made more than \(limit) offers at once"
            case .tooManyGlobals(let limit): "the compositor announced more than \(limit) seats or managers"
            case .tooManyObjects(let limit): "the compositor has not confirmed the end of \(limit) objects"
            }
        }
    }
}
