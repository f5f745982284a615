package import CommandCore
package import LinuxSystem
import SystemPackage
import WaylandWire

/// A connection to a Wayland compositor that reports its windows and lets programs type, for one thread.
///
/// The compositors on wlroots do so, and many others. KWin and GNOME's compositor do not.
package final class CompositorConnection {
    private let socket: Descriptor
    /// The timeout for an answer of the compositor.
    private let timeout: Duration
    private var decoder = FrameDecoder()
    /// The number of the latest object of this client.
    private var lastObject = ObjectID.display
    private let registry: ObjectID
    /// The names and the first objects of the compositor, by their interfaces.
    private var globals: [String: UInt32] = [:]
    private var callback: ObjectID?
    private var manager: ObjectID?
    private var seat: ObjectID?
    private var hasKeyboard = false
    private(set) var toplevels = ToplevelList()

    /// Connects to the compositor of a command; nil if the command uses an X display.
    convenience init?(for session: Session) throws(Failure) {
        let environment = session.environment
        let runtime = environment["XDG_RUNTIME_DIR"]
        let name =
            if let display = session.common.display {
                WaylandName(prefixed: display, runtimeDirectory: runtime)
            } else {
                WaylandName(environment: environment)
            }
        guard let name else { return nil }
        do throws(Failure) {
            try self.init(to: name, timeout: session.timeout.duration)
        } catch {
            // A session of X11 may have inherited the name from a session that has ended.
            guard error.status == .unavailable, environment["DISPLAY"] != nil else { throw error }
            return nil
        }
    }

    package init(to name: WaylandName, timeout: Duration) throws(Failure) {
        if let refusal = name.refusal { throw Failure(.refused, refusal) }
        do throws(Errno) {
            socket = try UnixSocket.connect(to: name.socketPath, timeout: timeout)
        } catch {
            throw Failure(.unavailable, "the Wayland display '\(name.canonical)' cannot be used: \(error)")
        }
        self.timeout = timeout
        registry = lastObject.next
        lastObject = registry
        try send(WlDisplay.Request.getRegistry(registry: registry), to: .display)
        try synchronize()
        for interface in [VirtualKeyboardManager.interface, ForeignToplevelManager.interface, WlSeat.interface]
        where globals[interface.name] == nil {
            throw .pasteNotPossible("this desktop lets no program type (its compositor lacks \(interface.name))")
        }
        manager = try bind(ForeignToplevelManager.interface)
        seat = try bind(WlSeat.interface)
        try synchronize()
    }

    /// The number of `keyboard` among the capabilities of a seat.
    private static let keyboardCapability: UInt32 = 2

    private func newObject() -> ObjectID {
        lastObject = lastObject.next
        return lastObject
    }

    /// Returns a new object for a global object of the compositor, in the interface's first version.
    private func bind(_ interface: WireInterface) throws(Failure) -> ObjectID {
        let object = newObject()
        let request = WlRegistry.Request.bind(
            name: globals[interface.name] ?? 0, interface: WireString(of: interface), version: 1, id: object)
        try send(request, to: registry)
        return object
    }

    /// Waits until the compositor has performed all requests, and sent all events about them.
    func synchronize() throws(Failure) {
        let callback = newObject()
        self.callback = callback
        try send(WlDisplay.Request.sync(callback: callback), to: .display)
        let deadline = ContinuousClock.now + timeout
        while self.callback != nil {
            guard try receive(until: deadline) else { throw Self.broken("it does not answer") }
        }
    }

    /// Waits for events, and applies them.
    ///
    /// - Returns: false if none has arrived by the deadline.
    func receive(until deadline: ContinuousClock.Instant) throws(Failure) -> Bool {
        do {
            // Events that never end do not extend the deadline.
            guard .now < deadline, try waitReadable(socket.fileDescriptor, until: deadline) else { return false }
            let bytes = try socket.fileDescriptor.readBytes(atMost: 1 << 16)
            if bytes.isEmpty { throw Self.broken("it has closed the connection") }
            decoder.append(bytes)
            while let frame = try decoder.next() { try apply(frame) }
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Self.broken("\(error)")
        }
        return true
    }

    /// Applies events until a descriptor is readable. sway disconnects a client that leaves some hundreds unread.
    func receive(untilReadable input: FileDescriptor) throws(Failure) {
        while true {
            var set = PollSet()
            set.append(input, .input)
            set.append(socket.fileDescriptor, .input)
            do {
                _ = try set.wait(until: nil)
            } catch {
                throw Self.broken("\(error)")
            }
            if !set.result(at: 0).isEmpty { return }
            _ = try receive(until: .now + timeout)
        }
    }

    private func apply(_ frame: WireFrame) throws {
        switch frame.object {
        case .display:
            if case .error(_, _, let message) = try event(frame, of: WlDisplay.Event.self) {
                throw Self.broken(String(decoding: message.bytes, as: UTF8.self))
            }
        case registry:
            if case .global(let name, let interface, _) = try event(frame, of: WlRegistry.Event.self),
                let interface = interface.text, globals[interface] == nil
            {
                globals[interface] = name
            }
        case callback: callback = nil
        case seat:
            if case .capabilities(let capabilities) = try event(frame, of: WlSeat.Event.self) {
                hasKeyboard = capabilities & Self.keyboardCapability != 0
            }
        case manager:
            if case .toplevel(let window) = try event(frame, of: ForeignToplevelManager.Event.self) {
                toplevels.add(window)
            }
        case _ where toplevels.has(frame.object):
            toplevels.apply(try event(frame, of: ForeignToplevelHandle.Event.self), to: frame.object)
        default: break
        }
    }

    private func event<Event: WaylandMessage>(_ frame: WireFrame, of _: Event.Type) throws(WireError) -> Event {
        // No event here has a descriptor.
        var descriptors = DescriptorCount()
        return try Event(frame, descriptors: &descriptors)
    }

    private func send(
        _ request: some WaylandMessage, to object: ObjectID, attaching file: Descriptor? = nil
    ) throws(Failure) {
        do {
            var bytes = try request.encoded(to: object).bytes[...]
            var descriptors = [file].compactMap(\.self)
            while !bytes.isEmpty {
                let count = try UnixSocket.send(
                    bytes, descriptors: descriptors, to: socket.fileDescriptor, waits: true)
                bytes = bytes.dropFirst(count)
                descriptors = []
            }
        } catch {
            throw Self.broken("\(error)")
        }
    }

    private static func broken(_ reason: String) -> Failure {
        Failure(.broken, "the compositor did not carry out a request: \(reason)")
    }

    // MARK: Keys

    /// Types keys into the window that has the focus. Keys that the user holds down do not count, since each keyboard
    /// has its own modifiers.
    func type(_ keys: PasteKeys) throws(Failure) {
        // Programs would begin to listen to the first keyboard of a session only after the keys.
        guard let seat, hasKeyboard else { throw .pasteNotPossible("this session has no keyboard") }
        let (manager, keyboard) = (try bind(VirtualKeyboardManager.interface), newObject())
        try send(VirtualKeyboardManager.Request.createVirtualKeyboard(seat: seat, id: keyboard), to: manager)
        try setKeymap(of: keyboard)
        let (held, pressed) = keys.stroke
        var modifiers: KeyModifiers = []
        for key in held {
            try press(key, isDown: true, on: keyboard)
            modifiers.formUnion(key.modifiers)
            try setModifiers(modifiers, of: keyboard)
        }
        try press(pressed, isDown: true, on: keyboard)
        try press(pressed, isDown: false, on: keyboard)
        for key in held.reversed() {
            try press(key, isDown: false, on: keyboard)
            modifiers.subtract(key.modifiers)
            try setModifiers(modifiers, of: keyboard)
        }
        try synchronize()
    }

    private func setKeymap(of keyboard: ObjectID) throws(Failure) {
        let bytes = Array(VirtualKeymap.text.utf8) + [0]
        let file: MemoryFile
        do throws(Errno) {
            file = try MemoryFile.containing(bytes)
        } catch {
            throw Self.broken("\(error)")
        }
        // Format 1 is xkb_v1.
        let request = VirtualKeyboard.Request.keymap(format: 1, fd: WireDescriptor(0), size: UInt32(bytes.count))
        try send(request, to: keyboard, attaching: file.descriptor)
    }

    private func setModifiers(_ modifiers: KeyModifiers, of keyboard: ObjectID) throws(Failure) {
        let request = VirtualKeyboard.Request.modifiers(
            modsDepressed: modifiers.rawValue, modsLatched: 0, modsLocked: 0, group: 0)
        try send(request, to: keyboard)
    }

    private func press(_ key: PasteKey, isDown: Bool, on keyboard: ObjectID) throws(Failure) {
        let time = UInt32(truncatingIfNeeded: UnixTime.now)
        try send(
            VirtualKeyboard.Request.key(time: time, key: key.eventCode, state: isDown ? 1 : 0), to: keyboard)
    }
}

extension ObjectID {
    /// The number after this one, for objects of a client.
    fileprivate var next: ObjectID { ObjectID(number + 1) ?? self }
}
