/// Texts of one byte a character. Any bytes are one.
enum SingleByteText {
    static func utf8(fromLatin1 bytes: [UInt8]) -> [UInt8] {
        let span = bytes.span
        var high = 0
        for index in span.indices { high &+= Int(span[index] >> 7) }
        if high == 0 { return bytes }
        return [UInt8](capacity: bytes.count + high) { output in
            for index in span.indices {
                let byte = span[index]
                if byte < 0x80 {
                    output.append(byte)
                } else {
                    output.append(0xC0 | byte >> 6)
                    output.append(0x80 | byte & 0x3F)
                }
            }
        }
    }

    static func utf8(fromWindows1252 bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(where: { $0 & 0xE0 == 0x80 }) else { return utf8(fromLatin1: bytes) }
        let span = bytes.span
        return [UInt8](capacity: bytes.count * 3) { output in
            for index in span.indices {
                let byte = span[index]
                output.append(byte & 0xE0 == 0x80 ? windows1252[Int(byte & 0x1F)] : Unicode.Scalar(byte))
            }
        }
    }

    /// 0x80 to 0x9F.
    private static let windows1252: [Unicode.Scalar] = [
        "\u{20AC}", "\u{81}", "\u{201A}", "\u{192}", "\u{201E}", "\u{2026}", "\u{2020}", "\u{2021}", "\u{2C6}",
        "\u{2030}", "\u{160}", "\u{2039}", "\u{152}", "\u{8D}", "\u{17D}", "\u{8F}", "\u{90}", "\u{2018}", "\u{2019}",
        "\u{201C}", "\u{201D}", "\u{2022}", "\u{2013}", "\u{2014}", "\u{2DC}", "\u{2122}", "\u{161}", "\u{203A}",
        "\u{153}", "\u{9D}", "\u{17E}", "\u{178}",
    ]
}
