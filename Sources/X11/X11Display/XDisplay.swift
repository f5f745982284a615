import CX11
import CX11Output
import LinuxSystem
package import SelectionProtocol
import Synchronization

/// The reason why a display cannot be used.
package enum DisplayFailure: Error, Sendable, Equatable {
    /// No server answers at this name, or the server refused access.
    case cannotOpen(String)
    /// The server does not support XFixes (version 1 or later), which reports changes of ownership.
    case noXFixes(String)
}

/// A connection to an X server, used only by the thread that opened it.
///
/// All calls of Xlib are in this module, in one file per subject. A call that has a reply waits for the *server*, which
/// a stopped client holding XGrabServer can block indefinitely. Only the display's own thread may therefore use this
/// type.
@safe package final class XDisplay {
    package let name: String
    /// True for the display of another machine, which is forwarded.
    package let isForwarded: Bool
    let handle: OpaquePointer
    let trap = ErrorTrap()
    let fixesEventBase: Int32
    /// The parent of this display's windows.
    package let root: WindowID
    /// The window whose property changes report the server's time. It owns no selection and receives no other events.
    let clockWindow: Window
    package var clock: WindowID { WindowID(clockWindow) }
    let clockProperty: CX11.Atom
    /// The latest time that the clock window received.
    var clockTime = ServerTime.current
    var takenEvents = EventQueue()
    /// The number of events taken since the connection was last read.
    var eventsSinceRead = 0
    /// The limit on queued events. Above it, the display ``isFlooded``.
    package var maxQueuedEvents = 100_000
    /// The approximate number of round trips to the server, which take longer the busier the server is.
    package internal(set) var roundTrips = 0
    var atomTable = AtomTable()
    /// The limit on the atoms created for names of other programs.
    package var atomLimit = Int.max
    /// The number of atoms created for names of other programs.
    package internal(set) var atomsMade = 0
    /// The limit on the length of atom names, in bytes. Longer names are not used.
    package var maxNameLength = Int.max {
        didSet { if maxNameLength != oldValue { atomTable = AtomTable() } }
    }
    /// The bits with which a client of this server numbers its windows; zero if the server does not report them.
    package let windowBits: UInt32
    /// The foreign windows on which events are selected.
    var watched: Set<WindowID> = []
    package let atoms: ProtocolAtoms
    /// The length of the longest request that the server accepts, in bytes.
    package let maximumRequest: Int

    /// Opens the display with a name such as `:0`. Blocks until the server answers or refuses the connection.
    package init(opening name: String) throws(DisplayFailure) {
        guard let handle = unsafe LossHandlers.opening({ unsafe XOpenDisplay(name) }) else { throw .cannotOpen(name) }
        self.name = name
        isForwarded = DisplayName(name)?.isForwarded ?? false
        unsafe self.handle = unsafe handle
        unsafe ErrorHandlers.register(trap, for: handle)
        var fixesEventBase: Int32 = 0
        var fixesErrorBase: Int32 = 0
        var major: Int32 = 5
        var minor: Int32 = 0
        guard unsafe XFixesQueryExtension(handle, &fixesEventBase, &fixesErrorBase) != 0,
            // A server ignores the requests of an extension until the client has sent its version.
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
        root = unsafe WindowID(XDefaultRootWindow(handle))
        clockWindow = unsafe Self.makeWindow(on: handle, parent: root, selecting: PropertyChangeMask).xlib
        clockProperty = unsafe XInternAtom(handle, "_XPB_TIME", 0)
        // The bits are not obtained from XRes, which reads its list of displays without a lock while other threads
        // close their displays.
        windowBits = unsafe UInt32(truncatingIfNeeded: x11_resource_mask(UnsafeMutableRawPointer(handle)))
        let extended = unsafe XExtendedMaxRequestSize(handle)
        maximumRequest = 4 * (unsafe extended > 0 ? extended : XMaxRequestSize(handle))
        atoms = unsafe AtomTable.protocolAtoms(of: handle)
    }

    deinit {
        // After a lost connection, this frees Xlib's memory and sends nothing. Otherwise, it waits for the server one
        // last time, and pending errors arrive. The trap must exist until then, because Xlib's own handler would end
        // the process.
        unsafe XCloseDisplay(handle)
        unsafe ErrorHandlers.unregister(trap, for: handle)
    }

    /// The connection's descriptor. A readable descriptor does not imply an event: see ``nextEvent()``.
    package var fileDescriptor: Int32 { unsafe XConnectionNumber(handle) }

    /// True once the server is gone. Every call then does nothing, and must check this itself: on a dead connection
    /// libX11 1.8.4 leaves its output buffer full, and a request that no longer fits dereferences a null pointer.
    package var isBroken: Bool { trap.isBroken }

    /// The name of the manager selection that the bridge of this display owns.
    package var bridgeSelection: String {
        DisplayName(name)?.bridgeSelection(ofScreen: screen) ?? "_XPB_S\(screen)"
    }

    /// The number of the default screen, which is part of the names of its manager selections.
    package var screen: Int { Int(unsafe XDefaultScreen(handle)) }

    /// Restores the precedence of ``LossHandlers``. Call this whenever the display's thread starts to work.
    package func takeHandlerPrecedence() { LossHandlers.takePrecedence() }

    /// Prepares for a process that belongs to another program, which may use Xlib on its own threads and must not end
    /// when a server does. Call this before the first display is opened.
    ///
    /// Since version 1.8, libX11 locks the data shared by its displays by default. In older versions this call enables
    /// the locks, and must come before the program's own first call of Xlib.
    package static func prepareForHostProcess() {
        LossHandlers.isEmbedded.store(true, ordering: .relaxed)
        XInitThreads()
    }

    /// Sends buffered requests.
    package func flush() {
        guard !isBroken else { return }
        unsafe XFlush(handle)
    }

    /// Sends buffered requests and wipes the buffer, in which Xlib leaves them until later requests overwrite them.
    package func flushAndWipe() {
        if !isBroken { unsafe XFlush(handle) }
        unsafe x11_wipe_output(UnsafeMutableRawPointer(handle), isBroken ? 1 : 0)
    }

    /// Waits until the server has processed everything sent.
    package func synchronize() {
        guard !isBroken else { return }
        roundTrips += 1
        unsafe XSync(handle, 0)
    }

    /// Returns the foreign windows for which a request has failed since the last call, because they are gone.
    package func removeFailedWindows() -> [WindowID] {
        trap.forget(upTo: unsafe XLastKnownRequestProcessed(handle))
        return trap.takeFailed()
    }

    /// Records that the next request is about a window that may no longer exist.
    func expectError(on window: WindowID) {
        trap.expect(serial: unsafe XNextRequest(handle), window: window)
    }
}
