import DataControlProtocol
import TestRandom
import WaylandWire

/// A model of a compositor with one client: the objects on its side, the selections of its seats, and the requests that
/// it has not handled.
struct CompositorModel {
    typealias Client = DataControlClient

    /// The contents of a selection.
    enum Contents: Equatable {
        case none
        case foreign([String])
        case source(ObjectID)
    }

    enum Object: Equatable {
        case registry, inert
        /// A manager, which may have been bound in a version without the primary selection.
        case manager(hasPrimary: Bool)
        case seat(UInt32)
        case device(seat: UInt32, hasPrimary: Bool)
        case source(id: SourceID, types: [String], isUsed: Bool)
    }

    /// An event on its way to the client.
    struct Event {
        var message: EncodedMessage
        var subject: Subject = .nothing
    }

    /// The part of an event that the client has to report.
    enum Subject: Equatable {
        case nothing
        case done(ObjectID)
        case deleted(UInt32)
        case introduced(ObjectID, device: ObjectID)
        case selection(device: ObjectID, SeatSelection, offer: ObjectID?, Reported)
        case send(ObjectID, type: String)
        case cancelled(ObjectID)
        case finished(ObjectID)
    }

    enum Reported: Equatable {
        case nobody
        case ours(SourceID)
        case foreign([String])
    }

    static let types = ["text/plain;charset=utf-8", "text/html", "image/png", "x"]
    /// The number of ways to break the protocol.
    static let faults = 8

    var requests: [(request: Client.Request, source: SourceID?)] = []
    var events: [Event] = []
    var objects: [ObjectID: Object] = [:]
    var offers: Set<ObjectID> = []
    private var freeOffers: [ObjectID] = []
    private var usedOffers: UInt32 = 0
    private var lastGlobal: UInt32 = 0
    /// The seats in order, by global.
    var seats: [(global: UInt32, contents: [SeatSelection: Contents])] = []
    var managers: [(global: UInt32, variant: DataControlVariant, version: UInt32)] = []
    /// True if replaced sources are cancelled.
    var cancels = true
    /// True if replaced sources are cancelled before the event with the new selection.
    var cancelsFirst = true
    var hasPrimary = true

    // MARK: Changes from outside

    mutating func addSeat() {
        lastGlobal += 1
        seats.append((lastGlobal, [:]))
        announce(lastGlobal, WlSeat.interface.name, 7)
    }

    mutating func addManager(_ variant: DataControlVariant, version: UInt32) {
        lastGlobal += 1
        managers.append((lastGlobal, variant, version))
        announce(lastGlobal, DataControlManager.interface(of: variant).name, version)
    }

    private mutating func announce(_ global: UInt32, _ interface: String, _ version: UInt32) {
        guard let registry = registry, let name = WireString(interface) else { return }
        send(WlRegistry.Event.global(name: global, interface: name, version: version), of: registry)
    }

    private var registry: ObjectID? { objects.first { $0.value == .registry }?.key }

    mutating func removeSeat(_ index: Int, isFinishedFirst: Bool) {
        guard seats.indices.contains(index) else { return }
        let seat = seats.remove(at: index).global
        if !isFinishedFirst { remove(seat) }
        for object in devices(of: seat) {
            objects[object] = .inert
            send(DataControlDevice.Event.finished, of: object, .finished(object))
        }
        if isFinishedFirst { remove(seat) }
    }

    private func devices(of seat: UInt32) -> [ObjectID] {
        objects.keys.filter { if case .device(seat, _) = objects[$0] { true } else { false } }
            .sorted { $0.number < $1.number }
    }

    mutating func removeManager(_ index: Int) {
        guard managers.indices.contains(index) else { return }
        remove(managers.remove(at: index).global)
    }

    private mutating func remove(_ global: UInt32) {
        guard let registry else { return }
        send(WlRegistry.Event.globalRemove(name: global), of: registry)
    }

    /// Puts another client's contents on a selection, or empties it.
    mutating func change(_ selection: SeatSelection, of seat: Int, to contents: Contents) {
        guard seats.indices.contains(seat), selection == .clipboard || hasPrimary else { return }
        set(selection, of: seats[seat].global, to: contents)
    }

    /// Puts contents on a selection, and reports them.
    private mutating func set(_ selection: SeatSelection, of seat: UInt32, to contents: Contents) {
        guard let index = seats.firstIndex(where: { $0.global == seat }) else { return }
        let previous = seats[index].contents[selection] ?? .none
        // wlroots does not report that an empty selection was cleared.
        guard contents != .none || previous != .none else { return }
        seats[index].contents[selection] = contents
        if cancelsFirst { cancel(previous) }
        for object in devices(of: seat) { report(selection, contents, to: object) }
        if !cancelsFirst { cancel(previous) }
    }

    private mutating func cancel(_ contents: Contents) {
        guard cancels, case .source(let source) = contents, objects[source] != nil else { return }
        send(DataControlSource.Event.cancelled, of: source, .cancelled(source))
    }

    mutating func paste(_ selection: SeatSelection, of seat: Int, type: String) {
        guard seats.indices.contains(seat), case .source(let source) = seats[seat].contents[selection],
            let name = WireString(type)
        else { return }
        let event = DataControlSource.Event.send(mimeType: name, fd: WireDescriptor(0))
        send(event, of: source, .send(source, type: type))
    }

    private mutating func report(_ selection: SeatSelection, _ contents: Contents, to device: ObjectID) {
        guard case .device(_, let hasPrimary) = objects[device],
            selection == .clipboard || (hasPrimary && self.hasPrimary)
        else { return }
        switch contents {
        case .none: select(nil, selection, of: device, .nobody)
        case .foreign(let types): introduce(types, selection, to: device, .foreign(types))
        case .source(let source):
            guard case .source(let id, let types, _) = objects[source] else { return }
            introduce(types, selection, to: device, .ours(id))
        }
    }

    private mutating func introduce(
        _ types: [String], _ selection: SeatSelection, to device: ObjectID, _ reported: Reported
    ) {
        let offer = freeOffers.popLast() ?? ObjectID(ObjectID.firstOfCompositor.number + usedOffers)
        guard let offer else { return }
        usedOffers = max(usedOffers, offer.number - ObjectID.firstOfCompositor.number + 1)
        offers.insert(offer)
        send(DataControlDevice.Event.dataOffer(id: offer), of: device, .introduced(offer, device: device))
        for type in types.compactMap({ WireString($0) }) {
            send(DataControlOffer.Event.offer(mimeType: type), of: offer)
        }
        select(offer, selection, of: device, reported)
    }

    private mutating func select(
        _ offer: ObjectID?, _ selection: SeatSelection, of device: ObjectID, _ reported: Reported
    ) {
        let subject = Subject.selection(device: device, selection, offer: offer, reported)
        switch selection {
        case .clipboard: send(DataControlDevice.Event.selection(id: offer), of: device, subject)
        case .primary: send(DataControlDevice.Event.primarySelection(id: offer), of: device, subject)
        }
    }

    private mutating func send(_ event: some WaylandMessage, of object: ObjectID, _ subject: Subject = .nothing) {
        // This model's events are short.
        guard let message = try? event.encoded(to: object) else { return }
        events.append(Event(message: message, subject: subject))
    }

    // MARK: Requests

    mutating func handleRequest() throws(BrokenInvariant) {
        guard !requests.isEmpty else { return }
        let (request, source) = requests.removeFirst()
        switch request {
        case .display(.getRegistry(let registry)):
            try create(registry, .registry)
            for seat in seats { announce(seat.global, WlSeat.interface.name, 7) }
            for manager in managers {
                announce(manager.global, DataControlManager.interface(of: manager.variant).name, manager.version)
            }
        case .display(.sync(let callback)):
            try expect(objects[callback] == nil, "a callback has its own number")
            send(WlCallback.Event.done(callbackData: 0), of: callback, .done(callback))
            delete(callback)
        case .registry(_, .bind(let name, let interface, let version, let id)): try bind(name, interface, version, id)
        case .seat(let seat, .release): try destroy(seat)
        case .seat: throw BrokenInvariant("a seat is used for selections only")
        case .manager(let manager, let request): try handle(request, of: manager, source)
        case .device(let device, let request): try handle(request, of: device)
        case .source(let object, .offer(let type)):
            guard case .source(let id, let types, false) = objects[object], let text = type.text else {
                throw BrokenInvariant("types are offered by a source that was not set")
            }
            objects[object] = .source(id: id, types: types + [text], isUsed: false)
        case .source(let object, .destroy):
            try destroy(object)
            for seat in seats {
                for (selection, contents) in seat.contents where contents == .source(object) {
                    set(selection, of: seat.global, to: .none)
                }
            }
        case .offer(let offer, .receive): try expect(offers.contains(offer), "contents are requested from an offer")
        case .offer(let offer, .destroy):
            try expect(offers.remove(offer) != nil, "an offer is destroyed once")
            freeOffers.append(offer)
        }
    }

    private mutating func bind(
        _ global: UInt32, _ interface: WireString, _ version: UInt32, _ id: ObjectID
    ) throws(BrokenInvariant) {
        if seats.contains(where: { $0.global == global }) {
            try create(id, .seat(global))
            send(WlSeat.Event.capabilities(capabilities: 0), of: id)
            if let name = WireString("seat\(global)") { send(WlSeat.Event.name(name: name), of: id) }
        } else if let manager = managers.first(where: { $0.global == global }) {
            try expect(
                interface.text == DataControlManager.interface(of: manager.variant).name,
                "a global is bound by its interface")
            try expect((1...manager.version).contains(version), "a global is bound in a version that it has")
            try create(id, .manager(hasPrimary: manager.variant == .ext || version > 1))
        } else {
            try create(id, .inert)
        }
    }

    private mutating func handle(
        _ request: DataControlManager.Request, of manager: ObjectID, _ source: SourceID?
    ) throws(BrokenInvariant) {
        try expect(objects[manager] != nil, "the manager exists")
        switch request {
        case .createDataSource(let object):
            guard let source else { throw BrokenInvariant("a source has a number") }
            try create(object, .source(id: source, types: [], isUsed: false))
        case .getDataDevice(let object, let seat):
            guard case .seat(let global) = objects[seat], let contents = seats.first(where: { $0.global == global })
            else {
                try expect(objects[seat] != nil, "the seat exists")
                try create(object, .inert)
                return send(DataControlDevice.Event.finished, of: object, .finished(object))
            }
            try create(object, .device(seat: global, hasPrimary: objects[manager] != .manager(hasPrimary: false)))
            for selection in SeatSelection.allCases {
                report(selection, contents.contents[selection] ?? .none, to: object)
            }
        case .destroy: try destroy(manager)
        }
    }

    private mutating func handle(
        _ request: DataControlDevice.Request, of device: ObjectID
    ) throws(BrokenInvariant) {
        try expect(objects[device] != nil, "the device exists")
        switch request {
        case .setSelection(let source): try set(source, on: .clipboard, of: device)
        case .setPrimarySelection(let source): try set(source, on: .primary, of: device)
        case .destroy:
            // wlroots reports the end of the device even then.
            send(DataControlDevice.Event.finished, of: device)
            try destroy(device)
        }
    }

    private mutating func set(
        _ source: ObjectID?, on selection: SeatSelection, of device: ObjectID
    ) throws(BrokenInvariant) {
        if let source {
            guard case .source(let id, let types, false) = objects[source] else {
                throw BrokenInvariant("a source is set once")
            }
            objects[source] = .source(id: id, types: types, isUsed: true)
        }
        guard case .device(let seat, let mayHavePrimary) = objects[device] else { return }
        try expect(selection == .clipboard || mayHavePrimary, "version 1 has no primary selection")
        guard selection == .clipboard || hasPrimary else { return }
        set(selection, of: seat, to: source.map { .source($0) } ?? .none)
    }

    private mutating func create(_ object: ObjectID, _ value: Object) throws(BrokenInvariant) {
        try expect(objects[object] == nil && !object.isOfCompositor, "a new object has a free number")
        objects[object] = value
    }

    private mutating func destroy(_ object: ObjectID) throws(BrokenInvariant) {
        try expect(objects.removeValue(forKey: object) != nil, "an object is destroyed once")
        delete(object)
    }

    private mutating func delete(_ object: ObjectID) {
        send(WlDisplay.Event.deleteID(id: object.number), of: .display, .deleted(object.number))
    }

    // MARK: Faults

    /// Returns bytes that break the protocol.
    func fault(_ kind: Int) -> [UInt8] {
        let unused = ObjectID(0xfe00_0000) ?? .display
        let registry = registry ?? .display
        let faults: [EncodedMessage?] = [
            try? DataControlSource.Event.cancelled.encoded(to: unused),
            try? WlDisplay.Event.deleteID(id: 2).encoded(to: .display),
            try? WlDisplay.Event.deleteID(id: 0).encoded(to: .display),
            try? WlDisplay.Request.sync(callback: unused).encoded(to: .display),
            try? DataControlDevice.Event.finished.encoded(to: registry),
            try? WlDisplay.Event.error(objectID: .display, code: 0, message: WireString(of: WlSeat.interface))
                .encoded(to: .display),
        ]
        let index = abs(kind % Self.faults)
        return index < faults.count ? faults[index]?.bytes ?? [] : [1, 0, 0, 0, UInt8(index), 0, UInt8(index), 0]
    }
}
