/// A character set of one byte a character, ASCII in its lower half. Raw values are Windows' numbers, as RTF has them.
package enum CodePage: Int, CaseIterable, Sendable {
    case windows1250 = 1250
    case windows1251 = 1251
    case windows1252 = 1252
    case windows1253 = 1253
    case windows1254 = 1254
    case windows1255 = 1255
    case windows1256 = 1256
    case windows1257 = 1257
    case windows1258 = 1258
    case windows874 = 874
    case ibm437 = 437
    case ibm850 = 850
    case macRoman = 10000

    /// The UTF-8 of each of the bytes 128 to 255.
    var upperUTF8: [[UInt8]] { upperHalf.unicodeScalars.map { Array(String($0).utf8) } }

    /// The bytes in UTF-8.
    func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let upper = upperUTF8
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + bytes.count / 8)
        for byte in bytes {
            if byte < 0x80 { result.append(byte) } else { result += upper[Int(byte & 0x7F)] }
        }
        return result
    }
}
