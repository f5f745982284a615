import WaylandWire

/// Events of the compositor.
extension DataControlClient {
    mutating func handle(_ frame: WireFrame) throws(Fault) -> [Effect] {
        guard let entry = objects[frame.object] else { throw .unknownObject(frame.object) }
        switch entry.kind {
        case .display: return try handle(try decode(frame, entry) as WlDisplay.Event)
        case .registry: return try handle(try decode(frame, entry) as WlRegistry.Event)
        case .callback:
            let event: WlCallback.Event = try decode(frame, entry)
            return entry.isAlive ? try handle(event, of: frame.object) : []
        case .seat:
            let event: WlSeat.Event = try decode(frame, entry)
            return entry.isAlive ? try handle(event, of: frame.object) : []
        case .manager: throw .malformed(interface: entry.kind.interface.name, .unknownOpcode(frame.opcode))
        case .device(let variant):
            return try handle(try decode(frame, entry), of: frame.object, variant, isAlive: entry.isAlive)
        case .source:
            return handle(try decode(frame, entry) as DataControlSource.Event, of: frame.object)
        case .offer:
            return handle(try decode(frame, entry) as DataControlOffer.Event, of: frame.object)
        }
    }

    private mutating func decode<Event: WaylandMessage>(
        _ frame: WireFrame, _ entry: ObjectTable.Entry
    ) throws(Fault) -> Event {
        do throws(WireError) {
            return try Event(frame, descriptors: &descriptors)
        } catch {
            throw .malformed(interface: entry.kind.interface.name, error)
        }
    }

    private mutating func handle(_ event: WlDisplay.Event) throws(Fault) -> [Effect] {
        switch event {
        case .error(let object, let code, let message):
            throw .error(
                interface: objects[object]?.kind.interface.name ?? "object \(object.number)", code: code,
                message: String(decoding: message.bytes, as: UTF8.self))
        case .deleteID(let number):
            try objects.free(number)
            return []
        }
    }

    private mutating func handle(_ event: WlCallback.Event, of object: ObjectID) throws(Fault) -> [Effect] {
        // The event is the callback's destructor.
        objects.destroy(object)
        switch callbacks.removeValue(forKey: object) {
        case .globals: return try listed()
        case .names: return isAttached ? [] : [.unavailable(unavailability)]
        case .device(let device): return settle(device)
        case .selection(let selection, let id): return conclude(selection, id)
        case .caller(let id): return [.synced(id)]
        case nil: return []
        }
    }

    // MARK: The device

    private mutating func handle(
        _ event: DataControlDevice.Event, of object: ObjectID, _ variant: DataControlVariant, isAlive: Bool
    ) throws(Fault) -> [Effect] {
        switch event {
        case .dataOffer(let offer):
            try objects.add(offer, of: variant)
            // An offer that the compositor sent before it saw the end of the device exists until it is destroyed.
            guard isAlive else { return [destroy(offer: offer)] }
            guard offers.count < limits.offers else { throw .tooManyOffers(limit: limits.offers) }
            offers[offer] = Offer(id: nextOffer(), device: object)
            return []
        case .selection(let offer): return isAlive ? try select(offer, as: .clipboard) : []
        case .primarySelection(let offer):
            guard isAlive else { return [] }
            guard device?.mayHavePrimary == true else {
                let interface = DataControlDevice.interface(of: variant).name
                throw .malformed(interface: interface, .unknownOpcode(event.opcode))
            }
            device?.hasPrimary = true
            return try select(offer, as: .primary)
        case .finished: return isAlive ? try finished() : []
        }
    }

    private mutating func select(_ object: ObjectID?, as selection: SeatSelection) throws(Fault) -> [Effect] {
        guard object == nil || object != selections[selection] else { return [] }
        let owner = try object.map { object throws(Fault) in try identify(object, of: selection) } ?? .nobody
        let previous = selections.removeValue(forKey: selection)
        selections[selection] = object
        return replaced(by: owner, on: selection) + (previous.map { [destroy(offer: $0)] } ?? [])
            + [.changed(selection, owner)]
    }

    private mutating func identify(_ object: ObjectID, of selection: SeatSelection) throws(Fault) -> Owner {
        guard let offer = offers[object] else { throw .notAnOffer(object) }
        guard !offer.isSelection else { throw .offerOfBothSelections(object) }
        offers[object]?.isSelection = true
        let own = sources.first { _, source in
            source.selection == selection && !source.isConfirmed && offer.types.contains(source.marker)
        }
        guard let own else { return .foreign(offer.id, types: offer.types) }
        sources[own.key]?.isConfirmed = true
        return .ours(own.value.id)
    }

    /// Destroys an offer, which may be missing from ``offers``.
    mutating func destroy(offer: ObjectID) -> Effect {
        offers[offer] = nil
        objects.destroy(offer)
        return .request(.offer(offer, .destroy))
    }

    // MARK: Offers

    private mutating func handle(_ event: DataControlOffer.Event, of object: ObjectID) -> [Effect] {
        guard case .offer(let name) = event, offers[object]?.isSelection == false,
            name.bytes.count <= limits.typeName, let type = name.text, hasRoom(for: type, in: object),
            offers[object]?.names.insert(name).inserted == true
        else { return [] }
        offers[object]?.types.append(type)
        return []
    }

    /// Returns false if an offer has no room for another type. A source's marker always has room: without it, this
    /// client's contents would seem to be another client's.
    private func hasRoom(for type: String, in offer: ObjectID) -> Bool {
        offers[offer].map { $0.types.count < limits.types } == true || sources.values.contains { $0.marker == type }
    }
}
