import CX11
import Synchronization

/// Xlib has one error handler for the whole process. This one looks the display up, and hands what is not ours to the
/// handler that the program had before, so that a program which embeds the bridge keeps its own.
enum ErrorHandlers {
    private typealias Handler = @convention(c) (OpaquePointer?, UnsafeMutablePointer<XErrorEvent>?) -> Int32

    private typealias LossHandler = @convention(c) (OpaquePointer?) -> Int32

    @safe private struct Registry {
        // A function pointer cannot be checked; it is only called, and never freed.
        /// By the address of the display.
        var traps: [UInt: ErrorTrap] = [:]
        var isInstalled = false
        @safe var previous: Handler?
        @safe var previousForConnections: LossHandler?
    }

    private static let registry = Mutex(Registry())

    /// From now on, errors of that display go to the trap, and the loss of its connection ends nothing.
    static func register(_ trap: ErrorTrap, for display: OpaquePointer) {
        let address = UInt(bitPattern: display)
        registry.withLock { registry in
            registry.traps[address] = trap
            guard !registry.isInstalled else { return }
            registry.isInstalled = true
            unsafe registry.previous = XSetErrorHandler { unsafe ErrorHandlers.handle($0, $1) }
            // Xlib prints "X connection broken" and exits unless both handlers are there. A server that dies while
            // XOpenDisplay talks to it ends the process all the same: its display cannot be known yet.
            unsafe registry.previousForConnections = XSetIOErrorHandler { unsafe ErrorHandlers.handleLoss($0) }
        }
        unsafe XSetIOErrorExitHandler(
            display,
            { display, _ in unsafe ErrorHandlers.trap(for: display)?.breakDown() }, nil)
    }

    /// The display is closed. Its address may be another one's by now, which is left alone.
    static func unregister(_ trap: ErrorTrap, for display: OpaquePointer) {
        let address = UInt(bitPattern: display)
        registry.withLock { registry in
            if registry.traps[address] === trap { registry.traps[address] = nil }
        }
    }

    private static func trap(for display: OpaquePointer?) -> ErrorTrap? {
        let address = UInt(bitPattern: display)
        return registry.withLock { $0.traps[address] }
    }

    private static func handle(_ display: OpaquePointer?, _ event: UnsafeMutablePointer<XErrorEvent>?) -> Int32 {
        if let trap = unsafe trap(for: display) {
            // Of the errors about a window these say that it is gone. A BadAtom, say, is about the atom.
            if let error = unsafe event?.pointee, unsafe [BadWindow, BadDrawable].contains(Int32(error.error_code)) {
                trap.record(serial: unsafe error.serial)
            }
            return 0
        }
        let previous = unsafe registry.withLock { $0.previous }
        return unsafe previous?(display, event) ?? 0
    }

    private static func handleLoss(_ display: OpaquePointer?) -> Int32 {
        if unsafe trap(for: display) != nil { return 0 }
        let previous = unsafe registry.withLock { $0.previousForConnections }
        return unsafe previous?(display) ?? 0
    }
}
