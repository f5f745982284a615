import ArgumentParser
import BridgeClient
import PasteboardWire

/// `xpb count`.
struct CountCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "count", abstract: "Write the change count: it rises with every change, and never goes back.")

    @OptionGroup var common: CommonFlags

    func perform(in session: Session) throws { try Self.perform(in: session) }

    static func perform(in session: Session) throws {
        let pasteboards = try session.pasteboards()
        let client = try session.connect()
        let counts = try pasteboards.map { name in
            try client.call(Methods.Count.self, .init(pasteboard: name)).reply.count
        }
        if session.common.json {
            try session.output.write(json: CountsJSON(pasteboards, counts))
        } else {
            try session.output.write(counts.map { "\($0)\n" }.joined())
        }
    }
}
