import ArgumentParser
import Pasteboard
import PasteboardWire

/// `xpb status`.
struct StatusCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Tell about the bridge, its display, clients and transfers. Starts none.")

    @OptionGroup var common: CommonFlags

    func perform(in session: Session) throws {
        let client = try session.connect(start: .never)
        let status = try client.call(Methods.Status.self, .init()).reply
        if session.common.json {
            try session.output.write(json: StatusJSON(status: status, socket: client.path))
        } else {
            let lost = status.lost.map { [("lost", "\(Moment.text($0)), trying to come back")] }
            try session.output.write(
                keys: [
                    ("version", status.version), ("process", String(status.process)),
                    ("display", status.display ?? "none"), ("attached", status.attached ? "yes" : "no"),
                ] + (lost ?? []) + [
                    ("clients", String(status.clients)), ("transfers", String(status.transfers)),
                    ("bytes", String(status.bytes)), ("since", Moment.text(status.since)),
                ] + status.captures.map(\.line) + [("socket", client.path)])
        }
    }
}

extension WireCapture {
    /// What is captured of a pasteboard, in one line: its name, its count, and the types with what they come to.
    var line: (key: String, value: String) {
        let types = types.joined(separator: ", ")
        let note = reason.map { "; \($0)" } ?? ""
        return switch state {
        case .waiting, .taking: ("capturing", "\(pasteboard) \(count)")
        case .captured: ("captured", "\(pasteboard) \(count): \(types) (\(Size.text(length)))\(note)")
        case .skipped: ("not captured", "\(pasteboard) \(count): \(reason ?? "")")
        }
    }
}

/// What `status --json` writes: what the bridge says, and where it listens.
private struct StatusJSON: Encodable {
    let status: Methods.Status.Reply
    let socket: String

    private enum Keys: String, CodingKey { case socket }

    func encode(to encoder: any Encoder) throws {
        try status.encode(to: encoder)
        var members = encoder.container(keyedBy: Keys.self)
        try members.encode(socket, forKey: .socket)
    }
}
