import ArgumentParser
import BridgeClient
import CommandCore
package import PasteboardWire
import UniformTypes

struct ItemsCommand: PasteboardSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "items", abstract: "List the items and their types, without fetching data.",
        discussion: """
            Each line is ITEM<TAB>IDENTIFIER, with items counted from 0. With --targets, and for a type without a \
            known identifier, it is ITEM<TAB>TARGET. For several pasteboards, each line begins with the pasteboard.

              xpb items
              xpb items --all
            """)

    @Flag(help: "List the X11 targets; a type may have several.")
    var targets = false

    @Flag(help: "List all pasteboards; empty ones have no line.")
    var all = false

    @Flag(name: .customShort("0"), help: "End each line with NUL instead of a newline.")
    var endsWithNUL = false

    @OptionGroup var pasteboards: PasteboardFlags
    @OptionGroup(title: CommonFlags.title) var common: CommonFlags

    func perform(in session: Session) throws {
        guard !all else { return try performAll(in: session) }
        let pasteboards = try session.pasteboards()
        let client = try session.connect()
        var found: [ItemsJSON] = []
        let result = Result { () throws(Failure) in
            try session.forEach(pasteboards) { pasteboard in
                let contents = try session.describe(pasteboard, by: client, targets: targets)
                let items = ItemsJSON(pasteboard: pasteboard, count: contents.count, items: contents.items)
                found.append(items)
                guard !session.common.json else { return }
                let rows = pasteboards.count > 1 ? items.rowsWithName(targets) : items.rows(targets: targets)
                try session.output.write(rows: rows, endingWithNUL: endsWithNUL)
            }
        }
        // Pasteboards that could be described are written before the others fail.
        if session.common.json, pasteboards.count > 1 {
            try session.output.write(json: ["pasteboards": found])
        } else if session.common.json, let items = found.first {
            try session.output.write(json: items)
        }
        try result.get()
    }

    private func performAll(in session: Session) throws {
        guard session.common.pasteboards.isEmpty else {
            throw Failure.usage("--all and -p exclude each other")
        }
        let client = try session.connect()
        let boards = try client.call(Methods.List.self, .init()).reply.boards
        var found: [ItemsJSON] = []
        let result = Result { () throws(Failure) in
            try session.forEach(boards.map(\.name)) { name in
                let count = boards.first { $0.name == name }?.count ?? 0
                if let one = try items(of: name, count: count, in: session, by: client) { found.append(one) }
            }
        }
        if session.common.json {
            try session.output.write(json: ["pasteboards": found])
        } else {
            try session.output.write(rows: found.flatMap { $0.rowsWithName(targets) }, endingWithNUL: endsWithNUL)
        }
        try result.get()
        if found.allSatisfy(\.items.isEmpty) { throw Failure(.nothing, "every pasteboard is empty") }
    }

    /// Returns the items of a pasteboard; nil if it was removed before it could be described.
    private func items(
        of pasteboard: String, count: Int, in session: Session, by client: BridgeClient
    ) throws -> ItemsJSON? {
        do {
            let contents = try session.describe(pasteboard, by: client, targets: targets)
            return ItemsJSON(pasteboard: pasteboard, count: contents.count, items: contents.items)
        } catch let error as BridgeClientError where error.code == .empty {
            return ItemsJSON(pasteboard: pasteboard, count: count, items: [])
        } catch let error as BridgeClientError where error.code == .noSuchPasteboard {
            return nil
        }
    }
}

package struct ItemsJSON: Encodable {
    package let pasteboard: String
    package let count: Int
    package let items: [WireItem]

    /// Returns rows of an item and an identifier, each once, or of an item and a target.
    package func rows(targets: Bool = false) -> [[String]] {
        items.enumerated().flatMap { number, item in
            let names =
                targets ? item.targets ?? [] : item.representations.map { TypesJSON.Entry($0, withLength: false).name }
            // A type has a representation for each of its X11 targets.
            return names.uniqued().map { [String(number), $0] }
        }
    }

    func rowsWithName(_ targets: Bool) -> [[String]] { rows(targets: targets).map { [pasteboard] + $0 } }
}
