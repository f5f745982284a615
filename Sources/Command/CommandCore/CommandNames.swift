package import ArgumentParser
import Configuration

extension ParsableCommand {
    /// The name and the aliases.
    package static var names: [String] {
        [configuration.commandName ?? "\(self)".lowercased()] + configuration.aliases
    }

    /// Returns the message for an unknown word where a subcommand is expected.
    ///
    /// - Parameter isRoot: True for the commands of `xpb` itself.
    package static func noCommand(_ word: String, isRoot: Bool = false) -> String {
        let commands = configuration.subcommands
        let inner = commands.first { $0.configuration.subcommands.contains { $0.names.contains(word) } }
        let nearest =
            inner.map { "\($0.names[0]) \(word)" } ?? Suggestion.nearest(to: word, among: commands.flatMap { $0.names })
        let meant = nearest.map { "; did you mean '\($0)'?" }
        if isRoot { return "there is no command '\(word)'\(meant ?? "")" }
        let all = commands.compactMap { $0.names.first }.joined(separator: ", ")
        return "\(names[0]) has no command '\(word)'\(meant ?? ", only \(all)")"
    }
}
