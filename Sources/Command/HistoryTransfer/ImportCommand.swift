package import ArgumentParser
import BridgeClient
package import CommandCore
import LinuxSystem
import PasteboardWire
import SystemPackage

package struct HistoryImportCommand: Subcommand {
    package static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Add the history of another clipboard manager, or an exported one.",
        discussion: """
            FORMAT is one of:

            \(ImportFormat.help)

            Without a FILE, the manager's own is read. Either all entries are added or none; passwords and entries \
            that are already in the history are left out. New entries come before all others, and keep their times \
            and pins.

              xpb history import gpaste
              xpb history import jsonl history.jsonl
            """)

    @Argument(
        help: ArgumentHelp("The clipboard manager, or jsonl.", valueName: "FORMAT"),
        completion: .list(ImportFormat.names))
    var format: String

    @Argument(help: ArgumentHelp("The file to read; - is standard input.", valueName: "FILE"), completion: .file())
    var file: String?

    @OptionGroup(title: CommonFlags.title) package var common: CommonFlags

    package init() {}

    package func perform(in session: Session) throws {
        let format = try ImportFormat.parse(format)
        var entries = try Failure.of("nothing was imported") { () throws(TransferFault) in try EntryFile() }
        let source = ImportSource(file, environment: session.environment)
        try Failure.of("nothing was imported") { () throws(TransferFault) in
            try format.read(source) { entry throws(TransferFault) in
                if !entry.isEmpty { try entries.append(entry) }
            }
        }
        for notice in source.notices { session.console.say(notice) }
        guard entries.count > 0 else { throw Failure(.nothing, "there are no entries to import") }
        let reply = try send(entries, in: session)
        session.console.say(Self.sentence(reply))
        if session.common.json { try session.output.write(json: ImportJSON(reply)) }
    }

    private func send(_ entries: EntryFile, in session: Session) throws -> Methods.ImportHistory.Reply {
        let file = try Failure.of("nothing was imported") { () throws(TransferFault) in try entries.seal() }
        let client = try session.connect()
        let bytes = WireBytes(descriptor: 0, offset: 0, length: file.length)
        let progress = ImportProgress(total: entries.count)
        return try session.console.showingProgress({ progress.shown }) {
            var last: Methods.ImportHistory.Reply?
            try client.stream(
                Methods.ImportHistory.self, .init(entries: bytes), descriptors: [file.descriptor],
                timeoutFor: .everyReply
            ) { reply, _ in
                progress.note(reply)
                last = reply
                return true
            }
            guard let last, last.complete == true else {
                throw Failure(.broken, "the bridge ended during the import; 'xpb history' shows whether it succeeded")
            }
            return last
        }
    }

    private static func sentence(_ reply: Methods.ImportHistory.Reply) -> String {
        func entries(_ count: Int) -> String { "\(count) \(count == 1 ? "entry" : "entries")" }
        var parts = ["\(entries(reply.added)) imported"]
        if reply.known > 0 { parts.append("\(entries(reply.known)) in the history already") }
        if reply.old > 0 { parts.append("\(entries(reply.old)) older than 'history-age'") }
        if reply.secret > 0 { parts.append("\(entries(reply.secret)) left out as secret") }
        return parts.joined(separator: ", ")
    }
}

/// The output with `--json`.
private struct ImportJSON: Encodable {
    let added: Int
    let known: Int
    let old: Int
    let secret: Int

    init(_ reply: Methods.ImportHistory.Reply) {
        (added, known, old, secret) = (reply.added, reply.known, reply.old, reply.secret)
    }
}

extension Failure {
    /// Calls `body`, and turns the reason why it cannot import into a failure.
    fileprivate static func of<Value>(
        _ outcome: String, _ body: () throws(TransferFault) -> Value
    ) throws(Failure) -> Value {
        do {
            return try body()
        } catch {
            throw .usage("\(error.message); \(outcome)")
        }
    }
}
