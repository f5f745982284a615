package import LinuxSystem
import SystemPackage

/// A query of a terminal's support for pictures.
package enum TerminalProbe {
    /// The timeout for the terminal's answer. A terminal that takes longer counts as one without pictures.
    package static let timeout = Duration.milliseconds(100)
    /// The time for which replies may still arrive through ssh. They are discarded, so that they do not appear on the
    /// next command line.
    private static let lateTimeout = Duration.seconds(1)

    /// The signals that could end or stop the process while the terminal is in another mode.
    private static let signals: [Signal] = [.hangup, .interrupt, .quit, .terminate, .terminalStop]

    /// Returns true for a terminal that can be asked. A dumb one cannot, and older Linux consoles print a part of the
    /// query.
    package static func canAsk(environment: [String: String]) -> Bool {
        ![nil, "", "dumb", "linux"].contains(environment["TERM"])
    }

    /// Asks the terminal which pictures it can show; nil if it does not answer. The terminal's mode is restored.
    /// Nothing is asked from the background, or while there is unread input, which is for the next program.
    package static func support(of terminal: TerminalDevice, environment: [String: String]) -> PictureSupport? {
        guard canAsk(environment: environment), terminal.isForeground else { return nil }
        let isRemote = environment["SSH_CONNECTION"] != nil
        let replies = SignalMask.blocking(signals) { ask(terminal, isRemote: isRemote) }
        return replies.flatMap { PictureSupport($0, size: terminal.size) }
    }

    private static func ask(_ terminal: TerminalDevice, isRemote: Bool) -> TerminalReplies? {
        var replies = TerminalReplies()
        do throws(Errno) {
            try terminal.makeRaw(keepsSignals: true)
            guard try !waitReadable(terminal.fileDescriptor, until: .now) else {
                terminal.restore()
                return nil
            }
            let start = ContinuousClock.now
            try terminal.fileDescriptor.writeBytes(Array(TerminalReplies.query.utf8))
            try read(terminal, until: start + timeout, into: &replies)
            if replies.isComplete {
                terminal.restore()
                return replies
            }
            var late = replies
            if isRemote { try read(terminal, until: start + lateTimeout, into: &late) }
        } catch {
            // The terminal is gone.
        }
        terminal.restore(discardsInput: true)
        return nil
    }

    private static func read(
        _ terminal: TerminalDevice, until deadline: ContinuousClock.Instant, into replies: inout TerminalReplies
    ) throws(Errno) {
        while !replies.isComplete, try waitReadable(terminal.fileDescriptor, until: deadline) {
            let bytes = try terminal.fileDescriptor.readBytes(atMost: 4_096)
            if bytes.isEmpty { return }
            replies.feed(bytes)
        }
    }
}
