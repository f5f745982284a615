import Bridge
import LinuxSystem
public import Logging
import PasteboardWire
import Synchronization
import SystemPackage

/// The bridge inside this program, for an app that wants no daemon.
///
/// ```swift
/// import PasteboardEmbedded
///
/// try EmbeddedBridge.start()
/// try Pasteboard.general.setString("Hello")
/// ```
///
/// From ``start(display:timeout:logger:)`` to ``stop()``, all pasteboards of this program are kept by it, and it is the
/// bridge of its display: X11 programs paste from it, and `xpb` and programs with the library find it as they would find the
/// daemon. Nothing is kept beyond that, on disk or elsewhere: when it ends, what was copied here is gone, as it is with any
/// X11 program. Afterwards pasteboards are again those of the bridge of the display, which is found or started.
///
/// The bridge works on threads of its own and leaves the program as it is:
///
/// * It sets no signal handler and changes no disposition; its threads block all signals but those of a fault.
/// * It changes neither the environment nor the working folder, and raises no limit. Of the program's descriptors it needs
///   about a dozen, and a few for each of at most ``clientLimit`` connections.
/// * Xlib's handler for errors of requests (`XSetErrorHandler`) stays the program's own, and hears of the program's own
///   displays only, whenever it is set. The one for lost connections (`XSetIOErrorHandler`) is set above the program's, and
///   hands it the loss of every display but the bridge's. One that the program sets later is below the bridge's again as
///   soon as the bridge has something to do, if that is the end of its X server: only a server that ends while the bridge is
///   in the middle of its work may be told to it. This holds for the first seven that are set above one another.
/// * An X server that goes away, even while it is being opened, does not end the program.
/// * With libX11 before 1.8, a program that uses Xlib itself and starts the bridge later calls `XInitThreads` first, as any
///   with several threads does.
/// * The user's declarations of types hold for `UniformType` in this program from then on, as do those that other programs
///   declare at the bridge.
/// * Programs that the user has set up to convert contents run as children of this one. One that ignores SIGCHLD, or waits
///   for any child, keeps them from being waited for: their conversions fail then.
///
/// A bridge does not outlive fork(2): a child that goes on without exec(2) has no pasteboards.
public enum EmbeddedBridge {
    /// What display the bridge is for.
    public enum Display: Hashable, Sendable {
        /// The one that DISPLAY names; none where it is not set or empty.
        case environment
        /// The one of that name, such as `:0`.
        case named(String)
        /// None: pasteboards are those of programs that use the library or `xpb`.
        case absent
    }

    /// With so many connections one more of another program takes the place of an idle one beyond its program's share, or is
    /// refused. Those of this program are always taken.
    public static let clientLimit = 128

    /// Starts the bridge, and returns when it serves. Where it runs for that display already, it does nothing.
    ///
    /// - Parameters:
    ///   - display: Of an X server that this program may connect to.
    ///   - timeout: How long the X server may take.
    ///   - logger: Told what a daemon would log. Nothing is logged by default.
    /// - Throws: ``EmbeddedBridgeError``. With code ``EmbeddedBridgeError/Code/served``, pasteboards are those of the bridge
    ///   that is there, and most programs go on.
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
            let options = BridgeOptions(
                display: name, timeout: timeout, isClosed: true, clientLimit: clientLimit,
                persists: false)
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

    /// Ends the bridge in order: what was promised is asked for, the display's clipboard manager is given what is on the
    /// clipboard, if it is another program, and what is being sent is brought to its end, then the selections are given up.
    /// That takes at most nine seconds, and as a rule no time. Where none runs, it does nothing.
    public static func stop() {
        transition.withLock { _ in
            // It says itself that it has ended.
            running.withLock({ $0 })?.bridge.stop()
        }
    }

    /// Whether the bridge of this program serves. It ends by itself when the user has another one take over
    /// (`xpbd --replace`) or stops it (`xpb bridge stop`).
    public static var isRunning: Bool { running.withLock { $0 != nil } }

    // MARK: State

    private struct Running {
        let bridge: BridgeThread
        let display: String?
        let key: String?
    }

    private static let running = Mutex<Running?>(nil)
    /// One start or stop at a time. ``running`` is not held for so long: the bridge that ends changes it.
    private static let transition = Mutex(())

    private static func use(_ bridge: BridgeThread, for display: String?) {
        running.withLock { running in
            // It may have ended since.
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
        display.map { DisplayName($0)?.key } ?? DisplayName.keyOfNone
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
    /// One end of a connection whose other end it serves.
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
