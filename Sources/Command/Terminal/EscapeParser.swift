/// A parser of the bytes that a terminal sends: keys, pasted text, and replies to queries (ECMA-48).
///
/// The parser has no clock. A lone Escape looks like the beginning of a sequence, so the caller ends the wait for the
/// rest with ``flush()``.
package struct EscapeParser: Sendable {
    package enum Token: Equatable, Sendable {
        /// A printable character.
        case scalar(Unicode.Scalar)
        /// A control character, below 0x20 or 0x7F.
        case control(UInt8)
        /// Escape and another character, as Alt sends it.
        case alternate(UInt8)
        /// A control sequence: CSI, parameters, a final byte.
        case sequence(parameters: [UInt8], final: UInt8)
        /// A single character after SS3, as some terminals send for function keys.
        case shifted(UInt8)
        /// A string after the introducer `P` (DCS), `]` (OSC), `_` (APC), `^` (PM) or `X` (SOS).
        case string(introducer: UInt8, [UInt8])
    }

    private enum State: Sendable {
        case ground
        case escape
        case sequence([UInt8])
        case shifted
        case string(introducer: UInt8, afterEscape: Bool)
        case character([UInt8], length: Int)
    }

    /// The limit on the bytes of a sequence; longer ones are read to their end and dropped.
    private static let maxSequence = 64
    private static let escape: UInt8 = 0x1B

    private let maxString: Int
    private var state = State.ground
    /// The bytes of the string that is being read.
    private var string: [UInt8] = []

    /// - Parameter maxString: The limit on the bytes of a string; longer ones are read to their end and dropped.
    package init(maxString: Int = 4_096) {
        self.maxString = maxString
    }

    /// True if a sequence is incomplete.
    package var isPending: Bool {
        if case .ground = state { false } else { true }
    }

    /// Returns the tokens that are complete.
    package mutating func feed(_ bytes: some Sequence<UInt8>) -> [Token] {
        var tokens: [Token] = []
        for byte in bytes { take(byte, &tokens) }
        return tokens
    }

    /// Ends the wait for the rest of a sequence. A lone Escape is a key; any other incomplete sequence is dropped.
    package mutating func flush() -> [Token] {
        defer { state = .ground }
        if case .escape = state { return [.control(Self.escape)] }
        return []
    }

    private mutating func take(_ byte: UInt8, _ tokens: inout [Token]) {
        switch state {
        case .ground: begin(byte, &tokens)
        case .escape: takeAfterEscape(byte, &tokens)
        case .sequence(let parameters): takeParameter(byte, after: parameters, &tokens)
        case .shifted:
            state = .ground
            tokens.append(.shifted(byte))
        case .string(let introducer, let afterEscape): takeOfString(byte, introducer, afterEscape, &tokens)
        case .character(let bytes, let length): takeContinuation(byte, after: bytes, length, &tokens)
        }
    }

    private mutating func begin(_ byte: UInt8, _ tokens: inout [Token]) {
        switch byte {
        case Self.escape: state = .escape
        case 0x00...0x1F, 0x7F: tokens.append(.control(byte))
        case 0x20...0x7E: tokens.append(.scalar(Unicode.Scalar(byte)))
        case 0xC2...0xDF: state = .character([byte], length: 2)
        case 0xE0...0xEF: state = .character([byte], length: 3)
        case 0xF0...0xF4: state = .character([byte], length: 4)
        // The byte is not UTF-8.
        default: break
        }
    }

    private mutating func takeAfterEscape(_ byte: UInt8, _ tokens: inout [Token]) {
        state = .ground
        switch byte {
        case Self.escape:
            tokens.append(.control(Self.escape))
            state = .escape
        case UInt8(ascii: "["): state = .sequence([])
        case UInt8(ascii: "O"): state = .shifted
        case UInt8(ascii: "P"), UInt8(ascii: "]"), UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "X"):
            state = .string(introducer: byte, afterEscape: false)
            string.removeAll(keepingCapacity: true)
        default: tokens.append(.alternate(byte))
        }
    }

    private mutating func takeParameter(_ byte: UInt8, after parameters: [UInt8], _ tokens: inout [Token]) {
        switch byte {
        case Self.escape: state = .escape
        case 0x20...0x3F:
            // Parameters one byte over the limit mark a sequence that is dropped.
            state = .sequence(parameters.count > Self.maxSequence ? parameters : parameters + [byte])
        case 0x40...0x7E:
            state = .ground
            if parameters.count <= Self.maxSequence { tokens.append(.sequence(parameters: parameters, final: byte)) }
        default:
            state = .ground
        }
    }

    private mutating func takeOfString(
        _ byte: UInt8, _ introducer: UInt8, _ afterEscape: Bool, _ tokens: inout [Token]
    ) {
        let isEnd = byte == 0x07 || afterEscape && byte == UInt8(ascii: "\\")
        if isEnd {
            state = .ground
            if string.count <= maxString { tokens.append(.string(introducer: introducer, string)) }
        } else if afterEscape {
            // The string was cut off by another sequence.
            state = .escape
            take(byte, &tokens)
        } else if byte == Self.escape {
            state = .string(introducer: introducer, afterEscape: true)
        } else if string.count <= maxString {
            // One byte over the limit marks a string that is dropped.
            string.append(byte)
        }
    }

    private mutating func takeContinuation(
        _ byte: UInt8, after bytes: [UInt8], _ length: Int, _ tokens: inout [Token]
    ) {
        state = .ground
        guard byte & 0xC0 == 0x80 else { return take(byte, &tokens) }
        let bytes = bytes + [byte]
        guard bytes.count == length else {
            state = .character(bytes, length: length)
            return
        }
        if let text = String(validating: bytes, as: UTF8.self), let scalar = text.unicodeScalars.first,
            scalar.properties.generalCategory != .control
        {
            tokens.append(.scalar(scalar))
        }
    }
}
