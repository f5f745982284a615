/// Base 32 as dynamic identifiers have it: the most significant bit first, no padding, an alphabet of its own.
enum Base32 {
    private static var alphabet: String { "abcdefghkmnpqrstuvwxyz0123456789" }

    static func encode(_ bytes: some Collection<UInt8>) -> String {
        let alphabet = alphabet.utf8Span.span
        var digits: [UInt8] = []
        digits.reserveCapacity((bytes.count * 8 + 4) / 5)
        var buffer = 0
        var bits = 0
        for byte in bytes {
            buffer = (buffer << 8 | Int(byte)) & 0xFFF
            bits += 8
            while bits >= 5 {
                bits -= 5
                digits.append(alphabet[buffer >> bits & 31])
            }
        }
        if bits > 0 { digits.append(alphabet[buffer << (5 - bits) & 31]) }
        return String(decoding: digits, as: UTF8.self)
    }

    /// Nil when a character is not of the alphabet, or the bits left over are not zero or make a whole digit.
    static func decode(_ digits: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count * 5 / 8)
        var buffer = 0
        var bits = 0
        for digit in digits {
            guard let value = value(of: digit) else { return nil }
            buffer = (buffer << 5 | value) & 0xFFF
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(buffer >> bits & 0xFF))
            }
        }
        guard bits < 5, buffer & (1 << bits - 1) == 0 else { return nil }
        return bytes
    }

    /// The alphabet leaves out `i`, `j`, `l` and `o`.
    private static func value(of digit: UInt8) -> Int? {
        switch digit {
        case UInt8(ascii: "a")...UInt8(ascii: "h"): Int(digit - UInt8(ascii: "a"))
        case UInt8(ascii: "k"): 8
        case UInt8(ascii: "m")...UInt8(ascii: "n"): Int(digit - UInt8(ascii: "m")) + 9
        case UInt8(ascii: "p")...UInt8(ascii: "z"): Int(digit - UInt8(ascii: "p")) + 11
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(digit - UInt8(ascii: "0")) + 22
        default: nil
        }
    }
}
