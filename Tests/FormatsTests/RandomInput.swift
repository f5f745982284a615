import TestRandom

extension SeededGenerator {
    /// Returns random bytes, of all values or from `alphabet`.
    mutating func bytes(upTo length: Int, from alphabet: [UInt8] = Array(0...255)) -> [UInt8] {
        (0..<Int.random(in: 0...length, using: &self)).map { _ in alphabet.randomElement(using: &self) ?? 0 }
    }

    /// Returns random characters of every length in UTF-8, mostly short ones, including CR and LF.
    mutating func text(upTo length: Int) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0...length, using: &self) {
            let range: ClosedRange<UInt32> =
                switch Int.random(in: 0..<8, using: &self) {
                case 0: 0x0A...0x0D
                case 1...4: 0x20...0x7E
                case 5: 0x80...0x7FF
                case 6: 0x800...0xFFFF
                default: 0x10000...0x10FFFF
                }
            guard let scalar = Unicode.Scalar(UInt32.random(in: range, using: &self)) else { continue }
            text.unicodeScalars.append(scalar)
        }
        return text
    }
}

extension String {
    /// Returns the text in UTF-16 in the given byte order, without a byte order mark.
    func utf16Bytes(littleEndian: Bool = true) -> [UInt8] {
        utf16.flatMap { unit in
            let bytes = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
            return littleEndian ? bytes : bytes.reversed()
        }
    }

    /// Returns the text in UTF-32 in the given byte order, without a byte order mark.
    func utf32Bytes(littleEndian: Bool = true) -> [UInt8] {
        unicodeScalars.flatMap { scalar in
            let bytes = (0..<4).map { UInt8(scalar.value >> ($0 * 8) & 0xFF) }
            return littleEndian ? bytes : bytes.reversed()
        }
    }
}
