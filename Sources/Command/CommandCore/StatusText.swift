package import FoundationEssentials
package import PasteboardWire

extension WireWaylandDisplay {
    /// The display and its seat, in one line.
    package var text: String {
        guard attached else { return "\(name), not attached\(reason.map { ": \($0)" } ?? "")" }
        let seat = seat.map { ", \($0)" } ?? ""
        return "\(name)\(seat), \(self.protocol ?? "")\(primary == false ? ", without a primary selection" : "")"
    }
}

extension WireStore {
    /// True if the user can expect contents to be stored, according to the settings and the display.
    package var isWanted: Bool {
        cause.map { ![.unwanted, .forwarded, .off].contains($0) } ?? false
    }

    /// The warning if contents are not stored although the user can expect it; otherwise nil.
    package var warning: String? {
        switch state {
        case .memory where isWanted: "copied contents do not outlive the bridge; 'xpb doctor' shows the next step"
        case .refusing: "nothing can be stored, so 'xpb set' is refused; 'xpb doctor' shows the next step"
        case .kept where reason != nil: "the latest contents could not be stored; 'xpb doctor' shows the next step"
        case .memory, .kept: nil
        }
    }

    /// The place and size of the store, in one line.
    package var text: String {
        let why = reason.map { ": \($0)" } ?? ""
        let count = "\(entries) \(entries == 1 ? "entry" : "entries") of the history\(paused ? " (paused)" : "")"
        return switch state {
        case .memory: "none, contents end with the bridge\(why)"
        case .refusing: "unusable, so contents to be stored are refused\(why)"
        case .kept:
            "\(folder ?? ""), \(count), \(ByteSize.text(length))"
                + (reason.map { "; the latest contents could not be stored: \($0)" } ?? "")
        }
    }
}

extension WireCapture {
    /// The capture of a pasteboard, in one line: name, count, types and their size.
    package var line: (key: String, value: String) {
        let types = types.joined(separator: ", ")
        let note = reason.map { "; \($0)" } ?? ""
        return switch state {
        case .waiting, .taking: ("capturing", "\(pasteboard) \(count)")
        case .captured: ("captured", "\(pasteboard) \(count): \(types) (\(ByteSize.text(length)))\(note)")
        case .skipped: ("not captured", "\(pasteboard) \(count): \(reason ?? "")")
        }
    }
}

extension WireOwner {
    /// The program that has the role of the display's clipboard manager.
    package var managerText: String {
        switch kind {
        // No Wayland program has this role.
        case .none, .wayland: "none"
        case .client: "this bridge"
        case .window: "\(program ?? "another program")\(process.map { " (process \($0))" } ?? "")"
        }
    }
}

extension Methods.Status.Reply {
    /// Returns lines for transfers under way, for limits that are nearly reached or were exceeded, and for refusals.
    package func trafficLines(at now: Date) -> [(key: String, value: String)] {
        underway.map { ("transfer", $0.text) } + limits.filter(\.isRelevant).map { ("limit", $0.text) }
            + refusals.map { ("refused", $0.text(at: now)) }
    }
}

extension WireTransfer {
    /// The transfer in one line: its direction and peer, its progress, its age, and the time without progress.
    package var text: String {
        let isSending = direction == .sending
        let program = program ?? (process == nil && ended == nil ? "" : "a program")
        let note = process.map { " (\($0))" } ?? ended.map { " (its \(WireOwner.text(ended: $0)))" } ?? ""
        let peer = program.isEmpty ? "" : " \(isSending ? "to" : "from") \(program)\(note)"
        let amount = ByteSize.text(bytes) + (length.map { " of \(ByteSize.text($0))" } ?? "")
        let idle = silence < 1_000 ? "" : ", silent for \(silence / 1_000)s"
        return "\(direction.rawValue) \(type) on \(selection)\(peer): \(amount), \(age / 1_000)s old\(idle)"
    }
}

extension WireOwner {
    /// Returns a note on an owner whose connection another process has inherited.
    package static func text(ended process: Int) -> String {
        "process \(process) has ended; a child of it has the connection"
    }
}

extension WireLimit {
    /// True if something was refused or ended because of the limit, or four fifths of the limit are used.
    package var isRelevant: Bool { refused > 0 || ended > 0 || used > 0 && used >= limit - limit / 5 }

    /// The limit in one line: the name of the setting, its use, and the refusals.
    package var text: String {
        let isOfBytes =
            name.hasSuffix("-bytes") || name.hasSuffix("-incoming")
            || ["limit-message", "limit-watch-queue"].contains(name)
        func amount(_ value: Int) -> String { isOfBytes ? ByteSize.text(value) : String(value) }
        // A limit on each client has no total use.
        let use = used > 0 ? "\(amount(used)) of \(amount(limit))" : amount(limit)
        let outcomes = [refused > 0 ? "\(refused) refused" : nil, ended > 0 ? "\(ended) ended" : nil]
        let most = process.map { ["most by \(program ?? "a program") (\($0))"] } ?? []
        return (["\(name): \(use)"] + outcomes.compactMap(\.self) + most).joined(separator: ", ")
    }
}

extension WireLoss {
    /// The contents and the reason in one line, such as `general 103 of gimp: image/png did not arrive within 8 s`.
    package func text(at now: Date) -> String {
        let program = program.map { " of \($0)" } ?? ""
        let types = types.isEmpty ? "" : " (\(types.joined(separator: ", ")))"
        return "\(pasteboard) \(count)\(program)\(types), \(Age.text(since: time, at: now)) ago: \(reason)"
    }
}

extension WireRefusal {
    package func text(at now: Date) -> String {
        let ago = "\(Age.text(since: last, at: now)) ago"
        return count == 1 ? "\(reason), once, \(ago)" : "\(reason), \(count) times, last \(ago)"
    }
}

extension WireLink {
    /// The link in one line, such as `server: up, 2 connections, 14 calls, 1 refused; allows clear count set types`.
    package var text: String {
        let state = "\(attached ? "up" : "down")\(reason.map { " (\($0))" } ?? "")"
        var parts = [state, connections == 1 ? "1 connection" : "\(connections) connections", "\(calls) calls"]
        if refused > 0 { parts.append("\(refused) refused") }
        let opened = (shared ? "shares general; " : "") + "allows \(allowed.joined(separator: " "))"
        return "\(name): \(parts.joined(separator: ", ")); \(opened)"
    }
}
