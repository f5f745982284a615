/// A name that is compared byte by byte.
///
/// Swift's own comparison of strings takes canonically equivalent ones for the same: the Kelvin sign is a `K`, the Greek
/// question mark a semicolon. X11 atoms and filename extensions are told apart by their bytes.
struct ExactName: Hashable, Sendable {
    let string: String

    init(_ string: String) { self.string = string }

    static func == (left: Self, right: Self) -> Bool { left.string.isExactly(right.string) }

    func hash(into hasher: inout Hasher) {
        for byte in string.utf8 { hasher.combine(byte) }
    }
}

extension String {
    /// Whether both have the same bytes in UTF-8.
    func isExactly(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }

    /// With the letters `A` to `Z` made small, and no other: the lower case of the Kelvin sign is `k`.
    var asciiLowercased: String {
        guard utf8.contains(where: { $0 >= 0x41 && $0 <= 0x5A }) else { return self }
        return String(decoding: utf8.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
