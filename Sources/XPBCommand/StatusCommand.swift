import ArgumentParser
import Pasteboard
import PasteboardWire

/// `xpb status`.
struct StatusCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Tell about the bridge, its display, clients and transfers. Starts none.")

    @OptionGroup var common: CommonFlags

    func perform(in session: Session) throws {
        let status = try session.connect(start: .never).call(Methods.Status.self, .init()).reply
        if session.common.json {
            try session.output.write(json: status)
        } else {
            try session.output.write(keys: [
                ("version", status.version), ("process", String(status.process)),
                ("display", status.display ?? "none"), ("attached", status.attached ? "yes" : "no"),
                ("clients", String(status.clients)), ("transfers", String(status.transfers)),
                ("bytes", String(status.bytes)), ("since", Moment.text(status.since)),
            ])
        }
    }
}
