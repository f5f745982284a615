import ArgumentParser
import Pasteboard
import PasteboardWire

/// `xpb items`.
struct ItemsCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "items", abstract: "List the items and their types, without fetching data.")

    @OptionGroup var common: CommonFlags

    @Flag(name: .customShort("0"), help: "End each with NUL.")
    var endsWithNUL = false

    func perform(in session: Session) throws {
        let pasteboard = try session.pasteboard()
        let contents = try session.describe(pasteboard)
        if session.common.json {
            try session.output.write(
                json: ItemsJSON(pasteboard: pasteboard, count: contents.count, items: contents.items))
        } else {
            let rows = contents.items.enumerated().flatMap { number, item in
                item.representations.map { [String(number), $0.type] }
            }
            try session.output.write(rows: rows, endingWithNUL: endsWithNUL)
        }
    }
}

/// What `items --json` writes.
private struct ItemsJSON: Encodable {
    let pasteboard: String
    let count: Int
    let items: [WireItem]
}

extension Session {
    /// What a pasteboard holds; that it holds nothing is a failure.
    func describe(_ pasteboard: String, lengths: Bool = false, targets: Bool = false) throws -> Methods.Describe.Reply {
        let client = try connect()
        let parameters = Methods.Describe.Parameters(
            pasteboard: pasteboard, lengths: lengths ? true : nil, targets: targets ? true : nil,
            timeout: client.timeoutMilliseconds)
        let contents = try client.call(Methods.Describe.self, parameters, isLong: lengths).reply
        if contents.items.isEmpty { throw Failure(.nothing, "the pasteboard \(pasteboard) is empty") }
        return contents
    }
}
