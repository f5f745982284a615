package import ArgumentParser
import Configuration
import PasteboardModel

extension ParsableCommand {
    /// The name and the aliases.
    package static var names: [String] {
        [configuration.commandName ?? "\(self)".lowercased()] + configuration.aliases
    }

    /// The equivalents of other programs' commands, and of likely guesses.
    private static var knownElsewhere: [String: String] {
        [
            "ls": "list", "formats": "types", "targets": "types --targets", "files": "set --files", "save": "get -o",
            "rm": "clear", "empty": "clear", "settings": "config", "man": "help", "sync": "link",
            "find": "history search",
        ]
    }

    /// Returns the message for an unknown word where a subcommand is expected.
    ///
    /// - Parameter isRoot: True for the commands of `xpb` itself.
    package static func noCommand(_ word: String, isRoot: Bool = false) -> String {
        let commands = configuration.subcommands
        let inner = commands.first { $0.configuration.subcommands.contains { $0.names.contains(word) } }
        if isRoot, knownElsewhere[word] == nil, let name = try? PasteboardName(validating: word), name.isSystem {
            return "'\(word)' is a pasteboard; did you mean 'xpb get -p \(word)'?"
        }
        let nearest =
            inner.map { "\($0.names[0]) \(word)" } ?? (isRoot ? knownElsewhere[word] : nil)
            ?? Suggestion.nearest(to: word, among: commands.flatMap { $0.names })
        let meant = nearest.map { "; did you mean '\($0)'?" }
        if isRoot { return "there is no command '\(word)'\(meant ?? "")" }
        let all = commands.compactMap { $0.names.first }.joined(separator: ", ")
        return "\(names[0]) has no command '\(word)'\(meant ?? ", only \(all)")"
    }
}
