import LinuxSystem
import SystemPackage

/// The header of a database file, read without SQLite.
///
/// SQLite cannot provide this information: opening a database leaves an empty log beside it, and if there is a log,
/// SQLite reads a truncated database as if the missing bytes were zero. See "Database File Format" in SQLite's
/// documentation.
package struct DatabaseFile {
    private static let headerLength = 100

    private let path: String
    /// The `user_version` in the file; the log may have a later one.
    package let version: Int
    private let pageSize: Int
    /// The number of pages at the last checkpoint, when the log was copied into the file.
    private let pageCount: Int
    private let length: Int

    /// - Returns: nil if the file does not exist or has no valid header.
    package init?(_ path: String) {
        guard let file = Self.open(path), let header = try? file.bytes(in: 0..<min(Self.headerLength, file.length)),
            header.count == Self.headerLength, header.starts(with: "SQLite format 3\0".utf8)
        else { return nil }
        self.path = path
        length = file.length
        version = Self.number(header[60..<64])
        let size = Self.number(header[16..<18])
        pageSize = size == 1 ? 1 << 16 : size
        // The page count is valid if the change counter equals version-valid-for; releases of SQLite before 3.7.0 do
        // not write it.
        pageCount = header[24..<28] == header[92..<96] ? Self.number(header[28..<32]) : 0
    }

    /// True if pages are missing at the end of the file and the log does not have them either. During a checkpoint the
    /// file may be too short, and the log has the other pages.
    package var isTruncated: Bool {
        guard length < pageCount * pageSize else { return false }
        let logged = loggedPages()
        return !(length / pageSize + 1...pageCount).allSatisfy(logged.contains)
    }

    /// Returns the numbers of the pages in the frames of the log.
    private func loggedPages() -> Set<Int> {
        let (headerLength, frameHeaderLength) = (32, 24)
        guard let log = Self.open("\(path)-wal"), log.length > headerLength,
            let header = try? log.bytes(in: 0..<headerLength)
        else { return [] }
        var pages: Set<Int> = []
        var offset = headerLength
        while offset + frameHeaderLength + pageSize <= log.length,
            let frame = try? log.bytes(in: offset..<offset + frameHeaderLength),
            // A frame with a different salt remains from an earlier use of the log file.
            frame[8..<16] == header[16..<24]
        {
            pages.insert(Self.number(frame[0..<4]))
            offset += frameHeaderLength + pageSize
        }
        return pages
    }

    private static func open(_ path: String) -> MemoryFile? {
        guard let file = try? Descriptor.open(FilePath(path)) else { return nil }
        return try? MemoryFile(.stored, onDisk: file)
    }

    /// Returns the number that bytes in big-endian order encode.
    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
