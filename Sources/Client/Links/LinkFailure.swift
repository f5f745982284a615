import SystemPackage

/// The reason why another machine cannot be linked.
package enum LinkFailure: Error, Equatable {
    /// ssh cannot reach the machine, or cannot log in.
    case unreachable(host: String, messages: [String], hasTerminal: Bool)
    /// The machine is reached, but its xpb does not start in time.
    case silent(host: String, Duration)
    /// The machine has no xpb.
    case notInstalled(host: String)
    /// The machine's xpb does not support links.
    case tooOld(host: String)
    /// The machine's xpb failed.
    case remote(host: String, status: Int32, messages: [String])
    /// The socket could not be forwarded.
    case notForwarded(host: String, messages: [String])
    /// The pasteboards cannot be shared.
    case sharing(host: String, String)
    /// The machine is this one.
    case sameMachine(host: String)
    /// A socket of this machine cannot be made.
    case local(String)

    /// Interprets the end of ssh before the machine was reached.
    package init(_ end: SSHEnd, host: String, hasTerminal: Bool) {
        switch end.status {
        case 255: self = .unreachable(host: host, messages: end.messages, hasTerminal: hasTerminal)
        case 126, 127: self = .notInstalled(host: host)
        case 2, 64: self = .tooOld(host: host)
        default: self = .remote(host: host, status: end.status, messages: end.messages)
        }
    }

    /// The failure to start ssh.
    static func withoutSSH(_ error: Errno) -> Self { .local("ssh cannot be run: \(error); install OpenSSH") }

    /// The cause and the next step, for the user.
    package var message: String {
        switch self {
        case .unreachable(let host, let messages, let hasTerminal):
            let words = Self.essence(of: messages)
            let reason = words.isEmpty ? "the connection ended" : words
            let asks = !hasTerminal && words.contains("Permission denied")
            let advice = asks ? "; there is no terminal to ask for a password, so use a key or an agent" : ""
            return "\(host) cannot be reached: ssh says: \(reason)\(advice)"
        case .silent(let host, let timeout): return "\(host) did not answer within \(timeout.components.seconds) s"
        case .notInstalled(let host):
            return "\(host) has no xpb in PATH or ~/.local/bin; 'xpb link \(host) --install' copies this one there"
        case .tooOld(let host):
            return "the xpb on \(host) has no 'link'; update it, or replace it with 'xpb link \(host) --install'"
        case .remote(let host, let status, let messages):
            let words = Self.essence(of: messages)
            return "on \(host): \(words.isEmpty ? "xpb ended with status \(status)" : words)"
        case .notForwarded(let host, let messages):
            return "\(host) does not forward the socket: ssh says: \(Self.essence(of: messages)); "
                + "its sshd_config may have 'AllowStreamLocalForwarding no'"
        case .sharing(let host, let reason): return "the pasteboard cannot be shared with \(host): \(reason)"
        case .sameMachine(let host): return "\(host) is this machine, which needs no link to itself"
        case .local(let reason): return reason
        }
    }

    /// The maximum number of ssh's lines in a message.
    private static let maxLines = 3

    /// Returns the last meaningful lines, joined into one.
    private static func essence(of messages: [String]) -> String {
        var lines = messages.filter { line in
            line.contains(where: \.isLetter) && !line.hasPrefix("@") && !line.hasPrefix("Warning: Permanently added")
        }
        // ssh explains a changed host key in many lines: only the headline and the last two lines are kept.
        if let changed = messages.first(where: { $0.contains("IDENTIFICATION HAS CHANGED") }) {
            lines = [changed.filter { $0 != "@" }.trimmed] + lines.suffix(2)
        }
        return lines.suffix(maxLines).map(\.trimmed).joined(separator: "; ")
    }
}

extension String {
    fileprivate var trimmed: String {
        let start = drop { $0.isWhitespace }
        return String(start.reversed().drop { $0.isWhitespace || $0 == "." }.reversed())
    }
}
