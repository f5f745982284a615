/// An attribute of a start tag.
struct HTMLAttribute: Sendable {
    let name: MarkupName
    /// Without quotes; entities are still to be decoded.
    let value: Range<Int>
}

/// The attributes of one tag, one after the other: with a value in double or single quotes, bare, or without one.
struct HTMLAttributes {
    private let bytes: [UInt8]
    /// Where the tag's `>` stands once there is no further attribute; the end of the source when it has none.
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

    /// The value with its entities decoded.
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
