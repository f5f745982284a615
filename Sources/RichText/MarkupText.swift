/// Bytes of markup as they are put together.
struct MarkupText {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ text: some StringProtocol) {
        bytes.append(contentsOf: text.utf8)
    }

    mutating func append(_ byte: UInt8) {
        bytes.append(byte)
    }

    /// Text or an attribute's value in HTML. Control characters that HTML cannot have are left out.
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

    /// Text in RTF: ASCII, everything else by `\u` in halves of UTF-16, with a `?` for readers that do not know it.
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

extension Double {
    /// As markup has a positive number: no more than two digits behind the point, none that are zero.
    var markup: String {
        let hundredths = Int(self * 100 + 0.5)
        let whole = "\(hundredths / 100)"
        let rest = hundredths % 100
        if rest == 0 { return whole }
        return rest % 10 == 0 ? "\(whole).\(rest / 10)" : "\(whole).\(rest < 10 ? "0" : "")\(rest)"
    }
}
