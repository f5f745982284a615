import ArgumentParser
import BridgeClient
import LinuxSystem

struct BridgeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bridge", abstract: "Start, stop or restart the daemon.",
        subcommands: [Start.self, Stop.self, Restart.self])

    struct Start: Subcommand {
        static let configuration = CommandConfiguration(
            commandName: "start",
            abstract:
                "Start the bridge if none runs, without a display if neither DISPLAY nor WAYLAND_DISPLAY is set.")

        @OptionGroup var common: CommonFlags

        func perform(in session: Session) throws {
            try session.refusePasteboard(for: "bridge start")
            _ = try session.connect(start: .always)
        }
    }

    struct Stop: Subcommand {
        static let configuration = CommandConfiguration(
            commandName: "stop", abstract: "Stop the bridge, and wait until it has ended.")

        @OptionGroup var ending: EndingFlags
        @OptionGroup var common: CommonFlags

        func perform(in session: Session) throws {
            try session.refusePasteboard(for: "bridge stop")
            try ending.stop(try session.connect(start: .never), session)
        }
    }

    struct Restart: Subcommand {
        static let configuration = CommandConfiguration(
            commandName: "restart", abstract: "Stop the bridge if it runs, and start it again.")

        @OptionGroup var ending: EndingFlags
        @OptionGroup var common: CommonFlags

        func perform(in session: Session) throws {
            try session.refusePasteboard(for: "bridge restart")
            if let former = try Self.running(session) { try ending.stop(former, forSuccessor: true, session) }
            _ = try session.connect(start: .always)
        }

        /// Returns the running bridge; nil if there is none.
        private static func running(_ session: Session) throws(Failure) -> BridgeClient? {
            do throws(Failure) {
                return try session.connect(start: .never)
            } catch {
                guard error.status == .unavailable else { throw error }
                session.console.detail(error.message)
                return nil
            }
        }
    }
}

/// The way to stop a bridge.
struct EndingFlags: ParsableArguments {
    @Flag(help: "Kill the bridge if it does not end within --timeout; stored contents are not lost.")
    var force = false

    fileprivate func stop(_ bridge: BridgeClient, forSuccessor successor: Bool = false, _ session: Session) throws {
        if try bridge.stop(forSuccessor: successor) { return }
        guard force else { throw Failure(.silent, Self.message(process: bridge.listener)) }
        do throws(BridgeClientError) {
            let process = try bridge.kill()
            session.console.detail("the bridge, process \(process), was killed")
        } catch {
            // The bridge is silent here, and not a program that owns something.
            throw Failure(error, advice: nil)
        }
    }

    private static func message(process: Int32?) -> String {
        let isStopped = process.flatMap { ProcessState.isStopped($0) } ?? false
        let bridge = process.map { "the bridge, process \($0)," } ?? "the bridge"
        let advice = isStopped ? process.map { "let it go on (kill -CONT \($0))" } : nil
        return "\(bridge) \(isStopped ? "is stopped" : "does not answer, or does not end"); "
            + "\(advice ?? "try a longer --timeout"), or kill it by --force: stored contents are not lost"
    }
}

struct CompletionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completions", abstract: "Write the completion script for a shell.")

    @Argument(
        help: ArgumentHelp("bash, zsh or fish.", valueName: "SHELL"), completion: .list(["bash", "zsh", "fish"]))
    var shell: String

    func run() throws {
        guard ["bash", "zsh", "fish"].contains(shell) else {
            throw Failure.usage("there are completions for bash, zsh and fish, and not for '\(shell)'")
        }
        var script = XPB.completionScript(for: CompletionShell(rawValue: shell) ?? .bash)
        if shell == "bash" { script = Self.completed(script) }
        let output = StandardOutput()
        try output.write(script + "\n")
        try output.finish()
    }

    /// Adds to the script for bash what the argument library leaves out: the aliases, and the commands after `help`.
    private static func completed(_ script: String) -> String {
        let commands = XPB.configuration.subcommands.map { $0.configuration }
        let names = commands.compactMap(\.commandName)
        let aliases = commands.flatMap { command in
            command.aliases.map { "\($0)) subcommand=\(command.commandName ?? "") ;;" }
        }
        let word = #"local -r subcommand="${unparsed_words[0]}""#
        return
            script
            .replacing(
                word,
                with: """
                    local subcommand="${unparsed_words[0]}"
                        case "${subcommand}" in \(aliases.joined(separator: " ")) esac
                    """
            )
            .replacing(
                "_xpb_help() {\n",
                with: """
                    _xpb_help() {
                        COMPREPLY+=($(compgen -W '\(names.joined(separator: " "))' -- "${cur}"))

                    """)
    }
}
