package import ArgumentParser
import BridgeClient
package import CommandCore
import LinuxSystem
import PasteboardWire
import Pasting
package import SystemPackage
import UniformTypes

/// The commands that change the history, or restore from it.
extension HistoryCommand {
    struct Restore: PasteboardSubcommand {
        static let configuration = CommandConfiguration(
            commandName: "restore",
            abstract: "Restore an entry to its pasteboard, or to the one that -p names.",
            discussion: """
                Several entries become one list if all of them are files, or else one text, on general or on the \
                pasteboard that -p names. If the IDs come from standard input, that needs --join. With --stack, the \
                entries stay apart: half a second after one was pasted, the next is there.

                  xpb history restore 12
                  xpb history restore 12 15 --join ', '
                  xpb history restore 12 15 13 --stack
                  xpb history | fzf -m | cut -f 1 | xargs xpb history restore
                  sh -c 'xpb history | rofi -dmenu | xpb history restore --paste'  (by a key)
                """)

        @Option(name: .customLong("if-count"), help: SourceFlags.ifCountHelp)
        var ifCount: Int?

        @Option(
            name: .customLong("join"), parsing: .unconditional,
            help: ArgumentHelp(
                "The text between the texts of several entries (default: a newline).", valueName: "STRING"))
        var separator: String?

        @Flag(
            name: .customLong("stack"), help: "Restore several entries one after the other, the next after each paste.")
        var stacks = false

        @OptionGroup var paste: PasteFlags
        @OptionGroup var entries: EntryIDs
        @OptionGroup var pasteboards: PasteboardFlags
        @OptionGroup(title: CommonFlags.title) var common: CommonFlags

        func validate() throws {
            guard !stacks || separator == nil else { throw ValidationError("--stack and --join exclude each other") }
            guard !stacks || !paste.isGiven else { throw ValidationError("--stack and --paste exclude each other") }
        }

        func perform(in session: Session) throws {
            let step = try paste.step(in: session)
            let pasteboard = session.common.pasteboards.isEmpty ? nil : try session.pasteboard()
            if self.entries.given.isEmpty { step?.awaitChoice(on: .standardInput) }
            // A list that nobody chose from comes through a pipe, and is not joined by accident.
            let mayBeSeveral = !self.entries.given.isEmpty || separator != nil || stacks
            let console = session.console
            let entries = try mayBeSeveral ? self.entries.list(console: console) : [self.entries.one(console: console)]
            guard entries.count == 1 || stacks else {
                return try EntryJoining.perform(
                    entries, separator: separator, on: session.pasteboard(), ifCount: ifCount, by: session.connect(),
                    in: session, then: step)
            }
            let parameters = Methods.Restore.Parameters(
                entry: entries[0], then: Array(entries.dropFirst()), pasteboard: pasteboard, ifCount: ifCount)
            try EntryRestoration.perform(parameters, by: try session.connect(), in: session, then: step)
        }
    }

    struct Delete: Subcommand {
        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract: "Delete entries, even pinned ones. If an ID does not exist, nothing is deleted.",
            discussion: """
                  xpb history delete 12 13
                  xpb history search token | cut -f 1 | xpb history delete
                """
        )

        @OptionGroup var entries: EntryIDs
        @OptionGroup(title: CommonFlags.title) var common: CommonFlags

        func perform(in session: Session) throws {
            let entries = try entries.all(console: session.console)
            let client = try session.connect()
            let deleted = try client.call(Methods.DeleteEntries.self, .init(entries: entries)).reply.deleted
            try HistoryCommand.reportDeletion(of: deleted, in: session)
        }
    }

    struct Clear: PasteboardSubcommand {
        static let configuration = CommandConfiguration(
            commandName: "clear",
            abstract: "Delete all entries that are not pinned, and the contents that undo can restore.",
            discussion: """
                  xpb history clear
                """)

        @Flag(help: "Clear all pasteboards.")
        var all = false

        @OptionGroup var pasteboards: PasteboardFlags
        @OptionGroup(title: CommonFlags.title) var common: CommonFlags

        func perform(in session: Session) throws {
            guard !all || session.common.pasteboards.isEmpty else {
                throw Failure.usage("--all and -p exclude each other")
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
            commandName: "pin", abstract: "Pin entries: the limits of the history do not remove them.",
            discussion: """
                  xpb history pin 12
                """)

        @OptionGroup var entries: EntryIDs
        @OptionGroup(title: CommonFlags.title) var common: CommonFlags

        func perform(in session: Session) throws { try HistoryCommand.pin(entries, true, in: session) }
    }

    struct Unpin: Subcommand {
        static let configuration = CommandConfiguration(
            commandName: "unpin", abstract: "Unpin entries: the limits of the history apply to them again.",
            discussion: """
                  xpb history unpin 12
                """)

        @OptionGroup var entries: EntryIDs
        @OptionGroup(title: CommonFlags.title) var common: CommonFlags

        func perform(in session: Session) throws { try HistoryCommand.pin(entries, false, in: session) }
    }

    struct Pause: Subcommand {
        static let configuration = CommandConfiguration(
            commandName: "pause",
            abstract: "Add nothing to the history until 'xpb history resume'. Undo still works.",
            discussion: """
                  xpb history pause
                """)

        @OptionGroup(title: CommonFlags.title) var common: CommonFlags

        func perform(in session: Session) throws { try HistoryCommand.pause(true, in: session) }
    }

    struct Resume: Subcommand {
        static let configuration = CommandConfiguration(
            commandName: "resume", abstract: "Add new contents to the history again.",
            discussion: """
                  xpb history resume
                """)

        @OptionGroup(title: CommonFlags.title) var common: CommonFlags

        func perform(in session: Session) throws { try HistoryCommand.pause(false, in: session) }
    }

    private static func pin(_ entries: EntryIDs, _ isPinned: Bool, in session: Session) throws {
        let entries = try entries.all(console: session.console)
        _ = try session.connect().call(Methods.Pin.self, .init(entries: entries, pinned: isPinned))
        session.console.detail("\(isPinned ? "pinned" : "unpinned") \(entries.count)")
    }

    private static func pause(_ isPaused: Bool, in session: Session) throws {
        _ = try session.connect().call(Methods.PauseHistory.self, .init(paused: isPaused))
        if session.common.json { try session.output.write(json: ["paused": isPaused]) }
    }

    private static func reportDeletion(of deleted: Int, in session: Session) throws {
        HistoryIcons.removeAll(in: session)
        session.console.detail("deleted \(deleted)")
        if session.common.json { try session.output.write(json: ["deleted": deleted]) }
    }
}

/// Entries of the history, from the arguments or else from standard input.
package struct EntryIDs: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Entries, as 'xpb history' lists them (default: read from standard input).", valueName: "ID"),
        completion: .historyEntries)
    package var given: [String] = []

    package init() {}

    /// Returns at least one ID, in order, and each only once.
    ///
    /// - Throws: A failure with status 2 for anything that is not an ID, or if standard input is a terminal; with
    ///   status 1 and no message if standard input is empty, since nothing was chosen.
    package func all(console: Console, standardInput: FileDescriptor = .standardInput) throws(Failure) -> [Int] {
        try list(console: console, standardInput: standardInput).uniqued()
    }

    /// Returns at least one ID, in order. See ``all(console:standardInput:)``.
    package func list(console: Console, standardInput: FileDescriptor = .standardInput) throws(Failure) -> [Int] {
        guard given.isEmpty else { return try Self.numbers(given) }
        guard !StandardDescriptors.isTerminal(standardInput) else {
            throw .usage("name an entry by its ID; 'xpb history' lists them")
        }
        let fields = Self.firstColumns(of: try Self.read(standardInput))
        guard !fields.isEmpty else {
            console.detail("nothing was chosen")
            throw Failure(.nothing, "")
        }
        return try Self.numbers(fields)
    }

    /// Returns the only ID of a command that takes one.
    package func one(console: Console, standardInput: FileDescriptor = .standardInput) throws(Failure) -> Int {
        let all = try all(console: console, standardInput: standardInput)
        guard all.count == 1 else { throw .usage("name only one entry; there are \(all.count)") }
        return all[0]
    }

    static func numbers(_ fields: [String]) throws(Failure) -> [Int] {
        try fields.map { field throws(Failure) -> Int in
            guard field.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let number = Int(field) else {
                throw .usage("'\(field)' is not the ID of an entry; the IDs are in the first column of 'xpb history'")
            }
            return number
        }
    }

    /// Returns the first columns of lines, or of entries ended by NUL, as `xpb history -0` writes them. Blank lines are
    /// skipped.
    static func firstColumns(of input: [UInt8]) -> [String] {
        let end: UInt8 = input.contains(0) ? 0 : 0x0A
        return input.split(separator: end).compactMap { line in
            let field = line.drop { $0 == 0x20 }.prefix { ![0x09, 0x0A, 0x0D, 0x20].contains($0) }
            let isBlank = line.allSatisfy { [0x09, 0x0A, 0x0D, 0x20].contains($0) }
            return isBlank ? nil : String(decoding: field, as: UTF8.self)
        }
    }

    private static func read(_ input: FileDescriptor) throws(Failure) -> [UInt8] {
        // This leaves more than 600 bytes for the line of each entry, at the default limit of 100,000 entries.
        let limit = 64 << 20
        do throws(Errno) {
            let bytes = try input.readToEnd(atMost: limit + 1)
            if bytes.count <= limit { return bytes }
        } catch {
            throw Failure(.broken, "standard input cannot be read to its end: \(error); nothing was changed")
        }
        throw .usage("standard input has more than \(limit) bytes; give it one entry per line")
    }
}
