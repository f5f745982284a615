import ArgumentParser
import BridgeClient
import FoundationEssentials
import PasteboardWire

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
