import CX11
import Synchronization

/// What Xlib tells of errors, taken by display, so that a program which embeds the bridge keeps its own handlers.
///
/// An *error of a request* goes to a function of the display's own (XESetWireToError), which Xlib asks before the handler of
/// the whole process. So XSetErrorHandler is not called here: whichever handler the program has, and whenever it sets it,
/// gets the errors of its own displays and none of ours. See ``LossHandlers`` for the loss of a connection.
enum ErrorHandlers {
    /// By the address of the display.
    private static let traps = Mutex<[UInt: ErrorTrap]>([:])

    /// From now on, errors of that display go to the trap, and the loss of its connection ends nothing.
    static func register(_ trap: ErrorTrap, for display: OpaquePointer) {
        let address = UInt(bitPattern: display)
        traps.withLock { $0[address] = trap }
        // The codes of extensions are the server's to choose. 0 is that of no error.
        for code in 1...Int32(UInt8.max) {
            _ = unsafe XESetWireToError(display, code) { display, event, _ in
                unsafe ErrorHandlers.take(event, of: display)
                // Nothing is left for the process's handler.
                return 0
            }
        }
        LossHandlers.takePrecedence()
        unsafe XSetIOErrorExitHandler(
            display,
            { display, _ in unsafe ErrorHandlers.trap(for: display)?.breakDown() }, nil)
    }

    /// The display is closed. Its address may be another one's by now, which is left alone.
    static func unregister(_ trap: ErrorTrap, for display: OpaquePointer) {
        let address = UInt(bitPattern: display)
        traps.withLock { traps in
            if traps[address] === trap { traps[address] = nil }
        }
    }

    /// The trap of a display; nil where it is the program's own.
    static func trap(for display: OpaquePointer?) -> ErrorTrap? {
        let address = UInt(bitPattern: display)
        return traps.withLock { $0[address] }
    }

    private static func take(_ event: UnsafeMutablePointer<XErrorEvent>?, of display: OpaquePointer?) {
        // Of the errors about a window these say that it is gone. A BadAtom, say, is about the atom.
        guard let error = unsafe event?.pointee, unsafe [BadWindow, BadDrawable].contains(Int32(error.error_code))
        else {
            return
        }
        unsafe trap(for: display)?.record(serial: error.serial)
    }
}
