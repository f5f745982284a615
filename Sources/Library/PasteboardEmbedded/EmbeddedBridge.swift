import Bridge
import BridgeServer
import LinuxSystem
public import Logging
import PasteboardWire
import Synchronization
import SystemPackage

/// The bridge inside this program, for an app that needs no daemon.
///
/// ```swift
/// import PasteboardEmbedded
///
/// try EmbeddedBridge.start()
/// try Pasteboard.general.setString("Hello")
/// ```
///
/// From ``start(display:timeout:logger:)`` to ``stop()``, the bridge holds all pasteboards of this program and is the
/// bridge of its display: X11 programs paste from it, and `xpb` and programs with the library find it like the daemon.
/// It stores nothing on disk: when it ends, the contents are lost, as they are with any X11 program. After that,
/// pasteboards are again those of the display's bridge, which is found or started.
///
/// The bridge works on its own threads and leaves the program's state as it is:
///
/// * It sets no signal handler and changes no disposition. Its threads block all signals except those of a fault.
/// * It changes neither the environment nor the working folder, and raises no limit. It uses about a dozen of the
///   program's descriptors, and a few for each of at most ``clientLimit`` connections.
/// * Xlib's handler for errors of requests (`XSetErrorHandler`) remains the program's and receives errors of the
///   program's own displays only, no matter when it is set.
/// * The bridge sets its own handler for lost connections (`XSetIOErrorHandler`), which calls the program's handler for
///   every display except the bridge's. If the program later sets another handler, the bridge puts its own on top again
///   the next time it works. So the program's handler is called for the bridge's display only if it was set while the
///   bridge was working and the X server exits during that work. This holds for the first seven handlers that are set
///   on top of one another.
/// * An X server that exits, even while its display is being opened, does not end the program.
/// * With libX11 before 1.8, a program that uses Xlib itself before it starts the bridge must first call
///   `XInitThreads`, as any program with several threads must.
/// * Once the bridge has started, `UniformType` in this program knows the types that the user declares, and the types
///   that other programs declare at the bridge.
/// * Programs that the user has set up to convert contents run as children of this program. If this program ignores
///   SIGCHLD or waits for any child, the bridge cannot wait for them, and their conversions fail.
///
/// The bridge does not work in a child of fork(2) without exec(3), which has no pasteboards.
public enum EmbeddedBridge {
    /// The display that the bridge serves.
    public enum Display: Hashable, Sendable {
        /// The display that DISPLAY names; no display if DISPLAY is unset or empty.
        case environment
        /// The display with this name, such as `:0`.
        case named(String)
        /// No display. Only programs that use the library, or `xpb`, share the pasteboards.
        case absent
    }

    /// The maximum number of connections.
    ///
    /// At the limit, a new connection replaces an idle connection of a program that has more than its share, or is
    /// refused. Connections of this program are always accepted.
    public static let clientLimit = 128

    /// Starts the bridge, and returns once the bridge is serving. Does nothing if the bridge is already running for
    /// that display.
    ///
    /// - Parameters:
    ///   - display: The display of an X server that this program may connect to.
    ///   - timeout: The time limit for the answer of the X server.
    ///   - logger: The logger for messages that the daemon would log. By default, nothing is logged.
    /// - Throws: ``EmbeddedBridgeError``. If its code is ``EmbeddedBridgeError/Code/served``, this program uses the
    ///   pasteboards of the bridge that is already running, and most programs can ignore the error.
    public static func start(
        display: Display = .environment, timeout: Duration = .seconds(5), logger: Logger? = nil
    ) throws {
        let environment = ThisProcess.environment()
        let name = display.name(in: environment)
        try transition.withLock { _ in
            if let present = running.withLock({ $0 }) {
                guard present.key == key(of: name) else {
                    throw EmbeddedBridgeError(
                        code: .runsElsewhere,
                        message: "the bridge of this program serves \(described(present.display)); stop it first")
                }
                return
            }
            var options = BridgeOptions()
            options.display = name
            options.timeout = timeout
            options.isClosed = true
            options.clientLimit = clientLimit
            options.persists = false
            let bridge: BridgeThread
            do throws(BridgeFailure) {
                bridge = try BridgeThread.start(
                    options, environment: environment,
                    logger: logger ?? Logger(label: "PasteboardEmbedded") { _ in SwiftLogNoOpLogHandler() },
                    onEnd: ended)
            } catch {
                throw EmbeddedBridgeError(error, display: name)
            }
            use(bridge, for: name)
        }
    }

    /// Stops the bridge in an orderly way, and returns once the bridge has stopped. Does nothing if no bridge is
    /// running.
    ///
    /// The bridge requests outstanding promises, hands the clipboard to the display's clipboard manager if that is
    /// another program, completes the transfers in progress, and then releases the selections. This takes at most nine
    /// seconds, and usually no noticeable time.
    public static func stop() {
        transition.withLock { _ in
            // The bridge reports its end to ``ended(_:)``.
            running.withLock({ $0 })?.bridge.stop()
        }
    }

    /// True while the bridge of this program is serving.
    ///
    /// The bridge also ends when the user replaces it with another bridge (`xpbd --replace`) or stops it
    /// (`xpb bridge stop`).
    public static var isRunning: Bool { running.withLock { $0 != nil } }

    // MARK: State

    private struct Running {
        let bridge: BridgeThread
        let display: String?
        let key: String?
    }

    private static let running = Mutex<Running?>(nil)
    /// The lock for starts and stops. ``running`` is not locked for that long, since a bridge changes ``running`` when
    /// it ends.
    private static let transition = Mutex(())

    private static func use(_ bridge: BridgeThread, for display: String?) {
        running.withLock { running in
            // The bridge may already have ended.
            guard bridge.isServing else { return }
            running = Running(bridge: bridge, display: display, key: key(of: display))
            InProcessBridge.use { () throws(PasteboardError) in try bridge.connection() }
        }
    }

    private static func ended(_ bridge: BridgeThread) {
        running.withLock { running in
            guard running?.bridge === bridge else { return }
            running = nil
            InProcessBridge.use(nil)
        }
    }

    private static func key(of display: String?) -> String? {
        display.map { DisplayName($0)?.key } ?? DisplayName.keyWithoutDisplay
    }

    fileprivate static func described(_ display: String?) -> String {
        display.map { "display '\($0)'" } ?? "no display"
    }
}

extension EmbeddedBridge.Display {
    fileprivate func name(in environment: [String: String]) -> String? {
        switch self {
        case .environment: environment["DISPLAY"].flatMap { $0.isEmpty ? nil : $0 }
        case .named(let name): name
        case .absent: nil
        }
    }
}

extension BridgeThread {
    /// Makes a connection whose other end the bridge serves, and returns this end.
    fileprivate func connection() throws(PasteboardError) -> Descriptor {
        do throws(Errno) {
            let (ours, theirs) = try UnixSocket.pair()
            if serve(theirs) { return ours }
        } catch {
            throw PasteboardError(code: .unavailable, message: "the bridge in this program cannot be reached: \(error)")
        }
        throw PasteboardError(code: .unavailable, message: "the bridge in this program has ended; try again")
    }
}

extension EmbeddedBridgeError {
    fileprivate init(_ failure: BridgeFailure, display: String?) {
        switch failure.reason {
        case .misuse: self.init(code: .setUserID, message: failure.description)
        case .unavailable: self.init(code: .unavailable, message: failure.description)
        case .locked(let process), .served(let process):
            let who = process.map { process in
                ProcessName.of(process).map { "\($0), process \(process)" } ?? "process \(process)"
            }
            let served = display == nil ? "programs without a display" : EmbeddedBridge.described(display)
            self.init(
                code: .served, message: "a bridge already serves \(served): \(who ?? "its process is not known")",
                process: process.map { Int($0) })
        }
    }
}
