import FoundationEssentials
import PasteboardWire

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
