import ArgumentParser
import BridgeClient
import CommandCore
import FoundationEssentials
import HistoryTransfer
import LinuxSystem
import PasteboardWire
import Terminal

struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "List, search, show and restore earlier contents.",
        discussion: """
            Each entry is a line, latest first: ID<TAB>PREVIEW<TAB>TYPE<TAB>AGE<TAB>COUNT. On a terminal, the columns \
            are aligned instead, and each picture is below its line if the terminal can show pictures. Without an ID, \
            a command reads IDs from the first column of standard input, so that another program can choose:

              xpb history | fzf | xpb history restore
              xpb history | rofi -dmenu -i | xpb history restore
              xpb history search draft | cut -f 1 | xpb history pin

            --format writes lines in your own form, such as '{id}\\t{preview}'. The fields are \
            \(HistoryFormat.fieldNames); the escapes are \\t, \\n, \\0, \\xHH, \\\\ and \\{. {icon} is the path \
            of a file with the entry's picture, which lasts until the next listing; it is empty for an entry without \
            a picture.

            The history never contains secrets.
            """,
        subcommands: [
            List.self, Show.self, Restore.self, Delete.self, Search.self, Pin.self, Unpin.self, Clear.self, Pause.self,
            Resume.self, HistoryImportCommand.self, HistoryExportCommand.self,
        ], defaultSubcommand: List.self)

    struct List: PasteboardSubcommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List earlier contents, latest first.",
            discussion: """
                  xpb history -n 10
                  xpb history --pinned --json
                """)

        @OptionGroup var listing: HistoryListing

        /// Words where a command is expected, all of them wrong.
        @Argument(help: .hidden)
        var words: [String] = []

        @OptionGroup var pasteboards: PasteboardFlags
        @OptionGroup(title: CommonFlags.title) var common: CommonFlags

        func perform(in session: Session) throws {
            guard words.isEmpty else { throw HistoryCommand.refusing(words[0]) }
            try listing.perform(searching: nil, in: session)
        }
    }

    struct Search: PasteboardSubcommand {
        static let configuration = CommandConfiguration(
            commandName: "search",
            abstract: "List entries whose text, types or program contain each WORD.",
            discussion: """
                A word is found inside other words, and in any script. Case and accents make no difference, unless \
                the word itself has a capital letter or an accent. A phrase needs two pairs of quotes, the shell's and \
                its own. Filters restrict the search:

                  type:image         by type, as -t of 'xpb get' names it
                  program:firefox    by the name of the program
                  after:2026-11-28   from that day on; also 2026-11, today, or 7d for seven days ago
                  before:2w          before that time
                  pinned:yes         pinned entries, or pinned:no for all others

                With --regex, WORD is a Perl-style regular expression for the text.

                  xpb history search draft letter
                  xpb history search '"kind regards"' after:30d
                  xpb history search --regex 'INV-\\d{4}'
                """)

        @OptionGroup var listing: HistoryListing

        @Flag(help: "Treat the words as one regular expression.")
        var regex = false

        @Argument(help: ArgumentHelp("Parts of words, phrases and filters.", valueName: "WORD"))
        var words: [String]

        @OptionGroup var pasteboards: PasteboardFlags
        @OptionGroup(title: CommonFlags.title) var common: CommonFlags

        func perform(in session: Session) throws {
            let words = words.joined(separator: " ")
            guard words.contains(where: { !$0.isWhitespace }) else { throw Failure.usage("name a word to search for") }
            try listing.perform(searching: words, asPattern: regex, in: session)
        }
    }

    /// Returns the failure for a word after `list`, or where a command is expected.
    private static func refusing(_ word: String) -> Failure {
        if ThisProcess.arguments().dropFirst().first(where: { !$0.hasPrefix("-") }) == "list" {
            return .usage("history list takes no words; 'xpb history search \(word)' finds entries that have it")
        }
        if Int(word) != nil {
            return .usage(
                "'xpb history show \(word)' writes entry \(word), and 'xpb history -n \(word)' lists the last \(word)")
        }
        return .usage(noCommand(word))
    }
}

extension HistoryCommand {
    struct Show: Subcommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Write one representation of an entry, as 'xpb get' does, or describe the entry.",
            discussion: """
                  xpb history show 12
                  xpb history show 12 -t image -o picture.png
                """)

        @Flag(help: "List the items and their types, as 'xpb items' does; with --json also their sizes.")
        var items = false

        @OptionGroup var representation: RepresentationFlags

        @OptionGroup var entries: EntryIDs
        @OptionGroup(title: CommonFlags.title) var common: CommonFlags

        func perform(in session: Session) throws {
            let describes = items || session.common.json
            let asked = representation
            guard
                !describes
                    || asked.type.isEmpty && asked.output == nil && asked.item == nil && !asked.newline
                        && !asked.trim
            else {
                throw Failure.usage(
                    "--items and --json describe the whole entry; leave out -t, -o, --item, --newline and --trim")
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
                let rows = ItemsJSON(pasteboard: "", count: described.count, items: described.items).rows()
                try session.output.write(rows: rows)
            }
        }
    }
}

/// The output of `history show --json`.
private struct EntryJSON: Encodable {
    let id: Int
    let count: Int
    let items: [WireItem]
}

/// The arguments for listing the history, or the results of a search.
struct HistoryListing: ParsableArguments {
    @Option(name: [.customShort("n"), .long], help: ArgumentHelp("List at most N entries.", valueName: "N"))
    var limit: Int?

    @Flag(help: "List pinned entries only.")
    var pinned = false

    @Flag(help: "List all pasteboards.")
    var all = false

    @Flag(name: .customShort("0"), help: "End each line with NUL instead of a newline.")
    var endsWithNUL = false

    @Option(
        help: ArgumentHelp(
            "Write each entry with this template; {id}, {preview} … are fields.",
            valueName: "TEMPLATE"))
    var format: String?

    func perform(searching words: String?, asPattern isPattern: Bool = false, in session: Session) throws {
        if let limit, limit < 1 { throw Failure.usage("--limit \(limit): the limit is at least 1") }
        guard !all || session.common.pasteboards.isEmpty else {
            throw Failure.usage("--all and -p exclude each other")
        }
        guard format == nil || !session.common.json else {
            throw Failure.usage("--format and --json exclude each other")
        }
        let format = try format.map { template throws(Failure) in try HistoryFormat(template) }
        let pasteboards: [String?] = all ? [nil] : try session.pasteboards()
        let client = try session.connect()
        let icons = try format?.hasIcon == true ? HistoryIcons(in: session, by: try session.connect()) : nil
        let lines = HistoryLines(in: session, format: format, icons: icons, endsWithNUL: endsWithNUL)
        // A person sees the entries that fit the screen, and a hint on how to see more.
        let screen =
            limit == nil && lines.columns != nil && !session.common.json
            ? session.output.rows.map { max($0 - 2, 1) } : nil
        var found: [WireHistoryEntry] = []
        var isEmpty = true
        for pasteboard in pasteboards {
            let parameters = Methods.History.Parameters(
                pasteboard: pasteboard, search: words, pinned: pinned ? true : nil,
                limit: limit ?? screen.map { $0 + 1 }, regex: isPattern ? true : nil)
            try client.stream(Methods.History.self, parameters, timeoutFor: .everyReply) { reply, _ in
                isEmpty = isEmpty && reply.entries.isEmpty
                if session.common.json || lines.columns != nil || pasteboards.count > 1 {
                    found += reply.entries
                } else {
                    try lines.write(reply.entries)
                }
                return true
            }
        }
        // Each pasteboard has its own order and limit.
        if pasteboards.count > 1 { found = Array(found.sorted { $0.id > $1.id }.prefix(limit ?? .max)) }
        var hasMore = screen.map { found.count > $0 } ?? false
        if let screen { found = Array(found.prefix(screen)) }
        if session.common.json {
            try session.output.write(json: ["entries": found])
        } else if lines.columns == nil {
            try lines.write(found)
        } else {
            let written = try lines.writeAligned(found, fitting: screen, in: session, by: client)
            hasMore = hasMore || written < found.count
        }
        icons?.removeOthers()
        if isEmpty { throw Failure(.nothing, nothing(words)) }
        if hasMore { session.console.say("there are more entries; -n N lists N of them, and 'xpb pick' shows all") }
    }

    private func nothing(_ words: String?) -> String {
        if let words { return "nothing in the history has: \(words)" }
        return pinned ? "nothing in the history is pinned" : "the history is empty"
    }
}

/// Entries as lines: by a template, in aligned columns on a terminal, or with tabs.
private struct HistoryLines {
    let output: StandardOutput
    let format: HistoryFormat?
    let icons: HistoryIcons?
    let endsWithNUL: Bool
    /// The width of the terminal, if columns are aligned once all entries are known; otherwise nil.
    let columns: Int?
    let preview = Preview()
    let now = Date.now

    init(in session: Session, format: HistoryFormat?, icons: HistoryIcons?, endsWithNUL: Bool) {
        // The previews contain MIME types.
        session.installTypes()
        output = session.output
        self.format = format
        self.icons = icons
        self.endsWithNUL = endsWithNUL
        columns = format == nil && !endsWithNUL ? session.output.columns : nil
    }

    func write(_ entries: [WireHistoryEntry]) throws {
        guard let format else {
            return try output.write(rows: entries.map { preview.row($0, at: now) }, endingWithNUL: endsWithNUL)
        }
        let end = endsWithNUL ? "\0" : "\n"
        let lines = entries.map { entry in
            format.text(entry, preview, at: now) { icons?.path(of: $0) ?? "" } + end
        }
        try output.write(lines.joined())
    }

    /// Writes the entries with aligned columns, and with pictures below them if the terminal can show pictures.
    ///
    /// - Parameter screen: The number of rows for the entries; nil if there is no limit.
    /// - Returns: The number of entries that were written.
    func writeAligned(
        _ entries: [WireHistoryEntry], fitting screen: Int?, in session: Session, by client: BridgeClient
    ) throws -> Int {
        guard let columns else { return 0 }
        let style = Style(isTerminal: true, environment: session.environment)
        let lines = preview.lines(entries, at: now, columns: columns, style: style)
        guard let pictures = HistoryPictures(of: entries, in: session, by: client) else {
            try output.write(lines.map { $0 + "\n" }.joined())
            return lines.count
        }
        let fitting = screen.map { HistoryPictures.prefix(of: entries, fitting: $0) } ?? entries[...]
        try pictures.write(Array(fitting), lines: lines, indent: Preview.indent(of: entries), to: output)
        return fitting.count
    }
}
