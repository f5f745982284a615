import ArgumentParser
import BridgeClient
import PasteboardWire

/// What changes the history, and what it restores.
extension HistoryCommand {
    struct Restore: Subcommand {
        static let configuration = CommandConfiguration(
            commandName: "restore",
            abstract: "Make an entry the contents of its pasteboard, or of the one that -p names.")

        @OptionGroup var common: CommonFlags

        @Option(
            name: .customLong("if-count"),
            help: ArgumentHelp("Change nothing unless the change count is N.", valueName: "N"))
        var ifCount: Int?

        @OptionGroup var entries: EntryIDs

        func perform(in session: Session) throws {
            let pasteboard = session.common.pasteboards.isEmpty ? nil : try session.pasteboard()
            let entry = try entries.one(console: session.console)
            let client = try session.connect()
            let parameters = Methods.Restore.Parameters(
                entry: entry, pasteboard: pasteboard, ifCount: ifCount, timeout: client.timeoutMilliseconds)
            let restored = try client.call(Methods.Restore.self, parameters, isLong: true).reply
            session.console.detail("restored \(entry) on \(restored.pasteboard), count \(restored.count)")
            if session.common.json {
                try session.output.write(json: CountsJSON([restored.pasteboard], [restored.count]))
            }
        }
    }

    struct Delete: Subcommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Delete entries, pinned ones too. Where one is not there, none is deleted."
        )

        @OptionGroup var common: CommonFlags
        @OptionGroup var entries: EntryIDs

        func perform(in session: Session) throws {
            try HistoryCommand.refusePasteboard("delete", session)
            let entries = try entries.all(console: session.console)
            let client = try session.connect()
            let deleted = try client.call(Methods.DeleteEntries.self, .init(entries: entries)).reply.deleted
            try HistoryCommand.reportDeletion(of: deleted, in: session)
        }
    }

    struct Clear: Subcommand {
        static let configuration = CommandConfiguration(
            commandName: "clear", abstract: "Delete all entries that are not pinned, and what undo could go back to.")

        @OptionGroup var common: CommonFlags

        @Flag(help: "Of all pasteboards.")
        var all = false

        func perform(in session: Session) throws {
            guard !all || session.common.pasteboards.isEmpty else {
                throw Failure.usage("--all is about all pasteboards; leave -p out, or --all")
            }
            let pasteboards: [String?] = all ? [nil] : try session.pasteboards()
            let client = try session.connect()
            var deleted = 0
            for pasteboard in pasteboards {
                deleted += try client.call(Methods.ClearHistory.self, .init(pasteboard: pasteboard)).reply.deleted
            }
            try HistoryCommand.reportDeletion(of: deleted, in: session)
        }
    }

    struct Pin: Subcommand {
        static let configuration = CommandConfiguration(
            commandName: "pin", abstract: "Keep entries, whatever the limits of the history are.")

        @OptionGroup var common: CommonFlags
        @OptionGroup var entries: EntryIDs

        func perform(in session: Session) throws { try HistoryCommand.pin(entries, true, in: session) }
    }

    struct Unpin: Subcommand {
        static let configuration = CommandConfiguration(
            commandName: "unpin", abstract: "Let entries go when the history's limits say so.")

        @OptionGroup var common: CommonFlags
        @OptionGroup var entries: EntryIDs

        func perform(in session: Session) throws { try HistoryCommand.pin(entries, false, in: session) }
    }

    struct Pause: Subcommand {
        static let configuration = CommandConfiguration(
            commandName: "pause",
            abstract: "Keep nothing in the history from now on, until 'xpb history resume'. Undo goes on.")

        @OptionGroup var common: CommonFlags

        func perform(in session: Session) throws { try HistoryCommand.pause(true, in: session) }
    }

    struct Resume: Subcommand {
        static let configuration = CommandConfiguration(
            commandName: "resume", abstract: "Keep new contents in the history again.")

        @OptionGroup var common: CommonFlags

        func perform(in session: Session) throws { try HistoryCommand.pause(false, in: session) }
    }

    private static func pin(_ entries: EntryIDs, _ isPinned: Bool, in session: Session) throws {
        try refusePasteboard(isPinned ? "pin" : "unpin", session)
        let entries = try entries.all(console: session.console)
        _ = try session.connect().call(Methods.Pin.self, .init(entries: entries, pinned: isPinned))
        session.console.detail("\(isPinned ? "pinned" : "unpinned") \(entries.count)")
    }

    private static func pause(_ isPaused: Bool, in session: Session) throws {
        try refusePasteboard(isPaused ? "pause" : "resume", session)
        _ = try session.connect().call(Methods.PauseHistory.self, .init(paused: isPaused))
        if session.common.json { try session.output.write(json: PausedJSON(paused: isPaused)) }
    }

    /// An entry is named by its number alone, and pausing is about all pasteboards.
    static func refusePasteboard(_ command: String, _ session: Session) throws(Failure) {
        guard session.common.pasteboards.isEmpty else {
            throw .usage("history \(command) is about no pasteboard of its own; leave -p out")
        }
    }

    private static func reportDeletion(of deleted: Int, in session: Session) throws {
        session.console.detail("deleted \(deleted)")
        if session.common.json { try session.output.write(json: DeletedJSON(deleted: deleted)) }
    }
}

/// What `pause` and `resume` write with `--json`.
private struct PausedJSON: Encodable {
    let paused: Bool
}

/// What `delete` and `clear` write with `--json`.
private struct DeletedJSON: Encodable {
    let deleted: Int
}
