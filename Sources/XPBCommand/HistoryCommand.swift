import ArgumentParser
import BridgeClient
import Configuration
import FoundationEssentials
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

extension HistoryCommand {
    struct Show: Subcommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Write one representation of an entry, as get does, or describe it.")

        @OptionGroup var common: CommonFlags

        @Flag(help: "List the items and their types, as the command items does; --json writes them with their sizes.")
        var items = false

        @OptionGroup var representation: RepresentationFlags

        @OptionGroup var entries: EntryIDs

        func perform(in session: Session) throws {
            try HistoryCommand.refusePasteboard("show", session)
            let describes = items || session.common.json
            let asked = representation
            guard
                !describes
                    || asked.type.isEmpty && asked.output == nil && asked.item == nil && !asked.newline
                        && !asked.trim
            else {
                throw Failure.usage(
                    "--items and --json describe the whole entry; leave -t, -o, --item, --newline and --trim out")
            }
            let entry = try entries.one(console: session.console)
            try describes ? describe(entry, in: session) : GetCommand.perform(options(entry), in: session)
        }

        private func options(_ entry: Int) -> GetOptions {
            var options = representation.options
            options.entry = entry
            return options
        }

        private func describe(_ entry: Int, in session: Session) throws {
            let described = try session.describe(
                session.pasteboard(), by: session.connect(), lengths: session.common.json, entry: entry)
            if session.common.json {
                try session.output.write(json: EntryJSON(id: entry, count: described.count, items: described.items))
            } else {
                let rows = ItemsJSON(pasteboard: "", count: described.count, items: described.items).rows
                try session.output.write(rows: rows)
            }
        }
    }
}

/// What `history show --json` writes.
private struct EntryJSON: Encodable {
    let id: Int
    let count: Int
    let items: [WireItem]
}

/// Listing the history, all of it or what a search finds.
struct HistoryListing: ParsableArguments {
    @Option(name: [.customShort("n"), .long], help: ArgumentHelp("So many at most.", valueName: "N"))
    var limit: Int?

    @Flag(help: "Only those that are pinned.")
    var pinned = false

    @Flag(help: "Of all pasteboards.")
    var all = false

    @Flag(name: .customShort("0"), help: "End each with NUL.")
    var endsWithNUL = false

    func perform(searching words: String?, in session: Session) throws {
        if let limit, limit < 1 { throw Failure.usage("--limit \(limit): it is 1 at least") }
        guard !all || session.common.pasteboards.isEmpty else {
            throw Failure.usage("--all is about all pasteboards; leave -p out, or --all")
        }
        let pasteboards: [String?] = all ? [nil] : try session.pasteboards()
        let client = try session.connect()
        let lines = HistoryLines(in: session, endsWithNUL: endsWithNUL)
        var found: [WireHistoryEntry] = []
        var isEmpty = true
        for pasteboard in pasteboards {
            let parameters = Methods.History.Parameters(
                pasteboard: pasteboard, search: words, pinned: pinned ? true : nil, limit: limit)
            try client.stream(Methods.History.self, parameters, patience: .each) { reply, _ in
                isEmpty = isEmpty && reply.entries.isEmpty
                if session.common.json {
                    found += reply.entries
                } else {
                    try lines.write(reply.entries)
                }
                return true
            }
        }
        if session.common.json { try session.output.write(json: HistoryJSON(entries: found)) }
        if isEmpty { throw Failure(.nothing, nothing(words)) }
    }

    private func nothing(_ words: String?) -> String {
        if let words { return "nothing in the history has words that begin with: \(words)" }
        return pinned ? "nothing in the history is pinned" : "the history is empty"
    }
}

/// What `history --json` writes.
private struct HistoryJSON: Encodable {
    let entries: [WireHistoryEntry]
}

/// Writes entries as lines, for a terminal as wide as it is.
private struct HistoryLines {
    let output: StandardOutput
    let endsWithNUL: Bool
    let preview: Preview
    let now: Date

    init(in session: Session, endsWithNUL: Bool) {
        // The MIME types that the previews tell.
        session.lookTypesUp()
        output = session.output
        self.endsWithNUL = endsWithNUL
        preview = Preview(columns: session.output.columns)
        now = .now
    }

    func write(_ entries: [WireHistoryEntry]) throws {
        try output.write(rows: entries.map { preview.row($0, at: now) }, endingWithNUL: endsWithNUL)
    }
}
