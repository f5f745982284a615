import CSessionBus
package import EventLoop
import Glibc
import LinuxSystem
import SystemPackage

/// A connection to the session bus, through sd-bus(3). It is used only on the thread of its event loop. No function
/// waits for the bus.
///
/// The library is loaded when the first connection is made: most sessions need no connection.
@safe package final class SessionBus {
    package typealias Answer = Result<BusMessage, BusFailure>

    /// A closure that sd-bus may call with messages.
    private final class Handler {
        unowned let bus: SessionBus
        /// True if the closure is called only once.
        let isOnce: Bool
        let body: (Answer) -> Void

        init(_ bus: SessionBus, isOnce: Bool, _ body: @escaping (Answer) -> Void) {
            self.bus = bus
            self.isOnce = isOnce
            self.body = body
        }
    }

    /// The closure that is called once, from the loop, when the connection has ended. No answer follows.
    package var onEnd: (BusFailure) -> Void = { _ in }

    private var functions = sd_bus_functions()
    /// The connection; nil once it is closed.
    private var bus: OpaquePointer?
    private var registration: Registration?
    private let timers: TimerQueue
    private var timer: TimerQueue.Identifier?
    private var handlers: [ObjectIdentifier: Handler] = [:]

    /// The limit on messages that are handled in one round of the loop.
    private static let maxMessages = 64
    /// elogind and basu have the functions of sd-bus for systems without systemd.
    private static let libraries = ["libsystemd.so.0", "libelogind.so.0", "libbasu.so.0"]

    /// Returns the address of the session's bus; nil if the session has no bus.
    package static func address(in environment: [String: String]) -> String? {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return address }
        guard let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") else { return nil }
        return "unix:path=\(folder)/bus"
    }

    /// Returns false if the address is the path of a socket that does not exist.
    package static func mayExist(_ address: String) -> Bool {
        let prefix = "unix:path="
        guard address.hasPrefix(prefix) else { return true }
        let path = address.dropFirst(prefix.count).prefix { $0 != "," && $0 != ";" }
        return (try? FileStatus(ofPath: String(path), followsSymlink: true)) != nil
    }

    /// Connects to a bus. Calls may be made at once; they are sent when the bus has accepted the connection.
    ///
    /// - Parameter address: An address such as `unix:path=/run/user/1000/bus`.
    package init(address: String, loop: EventLoop, timers: TimerQueue) throws(BusFailure) {
        self.timers = timers
        guard Self.libraries.contains(where: { unsafe sd_bus_load(&functions, $0) }) else { throw .noLibrary }
        unsafe try Self.check(functions.new(&bus))
        unsafe try Self.check(functions.set_address(bus, address))
        unsafe try Self.check(functions.set_bus_client(bus, 1))
        unsafe try Self.check(functions.negotiate_fds(bus, 1))
        unsafe try Self.check(functions.start(bus))
        let descriptor = unsafe FileDescriptor(rawValue: functions.get_fd(bus))
        registration = loop.add(descriptor, interest: [.readable, .writable]) { [weak self] _ in self?.process() }
    }

    deinit { close() }

    private static func check(_ result: Int32) throws(BusFailure) {
        if result < 0 { throw .system(Errno(rawValue: -result)) }
    }

    /// Closes the connection. No closure is called afterwards.
    package func close() {
        registration?.cancel()
        registration = nil
        if let timer { timers.cancel(timer) }
        timer = nil
        guard let closed = unsafe bus else { return }
        unsafe bus = nil
        unsafe functions.close(closed)
        unsafe _ = functions.unref(closed)
        handlers = [:]
    }

    // MARK: Messages

    /// Calls a method.
    ///
    /// - Parameter body: Called with the answer, from the loop; not called if the connection ends first.
    package func call(_ call: BusCall, then body: @escaping (Answer) -> Void = { _ in }) {
        do throws(BusFailure) {
            var message: OpaquePointer?
            defer { unsafe _ = functions.message_unref(message) }
            unsafe try Self.check(
                functions.message_new_method_call(
                    bus, &message, call.destination, call.path, call.interface, call.member))
            for argument in call.arguments { unsafe try append(argument, to: message) }
            let handler = add(Handler(self, isOnce: true, body))
            unsafe try Self.check(
                functions.call_async(bus, nil, message, Self.receive, Self.pointer(to: handler), UInt64.max))
            update()
        } catch {
            let failure = error
            _ = timers.set(.now) { body(.failure(failure)) }
        }
    }

    /// Calls a closure with each signal that a rule describes.
    ///
    /// - Parameter rule: A match rule of D-Bus.
    package func match(_ rule: String, _ body: @escaping (BusMessage) -> Void) {
        let handler = add(Handler(self, isOnce: false) { if case .success(let message) = $0 { body(message) } })
        unsafe _ = functions.add_match_async(bus, nil, rule, Self.receive, nil, Self.pointer(to: handler))
        update()
    }

    private func add(_ handler: Handler) -> Handler {
        handlers[ObjectIdentifier(handler)] = handler
        return handler
    }

    private static func pointer(to handler: Handler) -> UnsafeMutableRawPointer {
        unsafe Unmanaged.passUnretained(handler).toOpaque()
    }

    private static let receive: sd_bus_message_handler_t = { message, handler, _ in
        guard let message = unsafe message, let handler = unsafe handler else { return 0 }
        let found = unsafe Unmanaged<Handler>.fromOpaque(handler).takeUnretainedValue()
        if found.isOnce { found.bus.handlers[ObjectIdentifier(found)] = nil }
        unsafe found.body(found.bus.answer(message))
        return 0
    }

    private func answer(_ message: OpaquePointer) -> Answer {
        if let error = unsafe functions.message_get_error(message) {
            return unsafe .failure(.answer(name: text(error.pointee.name), message: text(error.pointee.message)))
        }
        return unsafe .success(
            BusMessage(
                sender: text(functions.message_get_sender(message)), path: text(functions.message_get_path(message)),
                member: text(functions.message_get_member(message)),
                arguments: BusReader(functions, message).arguments()))
    }

    private func text(_ pointer: UnsafePointer<CChar>?) -> String {
        unsafe pointer.map { unsafe String(cString: $0) } ?? ""
    }

    private func append(_ argument: BusCall.Argument, to message: OpaquePointer?) throws(BusFailure) {
        switch argument {
        case .string(let value): unsafe try append(value, to: message)
        case .bool(let value):
            var number: Int32 = value ? 1 : 0
            unsafe try Self.check(functions.message_append_basic(message, Kind.bool, &number))
        case .uint32(var value): unsafe try Self.check(functions.message_append_basic(message, Kind.uint32, &value))
        case .options(let options):
            unsafe try within(Kind.array, "{sv}", of: message) { () throws(BusFailure) in
                for (key, values) in options {
                    unsafe try append(key, "as", to: message) { () throws(BusFailure) in
                        unsafe try within(Kind.array, "s", of: message) { () throws(BusFailure) in
                            for value in values { unsafe try append(value, to: message) }
                        }
                    }
                }
            }
        case .flags(let flags):
            unsafe try within(Kind.array, "{sv}", of: message) { () throws(BusFailure) in
                for (key, value) in flags {
                    unsafe try append(key, "b", to: message) { () throws(BusFailure) in
                        unsafe try append(.bool(value), to: message)
                    }
                }
            }
        case .descriptors(let descriptors):
            unsafe try within(Kind.array, "h", of: message) { () throws(BusFailure) in
                for descriptor in descriptors {
                    var number = descriptor.fileDescriptor.rawValue
                    unsafe try Self.check(functions.message_append_basic(message, Kind.descriptor, &number))
                }
            }
        }
    }

    /// Appends an entry of a dictionary whose value `body` appends.
    private func append(
        _ key: String, _ contents: String, to message: OpaquePointer?, _ body: () throws(BusFailure) -> Void
    ) throws(BusFailure) {
        unsafe try within(Kind.entry, "sv", of: message) { () throws(BusFailure) in
            unsafe try append(key, to: message)
            unsafe try within(Kind.variant, contents, of: message, body)
        }
    }

    private func append(_ string: String, to message: OpaquePointer?) throws(BusFailure) {
        unsafe try Self.check(functions.message_append_basic(message, Kind.string, string))
    }

    private func within(
        _ kind: CChar, _ contents: String, of message: OpaquePointer?, _ body: () throws(BusFailure) -> Void
    ) throws(BusFailure) {
        unsafe try Self.check(functions.message_open_container(message, kind, contents))
        try body()
        unsafe try Self.check(functions.message_close_container(message))
    }

    // MARK: The connection

    private func process() {
        for _ in 0..<Self.maxMessages {
            guard unsafe bus != nil else { return }
            let result = unsafe functions.process(bus, nil)
            guard result >= 0 else { return end(.system(Errno(rawValue: -result))) }
            if result == 0 { return update() }
        }
        // sd-bus may have read more messages than it has passed on.
        timer = timers.set(.now) { [weak self] in self?.process() }
    }

    /// Waits for the events that sd-bus asks for.
    private func update() {
        guard unsafe bus != nil else { return }
        let events = unsafe functions.get_events(bus)
        guard events >= 0 else { return end(.system(Errno(rawValue: -events))) }
        registration?.interest = events & Int32(POLLOUT) != 0 ? [.readable, .writable] : .readable
    }

    private func end(_ failure: BusFailure) {
        close()
        timer = timers.set(.now) { [weak self] in
            self?.timer = nil
            self?.onEnd(failure)
        }
    }
}

/// The characters of the types in D-Bus signatures.
enum Kind {
    static let array = CChar(UInt8(ascii: "a"))
    static let bool = CChar(UInt8(ascii: "b"))
    static let entry = CChar(UInt8(ascii: "e"))
    static let descriptor = CChar(UInt8(ascii: "h"))
    static let structure = CChar(UInt8(ascii: "r"))
    static let string = CChar(UInt8(ascii: "s"))
    static let path = CChar(UInt8(ascii: "o"))
    static let uint32 = CChar(UInt8(ascii: "u"))
    static let variant = CChar(UInt8(ascii: "v"))
}
