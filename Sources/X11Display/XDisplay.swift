import CX11
import CX11Output
package import SelectionProtocol
import Synchronization

/// Why a display cannot be used.
package enum DisplayFailure: Error, Sendable, Equatable {
    /// Nobody answers at that name, or access is refused.
    case cannotOpen(String)
    /// The server has no XFixes (version 1 or later), without which changes of ownership cannot be seen.
    case noXFixes(String)
}

/// A connection to an X server, used by the one thread that opened it.
///
/// Everything Xlib is called for is in this module; the parts stand in files of their own. A call that has an answer
/// waits for the *server*, which a stopped client that holds XGrabServer can delay without end: so nothing but the
/// display's own thread may use it.
@safe package final class XDisplay {
    /// The name it was opened by.
    package let name: String
    let handle: OpaquePointer
    let trap = ErrorTrap()
    let fixesEventBase: Int32
    /// Parent of our windows.
    let root: Window
    /// Gets the times; owns nothing, and receives nothing else.
    let clockWindow: Window
    let clockProperty: CX11.Atom
    /// What it told last.
    var clockTime = ServerTime.current
    var takenEvents = EventQueue()
    /// Events that were taken since the connection was read last.
    var sinceReading = 0
    /// With more events in the process it is ``isFlooded``.
    package var mostQueued = 100_000
    /// How often the server was asked for something and waited for, more or less: what takes the more time the busier the
    /// server is.
    package internal(set) var exchanges = 0
    var atomTable = AtomTable()
    /// So many names of others are made atoms at most.
    package var atomLimit = Int.max
    /// How many were.
    package internal(set) var atomsMade = 0
    /// Names of atoms are of no use beyond this length, in bytes.
    package var longestName = Int.max {
        didSet { if longestName != oldValue { atomTable = AtomTable() } }
    }
    /// The bits that a client of this server numbers its windows by; none where the server does not say.
    package let windowBits: UInt32
    /// The foreign windows on which something is selected.
    var watched: Set<WindowID> = []
    package let atoms: ProtocolAtoms
    /// The longest request the server takes, in bytes.
    package let maximumRequest: Int

    /// Opens the display of that name, `:0`. Blocks until the server answers or its connection is refused.
    package init(opening name: String) throws(DisplayFailure) {
        guard let handle = unsafe LossHandlers.opening({ unsafe XOpenDisplay(name) }) else { throw .cannotOpen(name) }
        self.name = name
        unsafe self.handle = unsafe handle
        unsafe ErrorHandlers.register(trap, for: handle)
        var fixesEventBase: Int32 = 0
        var fixesErrorBase: Int32 = 0
        var major: Int32 = 5
        var minor: Int32 = 0
        guard unsafe XFixesQueryExtension(handle, &fixesEventBase, &fixesErrorBase) != 0,
            // A server answers no request of an extension before its client has told its version.
            unsafe XFixesQueryVersion(handle, &major, &minor) != 0, major >= 1
        else {
            unsafe XCloseDisplay(handle)
            unsafe ErrorHandlers.unregister(trap, for: handle)
            throw .noXFixes(name)
        }
        self.fixesEventBase = fixesEventBase
        let kinds = [
            SelectionNotify, SelectionRequest, SelectionClear, PropertyNotify, DestroyNotify,
            fixesEventBase + XFixesSelectionNotify,
        ]
        unsafe x11_queue_only(UnsafeMutableRawPointer(handle), kinds, Int32(kinds.count))
        root = unsafe XDefaultRootWindow(handle)
        clockWindow = unsafe Self.makeWindow(on: handle, parent: root, selecting: PropertyChangeMask)
        clockProperty = unsafe XInternAtom(handle, "_XPB_TIME", 0)
        // Not asked of XRes: its list of displays in the process is read without a lock, while others are closed.
        windowBits = unsafe UInt32(truncatingIfNeeded: x11_resource_mask(UnsafeMutableRawPointer(handle)))
        let extended = unsafe XExtendedMaxRequestSize(handle)
        maximumRequest = 4 * (unsafe extended > 0 ? extended : XMaxRequestSize(handle))
        atoms = unsafe AtomTable.protocolAtoms(of: handle)
    }

    deinit {
        // After a lost connection this frees what Xlib holds, and sends nothing. Else it waits for the server once more,
        // and outstanding errors come: the trap is there until then, since Xlib's own handler would end the process.
        unsafe XCloseDisplay(handle)
        unsafe ErrorHandlers.unregister(trap, for: handle)
    }

    /// The connection's descriptor. Readable is not the same as an event: see ``nextEvent()``.
    package var fileDescriptor: Int32 { unsafe XConnectionNumber(handle) }

    /// Whether the server is gone. Every call does nothing then, and has to see to that itself: on a dead connection
    /// libX11 1.8.4 leaves its buffer full, and the request that does not fit any more reads from a null pointer.
    package var isBroken: Bool { trap.isBroken }

    /// The number of the default screen, which names its manager selections.
    package var screen: Int { Int(unsafe XDefaultScreen(handle)) }

    /// To be called whenever the display's thread begins to work: see ``LossHandlers``.
    package func keepHandlers() { LossHandlers.takePrecedence() }

    /// To be called before the first display where the process is not ours but a program's, which uses Xlib on threads of
    /// its own, maybe, and must not end because a server does.
    ///
    /// Xlib guards what its displays share by itself since libX11 1.8. With an older one it is told to, and has to be before
    /// the program's own first call.
    package static func becomeGuest() {
        LossHandlers.isGuest.store(true, ordering: .relaxed)
        XInitThreads()
    }

    /// Sends what is buffered.
    package func flush() {
        guard !isBroken else { return }
        unsafe XFlush(handle)
    }

    /// Sends what is buffered, and overwrites what the buffer had: Xlib leaves it there until later requests take its place.
    package func flushAndWipe() {
        if !isBroken { unsafe XFlush(handle) }
        unsafe x11_wipe_output(UnsafeMutableRawPointer(handle), isBroken ? 1 : 0)
    }

    /// Waits until the server has dealt with everything sent.
    package func synchronize() {
        guard !isBroken else { return }
        exchanges += 1
        unsafe XSync(handle, 0)
    }

    /// The foreign windows that a request failed on since the last call: they are gone.
    package func takeFailedWindows() -> [WindowID] {
        trap.forget(upTo: unsafe XLastKnownRequestProcessed(handle))
        return trap.takeFailed()
    }

    /// The next request is about a window that may not exist any more.
    func expectError(on window: WindowID) {
        trap.expect(serial: unsafe XNextRequest(handle), window: window)
    }
}
