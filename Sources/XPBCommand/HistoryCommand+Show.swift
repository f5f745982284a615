import ArgumentParser
import BridgeClient
import PasteboardWire

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
