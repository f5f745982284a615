import ArgumentParser
import LinuxSystem
import SystemPackage

/// `xpb with`.
struct WithCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "with", abstract: "Run a command, then restore what was there.",
        discussion: """
            All that is on the pasteboard is fetched before, and put back when the command has ended, failed or been \
            interrupted: SIGINT, SIGTERM, SIGHUP and SIGQUIT go to the command. Nothing is put back where nothing \
            changed. The exit status is that of the command, 128 and the signal's number where one ended it.
            """)

    @OptionGroup var common: CommonFlags

    @Argument(parsing: .postTerminator, help: ArgumentHelp("The command, behind --.", valueName: "COMMAND"))
    var command: [String] = []

    func validate() throws {
        if command.isEmpty { throw ValidationError("no command was given; put it behind --, like: xpb with -- make") }
    }

    func perform(in session: Session) throws {
        let kept = try session.pasteboards().map { try PasteboardBackup($0, in: session) }
        let end = try run(session)
        try session.forEach(kept.map(\.pasteboard)) { pasteboard in
            try kept.first { $0.pasteboard == pasteboard }?.restore(in: session)
        }
        switch end {
        case .exited(0): break
        case .exited(let status): throw Failure(ExitStatus(rawValue: status), "")
        case .killed(let signal): throw Failure(ExitStatus(rawValue: 128 + signal), "")
        }
    }

    /// Runs the command in the terminal's foreground, as it would run without us, and passes signals on to it.
    private func run(_ session: Session) throws(Failure) -> ChildProcess.End {
        do {
            // Before the command is there, so that none gets lost. They stay blocked: nothing interrupts the restoring.
            let signals = try SignalDescriptor([.interrupt, .terminate, .hangup, .quit])
            let process = try ChildProcess.spawn(
                command: command, environment: session.environment, standardInput: .standardInput)
            let end = try ChildProcess.endDescriptor(of: process)
            while true {
                var set = PollSet()
                set.append(signals.fileDescriptor, .input)
                set.append(end.fileDescriptor, .input)
                _ = try set.wait(until: nil)
                while let (signal, isFromKernel) = signals.nextWithOrigin() {
                    // One from the keyboard has reached the command already.
                    if !isFromKernel { ChildProcess.send(signal, to: process) }
                }
                if set.result(at: 1) != [] { return try ChildProcess.wait(for: process) }
            }
        } catch {
            throw .usage("\(command[0]) cannot be run: \(error)")
        }
    }
}
