import LinuxSystem
import PasteboardModel
import UniformTypes

/// What one file of the store says: contents, and what was noted of them.
struct BlobContents {
    let record: ItemArchive.Record
    /// Their ranges are of the file, the only source.
    let contents: Contents
    let file: MemoryFile

    /// - Returns: Nil for a file that is not whole, or makes no sense.
    init?(_ file: MemoryFile) {
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

    private static func header(of file: MemoryFile) -> [UInt8]? {
        var length = min(file.length, 16 << 10)
        while true {
            guard let bytes = try? file.bytes(in: 0..<length) else { return nil }
            if let end = try? ItemArchive.headerLength(in: bytes) { return Array(bytes[..<end]) }
            guard length < min(file.length, ItemArchive.longestHeader) else { return nil }
            length = min(length * 8, file.length, ItemArchive.longestHeader)
        }
    }
}

extension ItemArchive {
    /// Of the file systems that share bytes between files, in bytes.
    private static let longestBlock = 4_096

    /// The archive of contents nothing of which is promised.
    ///
    /// Of long ones the bytes begin where a block of any file system does, so that those of another file can be shared.
    init(_ contents: Contents, record: Record?) {
        let items = contents.items.map { item in
            item.representations.map { part in
                Part(
                    type: part.type.identifier, target: part.target, exact: part.exact,
                    length: part.range?.count ?? 0)
            }
        }
        let length = items.joined().reduce(0) { $0 + $1.length }
        self.init(items: items, record: record, alignment: length < BlobFolder.leastShared ? 1 : Self.longestBlock)
    }
}
