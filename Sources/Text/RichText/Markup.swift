import Formats

/// The name of an element, an attribute, a CSS property or an RTF control word: ASCII, compared without regard to case.
///
/// Only the first 24 bytes of a name are compared. All names with a meaning here are shorter.
struct MarkupName: Hashable, Sendable {
    private let head: UInt128
    private let tail: UInt64

    init(_ name: String) {
        self.init(Array(name.utf8)[...])
    }

    init(_ bytes: ArraySlice<UInt8>) {
        var head: UInt128 = 0
        var tail: UInt64 = 0
        for byte in bytes.prefix(16) { head = head << 8 | UInt128(byte.asciiLowercased) }
        for byte in bytes.dropFirst(16).prefix(8) { tail = tail << 8 | UInt64(byte.asciiLowercased) }
        self.head = head
        self.tail = tail
    }

    /// Returns a hash below `count`, a power of two. Equal names have equal hashes.
    func bucket(of count: Int) -> Int {
        let folded = UInt64(truncatingIfNeeded: head) ^ UInt64(truncatingIfNeeded: head >> 64) ^ tail
        return Int((folded &* 0x9E37_79B9_7F4A_7C15) >> 40) & (count - 1)
    }
}

extension Dictionary where Key == MarkupName {
    /// - Parameter groups: Each value, after its names, which are separated by spaces.
    init(groups: [(String, Value)]) {
        self.init()
        for (names, value) in groups {
            for name in names.split(separator: " ") { self[MarkupName(String(name))] = value }
        }
    }
}

extension UInt8 {
    /// True for the five characters that HTML defines as white space.
    var isHTMLSpace: Bool { self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D || self == 0x0C }
}

extension ArraySlice<UInt8> {
    /// The bytes without white space at both ends.
    var trimmed: Self {
        var slice = self
        while let first = slice.first, first.isHTMLSpace { slice = slice.dropFirst() }
        while let last = slice.last, last.isHTMLSpace { slice = slice.dropLast() }
        return slice
    }

    /// Returns the first words, which are separated by white space.
    @inline(never) func words(upTo limit: Int) -> [Self] {
        var words: [Self] = []
        var rest = self
        while words.count < limit, let start = rest.firstIndex(where: { !$0.isHTMLSpace }) {
            rest = rest[start...]
            let end = rest.firstIndex(where: \.isHTMLSpace) ?? rest.endIndex
            words.append(rest[..<end])
            rest = rest[end...]
        }
        return words
    }

    var asciiLowercasedString: String { String(decoding: map(\.asciiLowercased), as: UTF8.self) }
}

/// A buffer in which a writer assembles markup.
struct MarkupBuffer {
    private(set) var bytes: [UInt8] = []

    var string: String { String(decoding: bytes, as: UTF8.self) }

    mutating func append(_ text: some StringProtocol) {
        bytes.append(contentsOf: text.utf8)
    }

    mutating func append(_ byte: UInt8) {
        bytes.append(byte)
    }

    /// Appends text, or the value of an attribute, as HTML. Control characters that HTML cannot contain are left out.
    mutating func appendHTML(_ text: some StringProtocol) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): append("&amp;")
            case UInt8(ascii: "<"): append("&lt;")
            case UInt8(ascii: ">"): append("&gt;")
            case UInt8(ascii: "\""): append("&quot;")
            case 0..<0x20 where byte != 0x09 && byte != 0x0A: break
            default: append(byte)
            }
        }
    }

    /// Appends text as RTF, in ASCII. Each UTF-16 unit beyond ASCII is written as `\u`, followed by `?` for readers
    /// that do not know `\u`.
    mutating func appendRTF(_ text: some StringProtocol) {
        for unit in text.utf16 {
            switch unit {
            case 0x09: append("\\tab ")
            case 0x0A: append("\\line ")
            case 0..<0x20: break
            case 0x5C, 0x7B, 0x7D:
                append(UInt8(ascii: "\\"))
                append(UInt8(unit))
            case 0x20..<0x7F: append(UInt8(unit))
            default: append("\\u\(Int16(bitPattern: unit))?")
            }
        }
    }
}
