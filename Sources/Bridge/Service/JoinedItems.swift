import LinuxSystem
import PasteboardModel
import UniformTypes

/// What stands for several items on X11, which knows only one.
struct JoinedItems {
    let representation: Representation
    let file: MemoryFile

    /// Joined texts longer than this, in bytes, are not made: the first item stands for them.
    private static let longest = 16 << 20

    /// The list of all files (RFC 2483: one a line, each line ending with CRLF), and the texts with newlines between them.
    /// None where joining would change nothing or the system has no room.
    static func of(_ version: Board.Version) -> [JoinedItems] {
        let items = version.contents.items
        let urls = items.compactMap { first(of: .fileURL, in: $0, of: version) }
        let texts = items.count > 1 ? items.compactMap { first(of: .plainText, in: $0, of: version) } : []
        return [
            urls.isEmpty ? nil : joined(urls.map { $0 + [0x0D, 0x0A] }, as: .fileURL, target: "text/uri-list"),
            texts.count < 2 ? nil : joined(Array(texts.joined(separator: [0x0A])), as: .utf8PlainText),
        ].compactMap(\.self)
    }

    private static func joined(_ parts: [[UInt8]], as type: UniformType, target: String) -> JoinedItems? {
        joined(Array(parts.joined()), as: type, target: target)
    }

    private static func joined(_ bytes: [UInt8], as type: UniformType, target: String? = nil) -> JoinedItems? {
        guard bytes.count <= longest, let file = try? MemoryFile.containing(bytes) else { return nil }
        let representation = Representation(
            type: type, target: target, exact: target != nil, source: 0, range: 0..<bytes.count)
        return JoinedItems(representation: representation, file: file)
    }

    /// The bytes of an item's first representation of that kind. One that was given as a list already stays itself.
    private static func first(of type: UniformType, in item: Item, of version: Board.Version) -> [UInt8]? {
        let found = item.representations.first {
            $0.type.conforms(to: type) && $0.target != "text/uri-list" && !$0.exact
        }
        guard let found, found.range.count <= longest else { return nil }
        return try? version.files[found.source].bytes(in: found.range)
    }
}
