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
    /// The first argument of the process. The second is the number of the window.
    package static let argument = "_paste"

    /// The descriptor of the pipe that closes when the command ends.
    private static let endNumber: Int32 = 3
    private static let timeout = Duration.seconds(5)

    static func start(pastingInto window: UInt32, in session: Session) throws(Failure) {
        var environment = session.environment
        if let display = session.common.display { environment["DISPLAY"] = display }
        do {
            let (reading, writing) = try Descriptor.pipe()
            let program = try ThisProcess.executablePath()
            try ChildProcess.spawnDetached(
                executable: program, arguments: [program, argument, String(window)], environment: environment,
                passing: [(reading.fileDescriptor, endNumber)])
            // The duplicate stays open as long as this process exists.
            _ = try writing.fileDescriptor.duplicate()
        } catch {
            throw Failure(.refused, "the process that pastes cannot be started: \(error)")
        }
    }

    /// - Parameter arguments: The arguments after ``argument``.
    package static func run(_ arguments: some Sequence<String>) -> ExitStatus {
        let numbers = arguments.map { UInt32($0) }
        guard numbers.count == 1, let window = numbers[0], fcntl(endNumber, F_GETFD) >= 0 else {
            Console(isQuiet: false, isVerbose: false).say("\(argument) is internal: xpb runs it to paste")
            return .usage
        }
        Signal.ignore(.brokenPipe)
        let end = Descriptor(adopting: FileDescriptor(rawValue: endNumber))
        do {
            let target = try PasteTarget(window, environment: ThisProcess.environment(), timeout: timeout)
            _ = try end.fileDescriptor.readToEnd()
            try target.paste()
            return .done
        } catch {
            return .broken
        }
    }
}
