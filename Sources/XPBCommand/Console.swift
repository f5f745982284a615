import LinuxSystem
import SystemPackage

/// Messages for the user, on standard error. Nothing that goes wrong there can be told to anybody.
struct Console: Sendable {
    let isQuiet: Bool
    let isVerbose: Bool

    /// What the user has to know.
    func say(_ message: String) {
        guard !isQuiet, !message.isEmpty else { return }
        try? FileDescriptor.standardError.writeBytes(Array("xpb: \(Line.visible(message))\n".utf8))
    }

    /// What is of interest to who asks for more.
    func detail(_ message: @autoclosure () -> String) {
        if isVerbose { say(message()) }
    }
}
