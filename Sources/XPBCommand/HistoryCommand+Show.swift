import ArgumentParser
import Pasteboard
import PasteboardWire

extension HistoryCommand {
    struct Show: Subcommand {
        static let configuration = CommandConfiguration(
            abstract: "Write one representation of an entry, as get does, or describe it.")

        @OptionGroup var common: CommonFlags

        @Flag(help: "List the items and their types, as the command items does; --json writes them with their sizes.")
        var items = false

        @Option(
            name: .shortAndLong,
            help: ArgumentHelp("What to write, the first one that is there; repeatable.", valueName: "TYPE"))
        var type: [String] = []

        @Option(
            name: .shortAndLong,
            help: ArgumentHelp("Write to a file, whose extension names the type if -t does not.", valueName: "FILE"),
            completion: .file())
        var output: String?

        @Option(help: ArgumentHelp("The item, counted from 0 (default: the first).", valueName: "N"))
        var item: Int?

        @Flag(help: "Only what is there, nothing made of it.")
        var exact = false

        @Flag(help: "End with a newline, if there is none.")
        var newline = false

        @Flag(help: "Leave out one newline at the end.")
        var trim = false

        @Flag(help: "Write bytes that are no text to a terminal.")
        var force = false

        @OptionGroup var entries: EntryIDs

        func perform(in session: Session) throws {
            try HistoryCommand.refusePasteboard("show", session)
            let describes = items || session.common.json
            guard !describes || type.isEmpty && output == nil && item == nil && !newline && !trim else {
                throw Failure.usage(
                    "--items and --json describe the whole entry; leave -t, -o, --item, --newline and --trim out")
            }
            let entry = try entries.one(console: session.console)
            try describes ? describe(entry, in: session) : GetCommand.perform(options(entry), in: session)
        }

        private func options(_ entry: Int) -> GetOptions {
            var options = GetOptions()
            options.common = common.plain
            options.entry = entry
            options.types = type
            options.output = output
            options.item = item
            options.exact = exact
            options.newline = newline
            options.trim = trim
            options.force = force
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
