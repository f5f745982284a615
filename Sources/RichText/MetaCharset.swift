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
