import Formats

/// A start tag in the source.
struct HTMLTag: Sendable {
    let name: MarkupName
    /// The position at which ``HTMLAttributes`` begins to read.
    let attributes: Int
    /// False if the name is directly followed by `>`, or if the tag is implied.
    let mayHaveAttributes: Bool
}

/// The division of HTML into tags and text (WHATWG HTML, section 13.2.5). Comments, declarations and processing
/// instructions are skipped, and so is a tag that is cut off by the end of the source. The time is linear in the length
/// of the source.
struct HTMLTokenizer {
    enum Token {
        /// The range of text, in which character references are not decoded yet.
        case text(Range<Int>)
        case startTag(HTMLTag)
        case endTag(MarkupName)
    }

    let bytes: [UInt8]
    private var position = 0

    /// - Parameter bytes: Valid UTF-8.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func next() -> Token? {
        while position < bytes.count {
            let start = position
            if let end = textEnd() {
                position = end
                return .text(start..<end)
            }
            if let token = markup() { return token }
        }
        return nil
    }

    /// Returns the text up to the end tag of an element whose contents are not markup, such as `script`, and skips the
    /// end tag. Without an end tag, returns the rest of the source.
    mutating func rawText(of name: MarkupName) -> Range<Int> {
        let start = position
        while let open = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
            position = open + 1
            guard position < bytes.count, bytes[position] == UInt8(ascii: "/") else { continue }
            let end = nameEnd(from: position + 1)
            guard MarkupName(bytes[position + 1..<end]) == name else { continue }
            position = end
            skipTag()
            return start..<open
        }
        position = bytes.count
        return start..<bytes.count
    }

    /// Returns the rest of the source as text.
    mutating func rest() -> Range<Int> {
        defer { position = bytes.count }
        return position..<bytes.count
    }

    /// Skips a newline, which does not count directly after `<pre>` and `<textarea>`.
    mutating func skipNewline() {
        if position < bytes.count, bytes[position] == 0x0D { position += 1 }
        if position < bytes.count, bytes[position] == 0x0A { position += 1 }
    }

    /// Returns the end of the text at the current position; nil if markup begins there.
    private func textEnd() -> Int? {
        var index = position
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "<"), isMarkup(at: index + 1) { break }
            index += 1
        }
        return index > position ? index : nil
    }

    /// Returns true if the `<` before `index` begins markup. Unless a letter, `/`, `!` or `?` follows, it is a
    /// less-than sign.
    private func isMarkup(at index: Int) -> Bool {
        guard index < bytes.count else { return false }
        let byte = bytes[index]
        return byte.isASCIILetter || byte == UInt8(ascii: "!") || byte == UInt8(ascii: "?")
            || (byte == UInt8(ascii: "/") && index + 1 < bytes.count)
    }

    private mutating func markup() -> Token? {
        position += 1
        let byte = bytes[position]
        if byte.isASCIILetter { return startTag() }
        if byte == UInt8(ascii: "/"), bytes[position + 1].isASCIILetter { return endTag() }
        if byte == UInt8(ascii: "!"), bytes[position...].starts(with: [0x21, 0x2D, 0x2D]) {
            skipComment()
        } else {
            // A declaration, a processing instruction, a conditional section of Word, and `</` without a letter after
            // it end at the next `>`.
            position = bytes[position...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? bytes.count
        }
        return nil
    }

    private mutating func startTag() -> Token? {
        let end = nameEnd(from: position)
        let name = MarkupName(bytes[position..<end])
        position = end
        let mayHaveAttributes = end < bytes.count && bytes[end] != UInt8(ascii: ">")
        guard skipTag() else { return nil }
        return .startTag(HTMLTag(name: name, attributes: end, mayHaveAttributes: mayHaveAttributes))
    }

    private mutating func endTag() -> Token? {
        let end = nameEnd(from: position + 1)
        let name = MarkupName(bytes[position + 1..<end])
        position = end
        return skipTag() ? .endTag(name) : nil
    }

    private func nameEnd(from start: Int) -> Int {
        var index = start
        while index < bytes.count, !bytes[index].isHTMLSpace, bytes[index] != UInt8(ascii: "/"),
            bytes[index] != UInt8(ascii: ">")
        {
            index += 1
        }
        return index
    }

    /// Skips the attributes and the `>`. Returns false if the source ends before the `>`.
    @discardableResult private mutating func skipTag() -> Bool {
        var attributes = HTMLAttributes(bytes, at: position)
        while attributes.next() != nil {}
        position = min(attributes.position + 1, bytes.count)
        return attributes.position < bytes.count
    }

    /// Skips a comment; the position is after its `<`. A comment may also end with `--!>`, and `<!-->` and `<!--->` are
    /// complete comments.
    private mutating func skipComment() {
        position += 3
        if bytes[position...].starts(with: [0x3E]) || bytes[position...].starts(with: [0x2D, 0x3E]) {
            position += bytes[position] == 0x3E ? 1 : 2
            return
        }
        // The dashes that open the comment do not close it.
        let start = position
        while let close = bytes[position...].firstIndex(of: UInt8(ascii: ">")) {
            position = close + 1
            let comment = bytes[start..<close]
            if comment.suffix(2).elementsEqual([0x2D, 0x2D]) || comment.suffix(3).elementsEqual([0x2D, 0x2D, 0x21]) {
                return
            }
        }
        position = bytes.count
    }
}

struct HTMLAttribute: Sendable {
    let name: MarkupName
    /// The range of the value without quotation marks, in which character references are not decoded yet.
    let value: Range<Int>
}

/// The attributes of one tag, in order. A value may be in double or single quotation marks, unquoted, or missing.
struct HTMLAttributes {
    private let bytes: [UInt8]
    /// The current position. After the last attribute, it is that of the tag's `>`, or the end of the source.
    private(set) var position: Int

    init(_ bytes: [UInt8], at position: Int) {
        self.bytes = bytes
        self.position = position
    }

    mutating func next() -> HTMLAttribute? {
        while position < bytes.count, bytes[position].isHTMLSpace || bytes[position] == UInt8(ascii: "/") {
            position += 1
        }
        guard position < bytes.count, bytes[position] != UInt8(ascii: ">") else { return nil }
        let start = position
        position += 1
        while position < bytes.count, !endsName(bytes[position]) { position += 1 }
        let name = MarkupName(bytes[start..<position])
        let end = position
        skipSpaces()
        guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else {
            return HTMLAttribute(name: name, value: end..<end)
        }
        position += 1
        skipSpaces()
        return HTMLAttribute(name: name, value: nextValue())
    }

    /// Returns a value with its character references decoded.
    func value(_ attribute: HTMLAttribute) -> String {
        String(decoding: HTMLEntities.decoded(bytes[attribute.value]), as: UTF8.self)
    }

    private mutating func nextValue() -> Range<Int> {
        guard position < bytes.count else { return position..<position }
        let quote = bytes[position]
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            let start = position + 1
            let end = bytes[start...].firstIndex(of: quote) ?? bytes.count
            position = min(end + 1, bytes.count)
            return start..<end
        }
        let start = position
        while position < bytes.count, !bytes[position].isHTMLSpace, bytes[position] != UInt8(ascii: ">") {
            position += 1
        }
        return start..<position
    }

    private func endsName(_ byte: UInt8) -> Bool {
        byte.isHTMLSpace || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "=")
    }

    private mutating func skipSpaces() {
        while position < bytes.count, bytes[position].isHTMLSpace { position += 1 }
    }
}
