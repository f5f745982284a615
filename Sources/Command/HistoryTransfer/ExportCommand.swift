package import ArgumentParser
import BridgeClient
package import CommandCore
import LinuxSystem
import PasteboardWire
import SystemPackage

package struct HistoryExportCommand: PasteboardSubcommand {
    package static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write the history as lines of JSON, oldest entry first.",
        discussion: """
            Each line has the time, the program and the contents of an entry: 'text', or 'types' with text or with \
            data in base64. 'xpb history import jsonl' reads the lines. All entries are written, or those of the \
            pasteboards that -p names. Secrets are not in the history, and so not in the file.

              xpb history export -o history.jsonl
              xpb history export | jq -r '.text // empty'
            """)

    @Option(name: .shortAndLong, help: ArgumentHelp("Write to a file.", valueName: "FILE"), completion: .file())
    package var output: String?

    @OptionGroup package var pasteboards: PasteboardFlags
    @OptionGroup(title: CommonFlags.title) package var common: CommonFlags

    package init() {}

    package func perform(in session: Session) throws {
        guard !session.common.json else { throw Failure.usage("each line is JSON already; leave out --json") }
        let names: [String?] = session.common.pasteboards.isEmpty ? [nil] : try session.pasteboards()
        let client = try session.connect()
        // Each representation of an entry may be a separate file.
        DescriptorLimit.raise(to: 4_096)
        var entries: [WireHistoryEntry] = []
        for name in names {
            try client.stream(
                Methods.History.self, .init(pasteboard: name), timeoutFor: .everyReply
            ) { reply, _ in
                entries += reply.entries
                return true
            }
        }
        entries.sort { $0.id < $1.id }
        guard !entries.isEmpty else { throw Failure(.nothing, "the history is empty") }
        guard let path = output, path != "-" else {
            for entry in entries { try write(entry, by: client) { try session.output.write($0) } }
            return
        }
        try FileOutput.write(to: path) { file in
            for entry in entries { try write(entry, by: client) { try file.writeBytes($0) } }
        }
        session.console.say("\(entries.count.counting("line")) written to \(path)")
    }

    private func write(
        _ entry: WireHistoryEntry, by client: BridgeClient, _ body: ([UInt8]) throws -> Void
    ) throws {
        let described: Methods.Describe.Reply
        let contents: FetchedContents
        do throws(BridgeClientError) {
            contents = try client.fetch(pasteboard: entry.pasteboard, entry: entry.id)
            described = try client.call(
                Methods.Describe.self, .init(pasteboard: entry.pasteboard, entry: entry.id)
            ).reply
        } catch {
            // The entry was deleted after it was listed.
            if error.code == .noSuchEntry { return }
            throw Failure(error)
        }
        if let problem = contents.problem { throw Failure(problem.status, "entry \(entry.id): \(problem.message)") }
        var transferred = TransferredEntry(
            items: try Self.items(of: contents), created: entry.created, isPinned: entry.pinned)
        (transferred.program, transferred.action) = (entry.program, entry.action)
        transferred.pasteboard = entry.pasteboard == "general" ? nil : entry.pasteboard
        transferred.isLocalOnly = described.options?.localOnly == true
        try body(try JSONLines.text(of: transferred))
    }

    private static func items(of contents: FetchedContents) throws -> [[TransferredEntry.Representation]] {
        try contents.items.map { item in
            try item.compactMap { part in
                guard case .range(let held, let range) = part.bytes, let file = held.file else { return nil }
                return TransferredEntry.Representation(
                    type: part.type, target: part.target, exact: part.exact, bytes: try file.bytes(in: range))
            }
        }
    }
}
