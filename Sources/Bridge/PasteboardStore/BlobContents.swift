package import LinuxSystem
package import PasteboardModel
import UniformTypes

/// The contents in a blob, and the store's record about them.
package struct BlobContents {
    package let record: ItemArchive.Record
    /// The contents, whose only source is the blob: their ranges are ranges of the blob.
    let contents: Contents
    let file: MemoryFile

    /// - Returns: nil if the file is incomplete or invalid.
    package init?(_ file: MemoryFile) {
        guard let header = Self.header(of: file),
            let archive = try? ItemArchive(header: header, length: file.length), let record = archive.record
        else { return nil }
        var items: [Item] = []
        for (parts, ranges) in zip(archive.items, archive.ranges) {
            var item = Item(representations: [])
            for (part, range) in zip(parts, ranges) {
                guard let type = UniformType(part.type) else { return nil }
                item.representations.append(
                    Representation(type: type, target: part.target, exact: part.exact, source: 0, range: range))
            }
            items.append(item)
        }
        self.record = record
        self.file = file
        contents = Contents(items: items)
    }

    /// Reads the header with as few reads as possible: most headers are within the first 16 KiB.
    private static func header(of file: MemoryFile) -> [UInt8]? {
        var length = min(file.length, 16 << 10)
        while true {
            guard let bytes = try? file.bytes(in: 0..<length) else { return nil }
            if let end = try? ItemArchive.headerLength(in: bytes) { return Array(bytes[..<end]) }
            guard length < min(file.length, ItemArchive.maxHeaderLength) else { return nil }
            length = min(length * 8, file.length, ItemArchive.maxHeaderLength)
        }
    }

    /// The beginning of the text of the contents, if a representation has it in UTF-8.
    var text: String? {
        guard let range = contents.plainText?.range else { return nil }
        // A character that the limit cuts is decoded as U+FFFD, which is removed unless it fits.
        let bytes = (try? file.bytes(in: range.prefix(EntryDraft.maxTextLength))) ?? []
        return String(decoding: bytes, as: UTF8.self).prefix(utf8: EntryDraft.maxTextLength)
    }
}

extension ItemArchive {
    /// The largest block size, in bytes, of the file systems that can share blocks between files.
    private static let maxBlockLength = 4_096

    /// Creates the archive of contents without promises.
    ///
    /// The bytes of long contents start at a block boundary of every file system, so that the blob can share its blocks
    /// with another file.
    init(_ contents: Contents, record: Record?) {
        let items = contents.items.map { item in
            item.representations.map { part in
                Part(
                    type: part.type.identifier, target: part.target, exact: part.exact,
                    length: part.range?.count ?? 0)
            }
        }
        let length = items.joined().reduce(0) { $0 + $1.length }
        self.init(items: items, record: record, alignment: length < BlobFolder.longThreshold ? 1 : Self.maxBlockLength)
    }
}

extension Contents {
    /// The first representation in UTF-8 plain text, of any item.
    var plainText: Representation? {
        items.lazy.flatMap(\.representations).first { $0.type == .utf8PlainText }
    }
}

extension String {
    /// Returns the longest prefix with at most `limit` bytes of UTF-8 that does not cut a character.
    func prefix(utf8 limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(startIndex, offsetBy: limit)
        while end > startIndex, end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}
