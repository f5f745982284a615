package import CommandCore
import Glibc
import LinuxSystem
import SystemPackage

/// The helper process of `xpb pick --paste`: it types the keys to paste after the command has ended, because the
/// command's terminal has the focus until then.
///
/// The process runs this program in a session of its own. Nobody reads its messages: if the window does not get the
/// focus back in time, nothing is typed, and the entry stays on the pasteboard.
package enum PasteHelper {
    /// The first argument of the process. The second is the window.
    package static let argument = "_paste"

    /// The window that the process pastes into.
    enum Window: RawRepresentable {
        /// A window of an X server, by its number.
        case numbered(UInt32)
        /// The window of a Wayland session that becomes active once the active window is closed.
        case next

        var rawValue: String {
            switch self {
            case .numbered(let number): String(number)
            case .next: "next"
            }
        }

        init?(rawValue: String) {
            if rawValue == Window.next.rawValue {
                self = .next
            } else if let number = UInt32(rawValue) {
                self = .numbered(number)
            } else {
                return nil
            }
        }
    }

    /// The descriptor of the pipe that closes when the command ends.
    private static let endNumber: Int32 = 3
    /// The descriptor of the pipe that the process closes once it is ready, perhaps after the reason why it is not.
    private static let readyNumber: Int32 = 4
    private static let timeout = Duration.seconds(5)

    /// Starts the process, and waits until it is ready.
    static func start(pastingInto window: Window, in session: Session) throws(Failure) {
        var environment = session.environment
        if let display = session.common.display { environment["DISPLAY"] = display }
        let obstacle: [UInt8]
        do {
            let end = try Descriptor.pipe()
            let (ready, isReady) = try Descriptor.pipe()
            let program = try ThisProcess.executablePath()
            try ChildProcess.spawnDetached(
                executable: program, arguments: [program, argument, window.rawValue], environment: environment,
                passing: [(end.reading.fileDescriptor, endNumber), (isReady.fileDescriptor, readyNumber)])
            // The duplicate stays open as long as this process exists.
            _ = try end.writing.fileDescriptor.duplicate()
            _ = consume isReady
            obstacle = try ready.fileDescriptor.readToEnd()
        } catch {
            throw Failure(.refused, "the process that pastes cannot be started: \(error)")
        }
        guard obstacle.isEmpty else { throw .pasteNotPossible(String(decoding: obstacle, as: UTF8.self)) }
    }

    /// - Parameter arguments: The arguments after ``argument``.
    package static func run(_ arguments: some Sequence<String>) -> ExitStatus {
        let windows = arguments.map { Window(rawValue: $0) }
        guard windows.count == 1, let window = windows[0], fcntl(endNumber, F_GETFD) >= 0,
            fcntl(readyNumber, F_GETFD) >= 0
        else {
            Console(isQuiet: false, isVerbose: false).say("\(argument) is internal: xpb runs it to paste")
            return .usage
        }
        Signal.ignore(.brokenPipe)
        let end = Descriptor(adopting: FileDescriptor(rawValue: endNumber))
        do throws(Failure) {
            let target = try ready { () throws(Failure) in try self.target(window) }
            _ = try? end.fileDescriptor.readToEnd()
            try target.awaitWindow()
            // The command would have had to copy to PRIMARY before it ended.
            if window == .next, target.keys.pastesPrimary { return .broken }
            try target.paste()
            return .done
        } catch {
            return .broken
        }
    }

    private static func target(_ window: Window) throws(Failure) -> any PasteTarget {
        let environment = ThisProcess.environment()
        switch window {
        case .numbered(let number):
            return try XPasteTarget(number, environment: environment, timeout: timeout)
        case .next:
            guard let name = WaylandName(environment: environment) else {
                throw .pasteNotPossible("WAYLAND_DISPLAY is not set")
            }
            return try WaylandPasteTarget.afterActive(on: CompositorConnection(to: name, timeout: timeout))
        }
    }

    /// Calls `prepare`, and tells the command the outcome.
    private static func ready<Result>(_ prepare: () throws(Failure) -> Result) throws(Failure) -> Result {
        let pipe = Descriptor(adopting: FileDescriptor(rawValue: readyNumber))
        do throws(Failure) {
            return try prepare()
        } catch {
            try? pipe.fileDescriptor.writeBytes(Array(error.message.utf8))
            throw error
        }
    }
}
