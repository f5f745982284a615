import ArgumentParser
import BridgeClient
import CommandCore
import FoundationEssentials
import PasteboardWire

struct StatusCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the state of the bridge: display, clients, transfers and store. Starts no bridge.",
        discussion: """
              xpb status
              xpb status --json | jq .transfers
            """)

    @OptionGroup(title: CommonFlags.title) var common: CommonFlags

    func perform(in session: Session) throws {
        let client = try session.connect(start: .never)
        let status = try client.call(Methods.Status.self, .init()).reply
        if session.common.json {
            try session.output.write(json: StatusJSON(status: status, socket: client.path))
        } else {
            var lines: [(String, String?)] = [
                ("version", status.version), ("process", String(status.process)),
                ("display", status.display ?? "none"),
                ("attached", status.display == nil && status.wayland != nil ? nil : status.attached ? "yes" : "no"),
                ("lost", status.lost.map { "\(Moment.text($0)), trying to reconnect" }),
                ("wayland", status.wayland?.text),
                ("clients", String(status.clients)), ("transfers", String(status.transfers)),
                ("bytes", session.output.isTerminal ? ByteSize.text(status.bytes) : String(status.bytes)),
                ("since", Moment.text(status.since)),
                ("manager", status.manager?.managerText), ("store", status.store.text),
            ]
            lines += status.captures.map { ($0.line.key, $0.line.value) }
            lines += (status.losses ?? []).map { ("lost contents", $0.text(at: Date())) }
            lines += (status.links ?? []).map { ("link", $0.text) }
            lines += status.trafficLines(at: Date()).map { ($0.key, $0.value) }
            try session.output.write(keys: lines + [("socket", client.path)])
        }
        if let warning = status.store.warning { session.console.say(warning) }
    }
}

/// The output of `status --json`: the reply of the bridge, and its socket.
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
