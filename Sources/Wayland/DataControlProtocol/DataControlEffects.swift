package import WaylandWire

extension DataControlClient {
    package enum Effect: Hashable, Sendable {
        /// Send a request.
        case request(Request)
        /// The selections of a seat are known from now on; they follow.
        case attached(DataControlVariant, version: UInt32)
        /// The selections that the seat had at first have been reported.
        ///
        /// - Parameter hasPrimary: False if the compositor has no primary selection.
        case settled(seat: String?, hasPrimary: Bool)
        /// Nothing is known of selections until the next ``attached(_:version:)``. All sources and offers have ended.
        case detached(Detachment)
        /// The selections cannot be known yet. Follows the compositor's first list of globals, at most once.
        case unavailable(Unavailability)
        /// A selection was set or became empty. Each is one change.
        case changed(SeatSelection, Owner)
        /// Write the contents of a source in one of its types to the descriptor, and close it.
        case write(SourceID, type: String, to: WireDescriptor)
        /// A source is no longer offered. Follows each ``DataControlClient/set(_:types:marker:)`` once, unless the
        /// connection fails.
        case ended(SourceID, SourceEnd)
        /// All events have been handled that the compositor sent before it got the question.
        case synced(SyncID)
        /// Close a descriptor that arrived.
        case close(WireDescriptor)
        /// Close the connection and all descriptors that arrived and were not passed on. This is the last effect.
        case fail(Fault)
    }

    /// The contents of a selection.
    package enum Owner: Hashable, Sendable {
        /// The selection is empty: it was cleared, or its owner ended. The protocol does not tell which.
        case nobody
        /// A program has cleared the selection, by a protocol that tells.
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
        /// The compositor ignored it.
        case refused
        case detached
    }

    package enum Detachment: Hashable, Sendable {
        case seatGone
        case managerGone
    }

    package enum Unavailability: Hashable, Sendable {
        /// The compositor has neither protocol.
        case noDataControl
        /// There is no seat, or none with the name asked for.
        ///
        /// - Parameter names: The names of those that there are.
        case noSeat(names: [String])
    }

    package enum Request: Hashable, Sendable {
        case display(WlDisplay.Request)
        case registry(ObjectID, WlRegistry.Request)
        case seat(ObjectID, WlSeat.Request)
        case manager(ObjectID, DataControlManager.Request)
        case device(ObjectID, DataControlDevice.Request)
        case source(ObjectID, DataControlSource.Request)
        case offer(ObjectID, DataControlOffer.Request)

        /// Encodes the request. Requests of this machine are never too long.
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

    /// A reason to end the connection: what the compositor did.
    package enum Fault: Error, Hashable, Sendable, CustomStringConvertible {
        /// It sent wl_display.error, after which it closes the connection.
        case error(interface: String, code: UInt32, message: String)
        case stream(WireError)
        case malformed(interface: String, WireError)
        case unknownObject(ObjectID)
        /// It confirmed the end of an object that was not destroyed.
        case deletedObject(UInt32)
        /// It created an object with a number that is in use, of the client's range, or beyond the next one.
        case createdObject(ObjectID)
        /// A selection is an object that is not an offer, or one that has ended.
        case notAnOffer(ObjectID)
        /// An offer is that of both selections.
        case offerOfBoth(ObjectID)
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
                "the compositor made object \(object.number) a selection, which is not an offer"
            case .offerOfBoth(let object): "the compositor made offer \(object.number) both selections"
            case .globalTwice(let name): "the compositor announced two globals as \(name)"
            case .tooManyOffers(let limit): "the compositor made more than \(limit) offers at once"
            case .tooManyGlobals(let limit): "the compositor announced more than \(limit) seats or managers"
            case .tooManyObjects(let limit): "the compositor did not confirm the end of objects, \(limit) by now"
            }
        }
    }
}
