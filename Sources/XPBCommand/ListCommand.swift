import ArgumentParser
import BridgeClient
import PasteboardWire

/// `xpb list`.
struct ListCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the pasteboards: name, selection, count, items, owner, persistent or session.")

    @OptionGroup var common: CommonFlags

    @Flag(name: .customShort("0"), help: "End each with NUL.")
    var endsWithNUL = false

    func perform(in session: Session) throws {
        guard session.common.pasteboards.isEmpty else {
            throw Failure.usage("list is about all pasteboards; leave -p out")
        }
        let boards = try session.connect().call(Methods.List.self, .init()).reply.boards
        if session.common.json {
            try session.output.write(json: ListJSON(pasteboards: boards))
        } else {
            try session.output.write(rows: boards.map(Self.row), endingWithNUL: endsWithNUL)
        }
    }

    static func row(_ board: WireBoard) -> [String] {
        [
            board.name, board.selection, String(board.count), String(board.items), owner(board.owner),
            board.persistent ? "persistent" : "session",
        ]
    }

    private static func owner(_ owner: WireOwner) -> String {
        switch owner.kind {
        case .none: "none"
        case .client, .window: owner.program ?? owner.window.map { "0x" + String($0, radix: 16) } ?? owner.kind.rawValue
        }
    }
}

/// What `list --json` writes.
private struct ListJSON: Encodable {
    let pasteboards: [WireBoard]
}
