import FoundationEssentials

/// The packets of OSC 5522, by which a program exchanges clipboard contents of any type with its terminal; see "Copying
/// all data types to the clipboard" in kitty's documentation.
///
/// A request and the terminal's replies have the same `id`. Replies to another program's request, which may arrive
/// late, are ignored.
package struct ClipboardPacket: Sendable {
    /// The limit on the bytes of a piece of contents, before they are encoded.
    package static let maxPiece = 4_096

    /// The request's identifier: letters and digits.
    package let id: String
    /// True for the selection PRIMARY instead of CLIPBOARD.
    package let isPrimary: Bool

    package init(id: String = "xpb" + String(UInt64.random(in: .min ... .max), radix: 36), isPrimary: Bool) {
        self.id = id
        self.isPrimary = isPrimary
    }

    /// Requests the list of types, which terminals give without asking the user.
    package var list: [UInt8] { packet("type=read\(location)", Array(".".utf8)) }

    /// Requests contents of a type.
    package func read(_ type: String) -> [UInt8] { packet("type=read\(location)", Array(type.utf8)) }

    /// Begins contents to write. The pieces of each type follow, one type after another, and then ``endOfWriting``.
    package var beginningOfWriting: [UInt8] { packet("type=write\(location)") }

    package func piece(_ bytes: [UInt8], of type: String) -> [UInt8] {
        packet("type=wdata:mime=\(Self.encoded(Array(type.utf8)))", bytes)
    }

    package var endOfWriting: [UInt8] { packet("type=wdata") }

    private var location: String { isPrimary ? ":loc=primary" : "" }

    private func packet(_ metadata: String, _ payload: [UInt8]? = nil) -> [UInt8] {
        let text = "\u{1B}]5522;\(metadata):id=\(id)" + (payload.map { ";" + Self.encoded($0) } ?? "") + "\u{1B}\\"
        return Array(text.utf8)
    }

    private static func encoded(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}

/// A parser of a terminal's replies to ``ClipboardPacket``s. Keys and other sequences among them are dropped.
package struct ClipboardReplies: Sendable {
    package enum Reply: Equatable, Sendable {
        /// The user, or the terminal's settings, allow the request; the contents follow.
        case accepted
        /// A piece of contents. In a list, the bytes are the types, with spaces between them.
        case piece([UInt8])
        /// All contents were sent, or all were received.
        case done
        /// The terminal's code, such as `EPERM`.
        case refused(String)
        /// A reply that cannot be decoded.
        case damaged
        /// The primary device attributes (DA1), which every terminal reports if it is asked.
        case attributes
    }

    /// The limit on the bytes of a reply. The encoding makes four of three bytes.
    private static let maxReply = ClipboardPacket.maxPiece * 2

    private let id: String
    private var parser = EscapeParser(maxString: maxReply)

    /// - Parameter id: The identifier of the request.
    package init(id: String) {
        self.id = id
    }

    package mutating func feed(_ bytes: some Sequence<UInt8>) -> [Reply] {
        parser.feed(bytes).compactMap { token in
            switch token {
            case .sequence(let parameters, UInt8(ascii: "c")) where parameters.first == UInt8(ascii: "?"): .attributes
            case .string(UInt8(ascii: "]"), let bytes): reply(String(decoding: bytes, as: UTF8.self))
            default: nil
            }
        }
    }

    private func reply(_ text: String) -> Reply? {
        let parts = text.split(separator: ";", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, parts[0] == "5522" else { return nil }
        var fields: [Substring: Substring] = [:]
        for field in parts[1].split(separator: ":") {
            let pair = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.count == 2 { fields[pair[0]] = pair[1] }
        }
        guard fields["id"] == id[...] else { return nil }
        switch fields["status"] {
        case "OK": return .accepted
        case "DONE": return .done
        case "DATA":
            let data = Data(base64Encoded: parts.count == 3 ? String(parts[2]) : "")
            return data.map { .piece(Array($0)) } ?? .damaged
        case let code?: return .refused(String(code))
        case nil: return .damaged
        }
    }
}
