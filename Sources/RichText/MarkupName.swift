/// The name of an element, an attribute, a CSS property or a control word of RTF: ASCII without regard to case.
/// Names longer than 24 bytes are told apart by these; none that means anything here is as long.
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

    /// A number below `count`, a power of two, the same for the same name.
    func bucket(of count: Int) -> Int {
        let folded = UInt64(truncatingIfNeeded: head) ^ UInt64(truncatingIfNeeded: head >> 64) ^ tail
        return Int((folded &* 0x9E37_79B9_7F4A_7C15) >> 40) & (count - 1)
    }
}

extension UInt8 {
    var isASCIILetter: Bool { self | 0x20 >= 0x61 && self | 0x20 <= 0x7A }
    var isASCIIDigit: Bool { self >= 0x30 && self <= 0x39 }
    var asciiLowercased: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }

    /// The five characters that HTML takes for blanks.
    var isHTMLSpace: Bool { self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D || self == 0x0C }
}
