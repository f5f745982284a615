import FoundationEssentials

/// A parser of GPaste's history.xml, which GPaste writes without comments, entities or elements of other programs.
///
/// The text of a value is in a CDATA section, in which `&` and `>` are escaped. Control characters are not escaped, so
/// a parser of XML would refuse them. In version 1, an item has the section itself; from version 2 on, it has `value`
/// elements. One that has a `mime` attribute has a different type, in base64.
struct GPasteParser {
    struct Item: Equatable {
        /// Text, Uris, Image, Color or Password.
        var kind = ""
        var value = ""
        /// The other types, with their bytes.
        var others: [Other] = []
        var isFavourite = false
        /// The time of a picture, in seconds since the Unix epoch.
        var seconds: Int?
    }

    struct Other: Equatable {
        let type: String
        let bytes: [UInt8]
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// Reads all items, in order.
    mutating func items(named name: String) throws(TransferFault) -> [Item] {
        guard skip(to: "<history") else { throw TransferFault("\(name) is not a history of GPaste") }
        var items: [Item] = []
        while skip(to: "<item") {
            guard let item = item() else { throw TransferFault("\(name) ends within entry \(items.count + 1)") }
            items.append(item)
        }
        guard skip(to: "</history>") else { throw TransferFault("\(name) is cut short") }
        return items
    }

    private mutating func item() -> Item? {
        guard let attributes = attributes() else { return nil }
        var item = Item()
        item.kind = attributes["kind"] ?? ""
        item.isFavourite = attributes["favourite"] == "true"
        item.seconds = attributes["date"].flatMap { Int($0) }
        while true {
            skipSpace()
            if rest.starts(with: "</item>".utf8) { return item }
            if take("<value") {
                guard let attributes = self.attributes(), let text = section(), skip(to: "</value>") else { return nil }
                if let type = attributes["mime"] {
                    item.others.append(Other(type: type, bytes: Data(base64Encoded: text).map { Array($0) } ?? []))
                } else {
                    item.value = text
                }
            } else {
                guard let text = section() else { return nil }
                item.value = text
            }
        }
    }

    /// Reads a CDATA section.
    private mutating func section() -> String? {
        skipSpace()
        guard take("<![CDATA["), let end = place(of: "]]>") else { return nil }
        let text = String(decoding: rest[..<end], as: UTF8.self)
        rest = rest[(end + 3)...]
        return Self.unescaped(text)
    }

    /// Reads attributes up to the end of the tag.
    private mutating func attributes() -> [String: String]? {
        var attributes: [String: String] = [:]
        while true {
            skipSpace()
            if take(">") { return attributes }
            let name = rest.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ">") }
            rest = rest.dropFirst(name.count)
            guard take("=\""), let end = rest.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
            attributes[String(decoding: name, as: UTF8.self)] =
                Self.unescaped(String(decoding: rest[..<end], as: UTF8.self))
            rest = rest[(end + 1)...]
        }
    }

    private static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        let entities: [(name: String, byte: UInt8)] = [("&amp;", UInt8(ascii: "&")), ("&gt;", UInt8(ascii: ">"))]
        while let byte = rest.first {
            let entity = byte == UInt8(ascii: "&") ? entities.first { rest.starts(with: $0.name.utf8) } : nil
            bytes.append(entity?.byte ?? byte)
            rest = rest.dropFirst(entity?.name.utf8.count ?? 1)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: Bytes

    private mutating func skipSpace() { rest = rest.drop { $0 <= UInt8(ascii: " ") } }

    private mutating func take(_ text: String) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        rest = rest.dropFirst(text.utf8.count)
        return true
    }

    private mutating func skip(to text: String) -> Bool {
        guard let place = place(of: text) else { return false }
        rest = rest[(place + text.utf8.count)...]
        return true
    }

    private func place(of text: String) -> Int? {
        let wanted = Array(text.utf8)
        var found = rest
        while let start = found.firstIndex(of: wanted[0]) {
            if found[start...].starts(with: wanted) { return start }
            found = found[(start + 1)...]
        }
        return nil
    }
}
