import ArgumentParser
import BridgeClient
import PasteboardWire

/// `xpb clear`.
struct ClearCommand: Subcommand {
    static let configuration = CommandConfiguration(commandName: "clear", abstract: "Empty pasteboards.")

    @OptionGroup var common: CommonFlags

    @Option(
        name: .customLong("if-count"),
        help: ArgumentHelp("Change nothing unless the change count is N.", valueName: "N"))
    var ifCount: Int?

    func perform(in session: Session) throws {
        let pasteboards = try session.pasteboards()
        let client = try session.connect()
        let parameters = Methods.Clear.Parameters(
            pasteboards: pasteboards, ifCount: ifCount, timeout: client.timeoutMilliseconds)
        let counts = try client.call(Methods.Clear.self, parameters, isLong: true).reply.counts
        if session.common.json { try session.output.write(json: CountsJSON(pasteboards, counts)) }
    }
}
