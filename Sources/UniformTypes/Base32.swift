/// Base 32 as dynamic identifiers have it: the most significant bit first, no padding, an alphabet of its own.
enum Base32 {
    private static let alphabet = Array("abcdefghkmnpqrstuvwxyz0123456789".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
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
    static func decode(_ digits: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer = 0
        var bits = 0
        for digit in digits.utf8 {
            guard let value = alphabet.firstIndex(of: digit) else { return nil }
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
}
