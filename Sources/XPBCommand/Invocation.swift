import ArgumentParser
import BridgeClient
import Configuration
import FastPath
import SystemPackage

/// One run of `xpb`.
enum Invocation {
    /// - Parameters:
    ///   - arguments: Without the program's name.
    ///   - begun: What the fast path has done of the line.
    static func run(_ arguments: [String], begun: FastPath.Outcome = .declined(read: [])) -> ExitStatus {
        if case .unheard(let call) = begun { return start(call, of: arguments) }
        do {
            if let status = try runQuick(arguments, begun) { return status }
            var command = try XPB.parseAsRoot(separated(arguments))
            if let command = command as? any Subcommand {
                return perform(command.common.plain) { try command.perform(in: $0) }
            }
            try command.run()
            return .done
        } catch {
            return report(error, arguments)
        }
    }

    /// Finds a bridge for a plain line that found none, or starts one. That is all there is of the ordinary way in it where
    /// the bridge's answer is plain as well.
    private static func start(_ call: FastPath.Call, of arguments: [String]) -> ExitStatus {
        // It has no other of the common options.
        var common = CommonOptions()
        common.quiet = call.quiet
        let session = Session(common)
        do throws(Failure) {
            let client = try session.connect()
            let begun = FastPath.ask(call, at: client.socket, listeningAt: client.path)
            if case .done(let wrote, let quiet) = begun { return end(wrote: wrote, quiet: quiet) }
            return run(arguments, begun: begun)
        } catch {
            session.console.say(error.message)
            return error.status
        }
    }

    /// What is left to be done of a line that the fast path has carried out.
    ///
    /// - Parameter failure: Why standard output could not be closed, where that was tried.
    static func end(wrote: Bool, quiet: Bool, failure: Errno? = nil) -> ExitStatus {
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

    /// The argument library takes as long as all else that a small `get` does, and time that grows with the square of the
    /// words' number; so the commands that scripts call over and over are read without it, if they can be. Nil where they
    /// cannot.
    private static func runQuick(_ arguments: [String], _ begun: FastPath.Outcome) throws -> ExitStatus? {
        let rest = arguments.dropFirst()
        switch arguments.first {
        case "get", "paste":
            guard let options = GetOptions(quick: rest) else { return nil }
            return perform(options.common, begun) { try GetCommand.perform(options, in: $0) }
        case Keeper.argument:
            return Keeper.run(rest)
        case "set", "copy":
            guard let options = try SetOptions(quick: rest) else { return nil }
            return perform(options.common, begun) { try SetCommand.perform(options, appending: false, in: $0) }
        case "add":
            guard let options = try SetOptions(quick: rest, forms: SetOptions.addForms) else { return nil }
            return perform(options.common, begun) {
                try SetCommand.perform(options, appending: options.item == nil, in: $0)
            }
        default:
            return nil
        }
    }

    /// With `--text=` in two arguments: the library takes the next one for the value where it should be empty. Behind
    /// `--text` an argument is its value, whatever it looks like.
    static func separated(_ arguments: [String]) -> [String] {
        var separated: [String] = []
        var rest = arguments[...]
        while let argument = rest.first, argument != "--" {
            rest.removeFirst()
            if argument.hasPrefix("--"), argument.firstIndex(of: "=") == argument.indices.last {
                separated += [String(argument.dropLast()), ""]
            } else {
                separated.append(argument)
            }
            if argument == "--text", let value = rest.popFirst() { separated.append(value) }
        }
        return separated + rest
    }

    private static func perform(
        _ common: CommonOptions, _ begun: FastPath.Outcome = .declined(read: []), _ body: (Session) throws -> Void
    ) -> ExitStatus {
        let session = Session(common, begun: begun)
        let failure: Failure
        do {
            try body(session)
            try session.output.finish()
            return .done
        } catch {
            failure = Failure(telling: error)
        }
        session.console.say(failure.message)
        return failure.status
    }

    /// Reports a line that was not understood, or writes the help or the completions it asks for.
    private static func report(_ error: any Error, _ arguments: [String]) -> ExitStatus {
        let console = Console(isQuiet: arguments.contains { $0 == "-q" || $0 == "--quiet" }, isVerbose: false)
        do {
            if let failure = error as? Failure { throw failure }
            guard XPB.exitCode(for: error) == .success else {
                if let unknown = unknownCommand(in: arguments) { throw Failure.usage(unknown) }
                let message = XPB.message(for: error)
                throw Failure.usage(message.prefix(1).lowercased() + message.dropFirst())
            }
            let output = StandardOutput()
            try output.write(XPB.fullMessage(for: error) + "\n")
            try output.finish()
            return .done
        } catch let failure as Failure {
            let isUsage = failure.status == .usage
            console.say(isUsage ? failure.message + "; see \(helpCommand(for: arguments))" : failure.message)
            return failure.status
        } catch {
            console.say("\(error)")
            return .broken
        }
    }

    /// What to say of a first argument that is no command.
    private static func unknownCommand(in arguments: [String]) -> String? {
        guard let word = arguments.first, !word.hasPrefix("-") else { return nil }
        let names = XPB.configuration.subcommands.flatMap { command in
            [command.configuration.commandName ?? ""] + command.configuration.aliases
        }
        guard word != "help", !names.contains(word) else { return nil }
        let meant = Suggestion.nearest(to: word, among: names)
        return "there is no command '\(word)'\(meant.map { "; did you mean '\($0)'?" } ?? "")"
    }

    private static func helpCommand(for arguments: [String]) -> String {
        guard let name = arguments.first,
            XPB.configuration.subcommands.contains(where: {
                $0.configuration.commandName == name || $0.configuration.aliases.contains(name)
            })
        else { return "xpb help" }
        return "xpb help \(name)"
    }
}
