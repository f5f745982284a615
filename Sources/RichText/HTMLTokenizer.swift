/// A start tag as it stands in the source.
struct HTMLTag: Sendable {
    let name: MarkupName
    /// Where attributes begin, for ``HTMLAttributes``.
    let attributes: Int
    let hasAttributes: Bool
}

/// HTML taken apart into tags and text (WHATWG HTML, section 13.2.5). Comments, declarations and processing
/// instructions are passed over, and so is a tag that the end of the source cuts off. Every byte is looked at once.
struct HTMLTokenizer {
    enum Token {
        /// Entities are still to be decoded.
        case text(Range<Int>)
        case startTag(HTMLTag)
        case endTag(MarkupName)
    }

    let bytes: [UInt8]
    private var position = 0

    /// Valid UTF-8.
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

    /// The text up to the end tag of an element in which no other tag means anything, as `script`; the end tag is
    /// passed too. All the rest when it does not come.
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

    /// All that is left is text.
    mutating func rest() -> Range<Int> {
        defer { position = bytes.count }
        return position..<bytes.count
    }

    /// A newline right behind `<pre>` and `<textarea>` does not count.
    mutating func skipNewline() {
        if position < bytes.count, bytes[position] == 0x0D { position += 1 }
        if position < bytes.count, bytes[position] == 0x0A { position += 1 }
    }

    /// Where the text that begins here ends; nil when markup begins here.
    private func textEnd() -> Int? {
        var index = position
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "<"), isMarkup(at: index + 1) { break }
            index += 1
        }
        return index > position ? index : nil
    }

    /// What follows a `<`: without a letter or one of `/!?` it is a less-than sign.
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
            // A declaration, an instruction, a conditional section of Word, `</` before no letter: up to the next `>`.
            position = bytes[position...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? bytes.count
        }
        return nil
    }

    private mutating func startTag() -> Token? {
        let end = nameEnd(from: position)
        let name = MarkupName(bytes[position..<end])
        position = end
        let hasAttributes = end < bytes.count && bytes[end] != UInt8(ascii: ">")
        guard skipTag() else { return nil }
        return .startTag(HTMLTag(name: name, attributes: end, hasAttributes: hasAttributes))
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

    /// Passes the attributes and the `>`. False when the source ends before it.
    @discardableResult private mutating func skipTag() -> Bool {
        var attributes = HTMLAttributes(bytes, at: position)
        while attributes.next() != nil {}
        position = min(attributes.position + 1, bytes.count)
        return attributes.position < bytes.count
    }

    /// Stands behind `<`. A comment also ends with `--!>`, and `<!-->` and `<!--->` are whole.
    private mutating func skipComment() {
        position += 3
        if bytes[position...].starts(with: [0x3E]) || bytes[position...].starts(with: [0x2D, 0x3E]) {
            position += bytes[position] == 0x3E ? 1 : 2
            return
        }
        while let close = bytes[position...].firstIndex(of: UInt8(ascii: ">")) {
            position = close + 1
            if bytes[..<close].suffix(2).elementsEqual([0x2D, 0x2D])
                || bytes[..<close].suffix(3).elementsEqual([0x2D, 0x2D, 0x21])
            {
                return
            }
        }
        position = bytes.count
    }
}
