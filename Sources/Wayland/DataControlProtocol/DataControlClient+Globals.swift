import WaylandWire

/// Seats and managers that come and go.
extension DataControlClient {
    var boundManager: Manager? { managers.first { $0.object != nil } }

    var unavailability: SeatUnavailability { boundManager == nil ? .noDataControl : .noSeat(names: seatNames) }

    mutating func handle(_ event: WlRegistry.Event) throws(Fault) -> [Effect] {
        switch event {
        case .global(let name, let interface, let version):
            try announce(name, interface.text ?? "", version)
            return phase == .running ? try bind() : []
        case .globalRemove(let name): return try remove(name)
        }
    }

    private mutating func announce(_ name: UInt32, _ interface: String, _ version: UInt32) throws(Fault) {
        let variant = DataControlVariant.allCases.first { DataControlManager.interface(of: $0).name == interface }
        guard version > 0, variant != nil || interface == WlSeat.interface.name else { return }
        guard !seats.contains(where: { $0.global == name }), !managers.contains(where: { $0.global == name }) else {
            throw .globalTwice(name)
        }
        guard let variant else {
            guard seats.count < limits.seats else { throw .tooManyGlobals(limit: limits.seats) }
            // Later versions have nothing that is needed here.
            return seats.append(Seat(global: name, version: min(version, WlSeat.releaseSince)))
        }
        guard managers.count < limits.seats else { throw .tooManyGlobals(limit: limits.seats) }
        let version = min(version, DataControlManager.interface(of: variant).version)
        managers.append(Manager(global: name, variant: variant, version: version))
    }

    /// Handles the end of the first list of globals.
    mutating func listed() throws(Fault) -> [Effect] {
        phase = .running
        return try bind() + sync(.names)
    }

    /// Binds a manager and all seats that are not bound yet, and attaches to a seat if possible.
    private mutating func bind() throws(Fault) -> [Effect] {
        guard let registry else { return [] }
        var effects: [Effect] = []
        let preferred = managers.indices.min { DataControlClient.precedes(managers[$0], managers[$1]) }
        if boundManager == nil, let index = preferred {
            let manager = managers[index]
            let object = try objects.create(.manager(manager.variant))
            managers[index].object = object
            let interface = DataControlManager.interface(of: manager.variant)
            effects.append(Self.bind(manager.global, interface, manager.version, object, by: registry))
        }
        for index in seats.indices where seats[index].object == nil {
            let object = try objects.create(.seat)
            seats[index].object = object
            effects.append(Self.bind(seats[index].global, WlSeat.interface, seats[index].version, object, by: registry))
        }
        return try effects + attach()
    }

    private static func precedes(_ one: Manager, _ other: Manager) -> Bool {
        one.variant == .ext && other.variant == .wlr
    }

    private static func bind(
        _ global: UInt32, _ interface: WireInterface, _ version: UInt32, _ object: ObjectID, by registry: ObjectID
    ) -> Effect {
        let name = WireString(of: interface)
        return .request(.registry(registry, .bind(name: global, interface: name, version: version, id: object)))
    }

    /// Creates the device of the seat, if there is none and both a manager and the seat exist.
    private mutating func attach() throws(Fault) -> [Effect] {
        let seat = seats.first { !$0.isFinished && (seatName == nil || $0.name == seatName) }
        guard device == nil, let manager = boundManager, let owner = manager.object, let seat = seat?.object else {
            return []
        }
        let object = try objects.create(.device(manager.variant))
        device = Device(
            object: object, seat: seat, variant: manager.variant,
            mayHavePrimary: manager.version >= DataControlDevice.primarySelectionSince(manager.variant))
        return [
            .request(.manager(owner, .getDataDevice(id: object, seat: seat))),
            .attached(manager.variant, version: manager.version),
        ] + (try sync(.device(object)))
    }

    mutating func settle(_ object: ObjectID) -> [Effect] {
        guard let device, device.object == object else { return [] }
        self.device?.isSettled = true
        let name = seats.first { $0.object == device.seat }?.name
        return [.settled(seat: name, hasPrimary: device.hasPrimary)]
    }

    mutating func handle(_ event: WlSeat.Event, of object: ObjectID) throws(Fault) -> [Effect] {
        guard case .name(let name) = event, let index = seats.firstIndex(where: { $0.object == object }) else {
            return []
        }
        seats[index].name = String(decoding: name.bytes, as: UTF8.self)
        return try attach()
    }

    // MARK: Ends

    /// Handles the end of the device, which the compositor reports when the seat is removed.
    mutating func finished() throws(Fault) -> [Effect] {
        if let index = seats.firstIndex(where: { $0.object == device?.seat }) { seats[index].isFinished = true }
        return detach(.seatGone) + (try attach())
    }

    private mutating func remove(_ global: UInt32) throws(Fault) -> [Effect] {
        if let index = seats.firstIndex(where: { $0.global == global }) {
            let seat = seats.remove(at: index)
            let ends = seat.object != nil && seat.object == device?.seat ? detach(.seatGone) : []
            return ends + release(seat) + (try attach())
        }
        guard let index = managers.firstIndex(where: { $0.global == global }) else { return [] }
        guard let object = managers.remove(at: index).object else { return [] }
        let ends = device == nil ? [] : detach(.managerGone)
        objects.destroy(object)
        return ends + [.request(.manager(object, .destroy))] + (try bind())
    }

    /// Destroys the seat's object. Before version 5 of the interface, the object has no destructor and stays.
    private mutating func release(_ seat: Seat) -> [Effect] {
        guard let object = seat.object, seat.version >= WlSeat.releaseSince else { return [] }
        objects.destroy(object)
        return [.request(.seat(object, .release))]
    }

    private mutating func detach(_ reason: SeatDetachment) -> [Effect] {
        guard let device else { return [] }
        let ends = sources.sorted { $0.value.id.number < $1.value.id.number }.flatMap { end($0.key, .detached) }
        let destroyed = offers.sorted { $0.value.id.number < $1.value.id.number }.map { destroy(offer: $0.key) }
        selections = [:]
        self.device = nil
        objects.destroy(device.object)
        return ends + destroyed + [.request(.device(device.object, .destroy)), .detached(reason)]
    }
}
