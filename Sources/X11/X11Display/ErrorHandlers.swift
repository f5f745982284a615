import CX11
import Synchronization

/// Handlers of Xlib's errors for each display, so that a program which embeds the bridge keeps its own handlers.
///
/// An *error of a request* goes to a function of the display itself (XESetWireToError), which Xlib calls before the
/// handler of the whole process. XSetErrorHandler is therefore not called here: the program's own handler, whenever it
/// is set, gets the errors of the program's displays, and no errors of the bridge's displays. For the loss of a
/// connection see ``LossHandlers``.
enum ErrorHandlers {
    /// The traps by the address of their display.
    private static let traps = Mutex<[UInt: ErrorTrap]>([:])

    /// Sends the errors of this display to the trap, and prevents the loss of its connection from ending the process.
    static func register(_ trap: ErrorTrap, for display: OpaquePointer) {
        let address = UInt(bitPattern: display)
        traps.withLock { $0[address] = trap }
        // The error codes of extensions are chosen by the server. Code 0 is not an error.
        for code in 1...Int32(UInt8.max) {
            _ = unsafe XESetWireToError(display, code) { display, event, _ in
                unsafe ErrorHandlers.record(event, of: display)
                // Zero means that the process's handler is not called.
                return 0
            }
        }
        LossHandlers.takePrecedence()
        unsafe XSetIOErrorExitHandler(
            display,
            { display, _ in unsafe ErrorHandlers.trap(for: display)?.markBroken() }, nil)
    }

    /// Removes the trap of a closed display. If the address already belongs to another display, that display's trap
    /// stays.
    static func unregister(_ trap: ErrorTrap, for display: OpaquePointer) {
        let address = UInt(bitPattern: display)
        traps.withLock { traps in
            if traps[address] === trap { traps[address] = nil }
        }
    }

    /// Returns the trap of a display; nil for a display of the embedding program.
    static func trap(for display: OpaquePointer?) -> ErrorTrap? {
        let address = UInt(bitPattern: display)
        return traps.withLock { $0[address] }
    }

    private static func record(_ event: UnsafeMutablePointer<XErrorEvent>?, of display: OpaquePointer?) {
        // Only these errors mean that the window is gone; a BadAtom, for example, is about an atom.
        guard let error = unsafe event?.pointee, unsafe [BadWindow, BadDrawable].contains(Int32(error.error_code))
        else {
            return
        }
        unsafe trap(for: display)?.record(serial: error.serial)
    }
}
