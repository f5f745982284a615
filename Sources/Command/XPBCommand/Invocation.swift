import ArgumentParser
import BridgeClient
package import CommandCore
import Commands
import Configuration
package import FastPath
import LinuxSystem
import PasteboardWire
import Pasting
import SystemPackage

/// One run of `xpb`.
///
/// A line is parsed by one of two grammars: that of the fast path, for lines that scripts call over and over, or that
/// of the argument library, which takes ten times as long as the rest of a small `get`.
package enum Invocation {
    /// - Parameter arguments: Without the program's name.
    package static func run(_ arguments: [String], after outcome: FastPath.Outcome = .declined()) -> ExitStatus {
        if case .noBridge(let call) = outcome { return start(call) }
        if let line = outcome.line { return perform(line, after: outcome) }
        switch arguments.first {
        case PromiseHelper.argument: return PromiseHelper.run(arguments.dropFirst())
        case PasteHelper.argument: return PasteHelper.run(arguments.dropFirst())
        default: break
        }
        do {
            if arguments.isEmpty, StandardDescriptors.hasUnreadInput(after: .seconds(1)) {
                throw Failure.usage("nothing was copied; 'xpb set' copies standard input")
            }
            if arguments == ["help", HelpPage.topic] {
                try write(
                    HelpPage.commonOptions(
                        from: XPB.helpMessage(for: CountCommand.self, columns: HelpPage.columns(of: StandardOutput()))))
                return .done
            }
            // The argument library would write the general help for any word after `help`.
            if arguments.first == "help", let unknown = CommandPath(arguments.dropFirst()).problem {
                throw Failure.usage(unknown)
            }
            let line = SourceLine(normalized(arguments))
            switch try XPB.parseAsRoot(line.arguments) {
            case let command as any SourceCommand:
                let common = command.common.options(on: command.pasteboards.names)
                // A bare word may be a filename extension of the user or of the desktop.
                if command.sources.type.contains(where: SetOptions.isBareWord) { Session(common).installTypes() }
                let options = try SetOptions(command, line.sources)
                return perform(common) { try SetCommand.perform(options, in: $0) }
            case let command as any Subcommand:
                return perform(command.commonOptions) { try command.perform(in: $0) }
            case var command:
                try command.run()
                return .done
            }
        } catch {
            return report(error, arguments)
        }
    }

    /// Rewrites arguments that the argument library would misread: the empty value of `--name=` becomes a separate
    /// argument, and a value of `--text` that begins with a dash is attached to the option, so that it remains a value.
    /// The other words for `--version` become that option.
    package static func normalized(_ arguments: [String]) -> [String] {
        if arguments == ["version"] || arguments == ["-V"] { return ["--version"] }
        var normalized: [String] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            normalized.append(argument)
            if argument == "--" { return normalized + rest }
            if argument.hasPrefix("--"), argument.firstIndex(of: "=") == argument.indices.last {
                normalized[normalized.count - 1].removeLast()
                normalized.append("")
            } else if argument == "--text", let value = rest.popFirst() {
                if value.hasPrefix("-") { normalized.removeLast() }
                normalized.append(value.hasPrefix("-") ? "--text=\(value)" : value)
            }
        }
        return normalized
    }

    // MARK: Lines of the fast path

    /// Finds or starts a bridge for a line of the fast path that reached no bridge, and lets the fast path continue.
    ///
    /// - Parameter budget: The limit on further attempts; nil for the first one.
    private static func start(_ call: FastPath.PendingCall, within budget: RepeatBudget? = nil) -> ExitStatus {
        let session = Session(CommonOptions(call.line))
        var budget = budget ?? RepeatBudget(timeout: session.timeout.duration)
        do throws(Failure) {
            while true {
                let client = try session.connect()
                // The fast path passes descriptors.
                guard client.passesDescriptors else {
                    return perform(call.line, after: .declined(call.line, read: call.standardInput))
                }
                let outcome = FastPath.send(call, on: client.socket, listeningAt: client.path)
                switch outcome {
                case .done(let wrote, let quiet): return finish(wrote: wrote, quiet: quiet)
                case .noBridge where budget.take(): continue
                case .noBridge: throw Failure(BridgeClientError(wire: ClientFault.closed))
                case .declined, .sent: return perform(call.line, after: outcome, within: budget)
                }
            }
        } catch {
            if call.line.command == .set, TerminalClipboard(session).isInPlaceOfBridge(after: error) {
                return perform(call.line, after: .declined(call.line, read: call.standardInput))
            }
            session.console.say(error.explained().message)
            return error.status
        }
    }

    /// Carries out a line that the fast path has read, from where it stopped.
    private static func perform(
        _ line: FastLine, after outcome: FastPath.Outcome, within budget: RepeatBudget? = nil
    ) -> ExitStatus {
        var budget = budget ?? RepeatBudget(timeout: .zero)
        var unanswered: FastPath.SentCall?
        let status = perform(CommonOptions(line), after: outcome) { session in
            do {
                try perform(line, in: session)
            } catch let error as BridgeClientError where error.context.mayRepeat {
                let isRefused = error.code == .refused
                guard case .sent(let sent) = outcome, budget.take(isRefused: isRefused) else { throw error }
                // A bridge that refuses calls because it is about to end keeps its connections until then.
                if isRefused { _ = session.sentCall()?.client.awaitEnd(until: budget.deadline) }
                unanswered = sent
            }
        }
        guard let unanswered else { return status }
        guard let call = unanswered.call else { return perform(line, after: .declined(line), within: budget) }
        return start(call, within: budget)
    }

    private static func perform(_ line: FastLine, in session: Session) throws {
        switch line.command {
        case .get: try GetCommand.perform(GetOptions(line), in: session)
        case .set, .add: try SetCommand.perform(SetOptions(line), in: session)
        case .count: try CountCommand.perform(in: session)
        }
    }

    /// Finishes a line that the fast path has carried out.
    ///
    /// - Parameter failure: The error of closing standard output, if that failed.
    static func finish(wrote: Bool, quiet: Bool, failure: Errno? = nil) -> ExitStatus {
        guard wrote else { return .done }
        do throws(Failure) {
            if let failure { throw StandardOutput.failure(failure) }
            try StandardOutput(isUsed: true).finish()
            return .done
        } catch {
            Console(isQuiet: quiet, isVerbose: false).say(error.message)
            return error.status
        }
    }

    // MARK: Results

    private static func perform(
        _ common: CommonOptions, after outcome: FastPath.Outcome = .declined(), _ body: (Session) throws -> Void
    ) -> ExitStatus {
        let session = Session(common, after: outcome)
        let failure: Failure
        do {
            try body(session)
            try session.output.finish()
            return .done
        } catch {
            failure = Failure(reporting: error)
        }
        // A usage error is reported even with --quiet: a script with such a line does not do what its author meant.
        let isSuppressed = session.common.quiet && failure.status != .usage
        Console(isQuiet: isSuppressed, isVerbose: false).say(failure.explained().message)
        return failure.status
    }

    /// Reports an invalid line, or writes the help or the completions that the line requests.
    private static func report(_ error: any Error, _ arguments: [String]) -> ExitStatus {
        let console = Console(isQuiet: false, isVerbose: false)
        do {
            if let failure = error as? Failure { throw failure }
            guard XPB.exitCode(for: error) == .success else {
                if let problem = CommandPath(arguments[...]).problem { throw Failure.usage(problem) }
                let message = XPB.message(for: error)
                let path = CommandPath(arguments[...])
                throw Failure.usage(
                    path.withoutMark(in: arguments) ?? KnownOption.problem(in: arguments)
                        ?? message.prefix(1).lowercased() + message.dropFirst())
            }
            let columns = HelpPage.columns(of: StandardOutput())
            try write(HelpPage.page(XPB.fullMessage(for: error, columns: columns), columns: columns) + "\n")
            return .done
        } catch let failure as Failure {
            let see = failure.message.hasSuffix("?") ? " See" : "; see"
            let isUsage = failure.status == .usage
            console.say(isUsage ? failure.message + "\(see) \(helpCommand(for: arguments))" : failure.message)
            return failure.status
        } catch {
            console.say("\(error)")
            return .broken
        }
    }

    private static func write(_ text: String) throws {
        let output = StandardOutput()
        try output.write(text)
        try output.finish()
    }

    private static func helpCommand(for arguments: [String]) -> String {
        (["xpb help"] + CommandPath(arguments.drop { $0 == "help" }).names).joined(separator: " ")
    }
}

/// The commands at the beginning of a line, each a subcommand of the one before.
package struct CommandPath {
    package private(set) var names: [String] = []
    /// The message for the word after these commands if it should be a command and is not; otherwise nil.
    package private(set) var problem: String?

    package init(_ words: ArraySlice<String>) {
        var command: any ParsableCommand.Type = XPB.self
        for word in words {
            let commands = command.configuration.subcommands
            if commands.isEmpty || names.isEmpty && word == "help" { return }
            guard !word.hasPrefix("-") else {
                if names.isEmpty { problem = Self.misplaced(words) }
                return
            }
            guard let next = commands.first(where: { $0.names.contains(word) }) else {
                problem = command.noCommand(word, isRoot: names.isEmpty)
                return
            }
            names.append(word)
            command = next
        }
    }

    /// Returns the message for a line of `watch` or `with` that becomes valid with `--` before the command to run; nil
    /// if there is no such place.
    package func withoutMark(in arguments: [String]) -> String? {
        guard names == ["watch"] || names == ["with"], !arguments.contains("--") else { return nil }
        for index in arguments.indices.dropFirst() where !arguments[index].hasPrefix("-") {
            let line = arguments[..<index] + ["--"] + arguments[index...]
            guard (try? XPB.parseAsRoot(Array(line))) != nil else { continue }
            return "the command to run follows --, as in: xpb \(line.map(SetOptions.quoted).joined(separator: " "))"
        }
        return nil
    }

    /// Returns the message for options before the command; nil if no command follows.
    private static func misplaced(_ words: ArraySlice<String>) -> String? {
        let names = Set(XPB.configuration.subcommands.flatMap { $0.names })
        guard let command = words.firstIndex(where: names.contains) else { return nil }
        // Options follow the last command. The rest may be a secret.
        let path = CommandPath(words[command...]).names
        let rest = words.endIndex > command + path.count ? ["…"] : []
        let line = (path + words[..<command]).map(SetOptions.quoted) + rest
        return "options go after the command: xpb \(line.joined(separator: " "))"
    }
}

/// Options of other programs, and their equivalents here.
package enum KnownOption {
    private static let ofAll = [
        "-selection": "-p", "-sel": "-p", "--primary": "-p primary", "--clipboard": "-p clipboard",
    ]
    private static let ofCommands = [
        "set": ["--secret": "--concealed", "--sensitive": "--concealed", "--password": "--concealed"],
        "get": ["-n": "--trim"],
    ]
    private static let aliases = ["copy": "set", "add": "set", "paste": "get"]

    /// Returns the message for the first option in a line that another program has; nil if there is none.
    package static func problem(in arguments: [String]) -> String? {
        guard let command = arguments.first else { return nil }
        let names = ofAll.merging(ofCommands[aliases[command] ?? command] ?? [:]) { $1 }
        guard let option = arguments.prefix(while: { $0 != "--" }).first(where: { names[$0] != nil }) else {
            return nil
        }
        return names[option].map { "unknown option '\(option)'; did you mean '\($0)'?" }
    }
}
