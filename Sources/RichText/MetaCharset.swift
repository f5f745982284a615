/// What a `meta` at the beginning of HTML says about its encoding (WHATWG HTML, section 13.2.3.2).
enum MetaCharset {
    static func encoding(in bytes: ArraySlice<UInt8>) -> HTMLEncoding? {
        var tokens = HTMLTokenizer(Array(bytes))
        while let token = tokens.next() {
            guard case .startTag(let tag) = token, tag.name == HTMLNames.meta else { continue }
            if let label = label(of: tag, in: tokens.bytes), let encoding = HTMLEncoding(label: label) {
                return encoding
            }
        }
        return nil
    }

    /// Where the name of the encoding stands in the first `meta` that names one.
    static func labelRange(in bytes: [UInt8]) -> Range<Int>? {
        var tokens = HTMLTokenizer(Array(bytes.prefix(1024)))
        while let token = tokens.next() {
            guard case .startTag(let tag) = token, tag.name == HTMLNames.meta,
                let label = label(of: tag, in: tokens.bytes), HTMLEncoding(label: label) != nil
            else { continue }
            let name = Array(label.utf8)
            // Behind `charset`, an equals sign, and what quotes it.
            for start in tag.attributes..<bytes.prefix(1024).count
            where lowered(bytes[start...].prefix(7)) == Array("charset".utf8) {
                let value =
                    bytes[(start + 7)...].prefix(1024)
                    .firstIndex { !" \t\r\n=\"'".utf8.contains($0) } ?? bytes.endIndex
                if lowered(bytes[value...].prefix(name.count)) == name { return value..<value + name.count }
            }
            return nil
        }
        return nil
    }

    private static func lowered(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        bytes.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
    }

    private static func label(of tag: HTMLTag, in bytes: [UInt8]) -> String? {
        var isContentType = false
        var content: String?
        var attributes = HTMLAttributes(bytes, at: tag.attributes)
        while let attribute = attributes.next() {
            let value = attributes.value(attribute).lowercased()
            switch attribute.name {
            case MarkupName("charset"): return String(trimmed(value[...]))
            case MarkupName("http-equiv"): isContentType = value == "content-type"
            case MarkupName("content"): content = charset(inContent: value)
            default: break
            }
        }
        return isContentType ? content : nil
    }

    /// The parameter of a `content-type`: `text/html; charset=utf-8`.
    private static func charset(inContent content: String) -> String? {
        for part in content.split(separator: ";") {
            let halves = part.split(separator: "=", maxSplits: 1)
            if halves.count == 2, trimmed(halves[0]) == "charset" { return String(trimmed(halves[1])) }
        }
        return nil
    }

    private static func trimmed(_ part: Substring) -> Substring {
        var part = part
        while let first = part.first, first.isWhitespace || first == "\"" || first == "'" { part.removeFirst() }
        while let last = part.last, last.isWhitespace || last == "\"" || last == "'" { part.removeLast() }
        return part
    }
}
