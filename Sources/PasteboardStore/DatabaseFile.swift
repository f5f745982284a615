import LinuxSystem
import SystemPackage

/// What the file of a database says of itself, read without SQLite, which leaves an empty log behind and takes what was cut
/// off the file for zeros where there is a log. See "Database File Format" in its documentation.
struct DatabaseFile {
    private static let headerLength = 100

    private let path: String
    /// `user_version`. What the log says comes later.
    let version: Int
    private let pageSize: Int
    /// When the log was copied into it last.
    private let pageCount: Int
    private let length: Int

    /// - Returns: Nil where there is no database, or its header makes no sense.
    init?(_ path: String) {
        guard let file = Self.open(path), let header = try? file.bytes(in: 0..<min(Self.headerLength, file.length)),
            header.count == Self.headerLength, header.starts(with: "SQLite format 3\0".utf8)
        else { return nil }
        self.path = path
        length = file.length
        version = Self.number(header[60..<64])
        let size = Self.number(header[16..<18])
        pageSize = size == 1 ? 1 << 16 : size
        // The count is of the same change as the rest, unless a very old program wrote to it.
        pageCount = header[24..<28] == header[92..<96] ? Self.number(header[28..<32]) : 0
    }

    /// Whether pages are missing at its end that the log does not have either. While the log is copied the file may be too
    /// short, and the log has the rest.
    var isCut: Bool {
        guard length < pageCount * pageSize else { return false }
        let logged = loggedPages()
        return !(length / pageSize + 1...pageCount).allSatisfy(logged.contains)
    }

    /// The pages of the log's frames.
    private func loggedPages() -> Set<Int> {
        let (headerLength, frameHeaderLength) = (32, 24)
        guard let log = Self.open("\(path)-wal"), log.length > headerLength,
            let header = try? log.bytes(in: 0..<headerLength)
        else { return [] }
        var pages: Set<Int> = []
        var offset = headerLength
        while offset + frameHeaderLength + pageSize <= log.length,
            let frame = try? log.bytes(in: offset..<offset + frameHeaderLength),
            // A frame with another salt is left of a former log.
            frame[8..<16] == header[16..<24]
        {
            pages.insert(Self.number(frame[0..<4]))
            offset += frameHeaderLength + pageSize
        }
        return pages
    }

    private static func open(_ path: String) -> MemoryFile? {
        guard let file = try? FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec]) else {
            return nil
        }
        return try? MemoryFile(.stored, onDisk: Descriptor(adopting: file))
    }

    /// The first byte is the highest.
    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
