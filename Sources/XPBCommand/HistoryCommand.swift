import ArgumentParser
import BridgeClient
import Configuration
import LinuxSystem
import PasteboardWire

/// `xpb history`.
struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "List, search, show and restore earlier contents.",
        discussion: """
            A line has ID<TAB>COUNT<TAB>AGE<TAB>TYPE<TAB>PREVIEW, the latest first. Where no ID is given, the first \
            columns of standard input are taken: so another program can choose.

              xpb history | fzf | xpb history restore
              xpb history | rofi -dmenu -i | xpb history restore
              xpb history search draft | cut -f 1 | xpb history pin

            Secrets are never in the history.
            """,
        subcommands: [
            List.self, Show.self, Restore.self, Delete.self, Search.self, Pin.self, Unpin.self, Clear.self, Pause.self,
            Resume.self,
        ], defaultSubcommand: List.self)

    struct List: Subcommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List earlier contents, the latest first: ID, count, age, type, preview.")

        @OptionGroup var common: CommonFlags
        @OptionGroup var listing: HistoryListing

        /// What stands where a command could, and is none.
        @Argument(help: .hidden)
        var words: [String] = []

        func perform(in session: Session) throws {
            guard words.isEmpty else { throw HistoryCommand.refusing(words[0]) }
            try listing.perform(searching: nil, in: session)
        }
    }

    struct Search: Subcommand {
        static let configuration = CommandConfiguration(
            commandName: "search",
            abstract: "List those whose text, types or program have words that begin with each WORD.")

        @OptionGroup var common: CommonFlags
        @OptionGroup var listing: HistoryListing

        @Argument(help: ArgumentHelp("The beginnings of words, in any case.", valueName: "WORD"))
        var words: [String]

        func perform(in session: Session) throws {
            let words = words.joined(separator: " ")
            guard words.contains(where: { !$0.isWhitespace }) else { throw Failure.usage("name a word to search for") }
            try listing.perform(searching: words, in: session)
        }
    }

    /// A word where none belongs: behind `list`, or in place of a command.
    private static func refusing(_ word: String) -> Failure {
        if ThisProcess.arguments().dropFirst().first(where: { !$0.hasPrefix("-") }) == "list" {
            return .usage("history list takes no words; 'xpb history search \(word)' finds those with the word")
        }
        return noCommand(word)
    }

    private static func noCommand(_ word: String) -> Failure {
        let names = configuration.subcommands.map { $0.configuration.commandName ?? "\($0)".lowercased() }
        let meant = Suggestion.nearest(to: word, among: names).map { "; did you mean '\($0)'?" }
        return .usage("history has no command '\(word)'" + (meant ?? ", only \(names.joined(separator: ", "))"))
    }
}
