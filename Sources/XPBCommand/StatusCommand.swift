import ArgumentParser
import BridgeClient
import FoundationEssentials
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
            var lines: [(String, String?)] = [
                ("version", status.version), ("process", String(status.process)),
                ("display", status.display ?? "none"), ("attached", status.attached ? "yes" : "no"),
                ("lost", status.lost.map { "\(Moment.text($0)), trying to come back" }),
                ("clients", String(status.clients)), ("transfers", String(status.transfers)),
                ("bytes", String(status.bytes)), ("since", Moment.text(status.since)),
                ("manager", status.manager?.managerText), ("store", status.store.text),
            ]
            lines += status.captures.map { ($0.line.key, $0.line.value) }
            lines += status.trafficLines(at: Date()).map { ($0.key, $0.value) }
            try session.output.write(keys: lines + [("socket", client.path)])
        }
        if let warning = status.store.warning { session.console.say(warning) }
    }
}

extension WireStore {
    /// What is told aside where contents are not kept that the user would expect to be.
    var warning: String? {
        switch state {
        case .memory where isWanted: "nothing that is copied outlives the bridge; xpb doctor tells what to do"
        case .refusing: "nothing can be stored, so 'xpb set' is refused; xpb doctor tells what to do"
        case .kept where reason != nil: "what was to be kept last could not be; xpb doctor tells what to do"
        case .memory, .kept: nil
        }
    }

    /// Where contents are kept, and how much, in one line.
    var text: String {
        let why = reason.map { ": \($0)" } ?? ""
        let count = "\(entries) \(entries == 1 ? "entry" : "entries") of the history\(paused ? " (paused)" : "")"
        return switch state {
        case .memory: "none, contents end with the bridge\(why)"
        case .refusing: "unusable, so what should be kept is refused\(why)"
        case .kept:
            "\(folder ?? ""), \(count), \(ByteSize.text(length))"
                + (reason.map { "; what was to be kept last could not be: \($0)" } ?? "")
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
        case .captured: ("captured", "\(pasteboard) \(count): \(types) (\(ByteSize.text(length)))\(note)")
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

extension WireOwner {
    /// Who has the role of the display's clipboard manager.
    fileprivate var managerText: String {
        switch kind {
        case .none: "none"
        case .client: "this bridge"
        case .window: "\(program ?? "another program")\(process.map { " (process \($0))" } ?? "")"
        }
    }
}

extension Methods.Status.Reply {
    /// What is under way, the limits that are nearly used up or were in somebody's way, and what was refused.
    func trafficLines(at now: Date) -> [(key: String, value: String)] {
        underway.map { ("transfer", $0.text) } + limits.filter(\.isWorthTelling).map { ("limit", $0.text) }
            + refusals.map { ("refused", $0.text(at: now)) }
    }
}

extension WireTransfer {
    /// In one line: where it goes, how far it is, how old, and how long nothing moved.
    var text: String {
        let isSending = direction == .sending
        let program = program ?? (process == nil && ended == nil ? "" : "a program")
        let peer =
            program.isEmpty
            ? ""
            : " \(isSending ? "to" : "from") \(program)\(process.map { " (\($0))" } ?? ended.map { " (its \(WireOwner.text(ended: $0)))" } ?? "")"
        let amount = ByteSize.text(bytes) + (length.map { " of \(ByteSize.text($0))" } ?? "")
        let quiet = silence < 1_000 ? "" : ", silent for \(silence / 1_000)s"
        return "\(direction.rawValue) \(type) on \(selection)\(peer): \(amount), \(age / 1_000)s old\(quiet)"
    }
}

extension WireOwner {
    /// Of one whose connection another has.
    static func text(ended process: Int) -> String { "process \(process) has ended; a child of it has the connection" }
}

extension WireLimit {
    /// Whether something was refused or ended for it, or will be soon: four fifths are used.
    var isWorthTelling: Bool { refused > 0 || ended > 0 || used > 0 && used >= limit - limit / 5 }

    /// The setting's name, its use, and what came of it.
    var text: String {
        let isOfBytes =
            name.hasSuffix("-bytes") || name.hasSuffix("-incoming")
            || ["limit-message", "limit-watch-queue"].contains(name)
        func amount(_ value: Int) -> String { isOfBytes ? ByteSize.text(value) : String(value) }
        // Of a limit for each there is no use in all.
        let use = used > 0 ? "\(amount(used)) of \(amount(limit))" : amount(limit)
        let outcomes = [refused > 0 ? "\(refused) refused" : nil, ended > 0 ? "\(ended) ended" : nil]
        let most = process.map { ["most by \(program ?? "a program") (\($0))"] } ?? []
        return (["\(name): \(use)"] + outcomes.compactMap(\.self) + most).joined(separator: ", ")
    }
}

extension WireRefusal {
    func text(at now: Date) -> String {
        let ago = "\(Age.text(since: last, at: now)) ago"
        return count == 1 ? "\(reason), once, \(ago)" : "\(reason), \(count) times, last \(ago)"
    }
}
