import LinuxSystem
import PasteboardModel
import UniformTypes

/// The text of contents, where a representation has it as it is.
enum BlobText {
    static func isEvident(in contents: Contents) -> Bool { representation(of: contents) != nil }

    /// Its beginning.
    static func text(of blob: BlobContents) -> String? {
        guard let range = representation(of: blob.contents)?.range else { return nil }
        // A character that is cut at the end is not told.
        let bytes = (try? blob.file.bytes(in: range.prefix(EntryDraft.longestText))) ?? []
        return String(decoding: bytes, as: UTF8.self).prefix(utf8: EntryDraft.longestText)
    }

    private static func representation(of contents: Contents) -> Representation? {
        contents.items.lazy.flatMap(\.representations).first { $0.type == .utf8PlainText }
    }
}

extension String {
    /// So many bytes of it at most, without half a character.
    func prefix(utf8 limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(startIndex, offsetBy: limit)
        while end > startIndex, end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}
