import DataControlProtocol
import EventLoop
package import LinuxSystem
import SystemPackage
package import WaylandWire

/// The compositor's side of one connection.
package final class FakeClient {
    private struct Violation: Error {
        let description: String
    }

    private final class Source {
        var types: [String] = []
        var contents: FakeCompositor.Contents?
    }

    private struct Device {
        let seat: FakeCompositor.Seat
        let hasPrimary: Bool
    }

    private enum Object {
        case display, registry, seat
        case boundSeat(FakeCompositor.Seat)
        case manager(DataControlVariant, version: UInt32)
        case device(Device)
        case source(Source)
        case offer(FakeCompositor.Contents)
    }

    private unowned let compositor: FakeCompositor
    private var socket: Descriptor?
    private var registration: Registration?
    private var objects: [ObjectID: Object] = [.display: .display]
    private var registry: ObjectID?
    private var frames = FrameDecoder()
    private var descriptors = DescriptorCount()
    private var arrived: [WireDescriptor: Descriptor] = [:]
    private var outbox = Outbox()
    /// The highest object number that the client has used.
    private var used: UInt32 = 1
    private var devices: [ObjectID] = []
    /// The numbers of the offers that the client has destroyed. As in libwayland, the last number is reused first.
    private var freeOffers: [ObjectID] = []
    private var nextOffer = ObjectID.firstOfCompositor
    /// The number of `sync` requests.
    package private(set) var syncs = 0

    init(_ socket: Descriptor, of compositor: FakeCompositor) {
        self.socket = socket
        self.compositor = compositor
        registration = compositor.loop.add(socket.fileDescriptor, interest: .readable) { [weak self] _ in
            self?.handle()
        }
    }

    deinit { registration?.cancel() }

    /// True while the compositor reads; false to imitate a compositor that hangs.
    package var isReading = true { didSet { updateInterest() } }

    package func close() {
        registration?.cancel()
        registration = nil
        socket = nil
        outbox = Outbox()
        arrived = [:]
        compositor.remove(self)
    }

    /// Closes the connection after an error, as libwayland does.
    package func fail(_ message: String) {
        send(WlDisplay.Event.error(objectID: .display, code: 3, message: text(message)), of: .display)
        close()
    }

    // MARK: The socket

    /// Sends arbitrary bytes.
    package func send(_ bytes: [UInt8], descriptors: [Descriptor] = []) {
        outbox.append(bytes, descriptors: descriptors)
        flush()
    }

    package func send(_ event: some WaylandMessage, of object: ObjectID, descriptors: [Descriptor] = []) {
        guard let message = try? event.encoded(to: object) else { return }
        send(message.bytes, descriptors: descriptors)
    }

    private func flush() {
        guard let socket else { return }
        try? outbox.send(to: socket.fileDescriptor)
        updateInterest()
    }

    private func updateInterest() {
        var interest: Interest = []
        if isReading { interest.insert(.readable) }
        if outbox.count > 0 { interest.insert(.writable) }
        registration?.interest = interest
    }

    private func handle() {
        flush()
        guard isReading, let socket else { return }
        do {
            guard let received = try UnixSocket.receive(from: socket.fileDescriptor, waits: false) else { return }
            if received.bytes.isEmpty { return close() }
            for (index, descriptor) in received.descriptors.enumerated() {
                arrived[WireDescriptor(descriptors.received + index)] = descriptor
            }
            try descriptors.receive(received.descriptors.count)
            frames.append(received.bytes)
            while let frame = try frames.next() { try handle(frame) }
        } catch Errno.connectionReset, Errno.brokenPipe {
            close()
        } catch {
            compositor.violations.append("\(error)")
            fail("\(error)")
        }
    }

    // MARK: Globals

    func announce(_ manager: FakeCompositor.Manager) {
        let interface = WireString(of: DataControlManager.interface(of: manager.variant))
        announce(.global(name: manager.global, interface: interface, version: manager.version))
    }

    func announce(_ seat: FakeCompositor.Seat) {
        announce(.global(name: seat.global, interface: WireString(of: WlSeat.interface), version: 7))
    }

    func announceEnd(of global: UInt32) { announce(.globalRemove(name: global)) }

    private func announce(_ event: WlRegistry.Event) {
        if let registry { send(event, of: registry) }
    }

    private func bind(_ name: UInt32, _ interface: WireString, _ version: UInt32, _ id: ObjectID) throws {
        if let seat = compositor.seats.first(where: { $0.global == name }) {
            try create(id, .boundSeat(seat))
            send(WlSeat.Event.capabilities(capabilities: 0), of: id)
            send(WlSeat.Event.name(name: text(seat.name)), of: id)
        } else if let manager = compositor.managers.first(where: { $0.global == name }) {
            guard interface == WireString(of: DataControlManager.interface(of: manager.variant)),
                (1...manager.version).contains(version)
            else { throw Violation(description: "a manager is bound with a wrong interface or version") }
            try create(id, .manager(manager.variant, version: version))
        } else {
            // The global has been removed.
            try create(id, .seat)
        }
    }

    // MARK: Requests

    private func handle(_ frame: WireFrame) throws {
        guard let object = objects[frame.object] else {
            throw Violation(description: "a request for object \(frame.object.number), which does not exist")
        }
        switch object {
        case .display: try handle(try decode(frame) as WlDisplay.Request)
        case .registry:
            let request: WlRegistry.Request = try decode(frame)
            guard case .bind(let name, let interface, let version, let id) = request else { return }
            try bind(name, interface, version, id)
        case .seat, .boundSeat: destroy(frame.object)
        case .manager(let variant, let version):
            try handle(try decode(frame), of: frame.object, variant, version)
        case .device(let device): try handle(try decode(frame), of: frame.object, device)
        case .source(let source): try handle(try decode(frame), of: frame.object, source)
        case .offer(let contents): try handle(try decode(frame), of: frame.object, contents)
        }
    }

    private func decode<Request: WaylandMessage>(_ frame: WireFrame) throws -> Request {
        try Request(frame, descriptors: &descriptors)
    }

    private func handle(_ request: WlDisplay.Request) throws {
        switch request {
        case .sync(let callback):
            syncs += 1
            try create(callback, .seat)
            send(WlCallback.Event.done(callbackData: 0), of: callback)
            destroy(callback)
        case .getRegistry(let id):
            try create(id, .registry)
            registry = id
            for manager in compositor.managers { announce(manager) }
            for seat in compositor.seats { announce(seat) }
        }
    }

    private func handle(
        _ request: DataControlManager.Request, of object: ObjectID, _ variant: DataControlVariant, _ version: UInt32
    ) throws {
        switch request {
        case .createDataSource(let id): try create(id, .source(Source()))
        case .getDataDevice(let id, let seat):
            guard case .boundSeat(let seat) = objects[seat] else {
                try create(id, .seat)
                return send(DataControlDevice.Event.finished, of: id)
            }
            let hasPrimary = version >= DataControlDevice.primarySelectionSince(variant) && compositor.hasPrimary
            try create(id, .device(Device(seat: seat, hasPrimary: hasPrimary)))
            devices.append(id)
            for selection in SeatSelection.allCases { report(selection, of: seat, to: id) }
        case .destroy: destroy(object)
        }
    }

    private func handle(_ request: DataControlDevice.Request, of object: ObjectID, _ device: Device) throws {
        switch request {
        case .setSelection(let source): try set(.clipboard, of: device, to: source)
        case .setPrimarySelection(let source):
            if device.hasPrimary { try set(.primary, of: device, to: source) }
        case .destroy:
            devices.removeAll { $0 == object }
            destroy(object)
        }
    }

    private func set(_ selection: SeatSelection, of device: Device, to object: ObjectID?) throws {
        guard let object else { return compositor.set(selection, of: device.seat, nil) }
        guard case .source(let source) = objects[object], source.contents == nil else {
            throw Violation(description: "a source is set once")
        }
        let contents = FakeCompositor.Contents(source.types, owner: self) { [weak self] in
            guard let self, has(source, as: object) else { return }
            send(DataControlSource.Event.cancelled, of: object)
        } send: { [weak self] type, descriptor in
            guard let self, has(source, as: object) else { return }
            let event = DataControlSource.Event.send(mimeType: text(type), fd: WireDescriptor(0))
            send(event, of: object, descriptors: [descriptor])
        }
        source.contents = contents
        compositor.set(selection, of: device.seat, contents)
    }

    private func handle(_ request: DataControlSource.Request, of object: ObjectID, _ source: Source) throws {
        switch request {
        case .offer(let type):
            guard source.contents == nil else { throw Violation(description: "a type is added to a set source") }
            source.types.append(type.text ?? "")
        case .destroy:
            destroy(object)
            for seat in compositor.seats {
                for (selection, contents) in seat.contents where contents === source.contents {
                    compositor.set(selection, of: seat, nil)
                }
            }
        }
    }

    private func handle(
        _ request: DataControlOffer.Request, of object: ObjectID, _ contents: FakeCompositor.Contents
    ) throws {
        switch request {
        case .receive(let type, let place):
            guard let descriptor = arrived.removeValue(forKey: place), let type = type.text else {
                throw Violation(description: "a request without its descriptor")
            }
            // If the offer no longer belongs to a selection, its descriptor is closed.
            let isCurrent = compositor.seats.contains { $0.contents.values.contains { $0 === contents } }
            if isCurrent { contents.send(type, descriptor) }
        case .destroy:
            objects[object] = nil
            freeOffers.append(object)
        }
    }

    // MARK: Objects

    /// Creates an object if libwayland would accept its number, which must be free and leave no gap.
    private func create(_ id: ObjectID, _ object: Object) throws {
        guard objects[id] == nil, !id.isOfCompositor, id.number <= used + 1 else {
            throw Violation(description: "object \(id.number) is created out of turn")
        }
        used = max(used, id.number)
        objects[id] = object
    }

    private func destroy(_ id: ObjectID) {
        objects[id] = nil
        send(WlDisplay.Event.deleteID(id: id.number), of: .display)
    }

    private func has(_ source: Source, as id: ObjectID) -> Bool {
        guard case .source(let current) = objects[id] else { return false }
        return current === source
    }

    /// Reports a selection to all devices of a seat.
    func report(_ selection: SeatSelection, of seat: FakeCompositor.Seat) {
        for id in devices {
            if case .device(let device) = objects[id], device.seat === seat { report(selection, of: seat, to: id) }
        }
    }

    private func report(_ selection: SeatSelection, of seat: FakeCompositor.Seat, to device: ObjectID) {
        guard case .device(let target) = objects[device], selection == .clipboard || target.hasPrimary else { return }
        let offer = seat.contents[selection].map { introduce($0, to: device) }
        switch selection {
        case .clipboard: send(DataControlDevice.Event.selection(id: offer), of: device)
        case .primary: send(DataControlDevice.Event.primarySelection(id: offer), of: device)
        }
    }

    private func introduce(_ contents: FakeCompositor.Contents, to device: ObjectID) -> ObjectID {
        let id = freeOffers.popLast() ?? nextOffer
        if id == nextOffer { nextOffer = ObjectID(id.number + 1) ?? id }
        objects[id] = .offer(contents)
        send(DataControlDevice.Event.dataOffer(id: id), of: device)
        for type in contents.types { send(DataControlOffer.Event.offer(mimeType: text(type)), of: id) }
        return id
    }

    private func text(_ string: String) -> WireString {
        WireString(string) ?? WireString(of: WlDisplay.interface)
    }
}
