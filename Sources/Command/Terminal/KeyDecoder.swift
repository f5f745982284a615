/// A key, or text that was typed or pasted.
package enum Key: Equatable, Sendable {
    case text(String)
    /// A letter together with Ctrl, in lower case.
    case control(Character)
    case up, down, left, right, home, end, pageUp, pageDown, delete
    case backspace, tab, enter, escape
}

/// A decoder of keys: those of xterm and the Linux console, with their modifiers ignored.
///
/// Pasted text arrives whole if the terminal brackets it (mode 2004), so that a newline in it is not a Return.
package struct KeyDecoder: Sendable {
    /// The limit on pasted characters; the rest is dropped.
    package static let maxPasted = 4_096

    private var parser = EscapeParser()
    /// The text of a paste that has not ended; nil outside of a paste.
    private var pasted: String.UnicodeScalarView?

    package init() {}

    /// True if a sequence is incomplete. Its rest may never arrive: see ``flush()``.
    package var isPending: Bool { parser.isPending }

    package mutating func feed(_ bytes: some Sequence<UInt8>) -> [Key] {
        parser.feed(bytes).compactMap { key($0) }
    }

    /// Ends the wait for the rest of a sequence, so that a lone Escape is a key.
    package mutating func flush() -> [Key] {
        parser.flush().compactMap { key($0) }
    }

    private mutating func key(_ token: EscapeParser.Token) -> Key? {
        if pasted != nil { return paste(token) }
        switch token {
        case .scalar(let scalar): return .text(String(scalar))
        case .control(let byte): return Self.control(byte)
        case .sequence(let parameters, let final): return sequence(parameters, final)
        // The Return of the number pad.
        case .shifted(UInt8(ascii: "M")): return .enter
        case .shifted(let byte): return Self.movement(byte)
        case .alternate, .string: return nil
        }
    }

    private static func control(_ byte: UInt8) -> Key? {
        switch byte {
        case 0x08, 0x7F: .backspace
        case 0x09: .tab
        case 0x0A, 0x0D: .enter
        case 0x1B: .escape
        case 0x01...0x1A: .control(Character(Unicode.Scalar(byte + 0x60)))
        case 0x1F: .control("_")
        default: nil
        }
    }

    private mutating func sequence(_ parameters: [UInt8], _ final: UInt8) -> Key? {
        guard final == UInt8(ascii: "~") else {
            // A reply to a query has a private mark before its parameters.
            return parameters.allSatisfy { $0 < UInt8(ascii: "<") } ? Self.movement(final) : nil
        }
        let number = parameters.prefix { $0 != UInt8(ascii: ";") }
        switch String(decoding: number, as: UTF8.self) {
        case "1", "7": return .home
        case "3": return .delete
        case "4", "8": return .end
        case "5": return .pageUp
        case "6": return .pageDown
        case "200":
            pasted = String.UnicodeScalarView()
            return nil
        default: return nil
        }
    }

    private static func movement(_ final: UInt8) -> Key? {
        switch final {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "F"): .end
        default: nil
        }
    }

    /// Adds a token of pasted text. Control characters become spaces.
    private mutating func paste(_ token: EscapeParser.Token) -> Key? {
        switch token {
        case .scalar(let scalar): append(scalar)
        case .control: append(" ")
        case .sequence(let parameters, UInt8(ascii: "~")) where parameters == Array("201".utf8):
            defer { pasted = nil }
            return pasted.map { .text(String($0)) }
        default: break
        }
        return nil
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        if pasted?.count ?? 0 < Self.maxPasted { pasted?.append(scalar) }
    }
}
