import LinuxSystem
import PasteboardModel

/// The merging of long contents with equal earlier contents.
///
/// Comparing long contents takes a while, and a copy should not wait for it. The contents are compared by maintenance,
/// or by any call that shows the history or deletes from it. If the process is killed before that, equal contents stay
/// two lines.
extension Store {
    /// Compares some bytes of the next long contents with other contents of the same fingerprint, and merges both if
    /// they are equal to the end.
    ///
    /// - Parameter limit: The limit on the bytes to compare.
    /// - Returns: false if there is nothing to compare.
    func mergeEqual(atMost limit: Int) throws -> Bool {
        guard let id = maintenance.uncompared.first else { return false }
        var comparison = try maintenance.comparison ?? comparison(of: id)
        guard comparison.advance(atMost: limit) else {
            maintenance.comparison = comparison
            return true
        }
        if let former = comparison.equal { try merge(former, into: id) }
        maintenance.uncompared.removeFirst()
        maintenance.comparison = nil
        return true
    }

    /// Merges all equal contents. If the disk is too full for that, some contents stay separate.
    func mergeAllEqual() {
        while (try? mergeEqual(atMost: .max)) == true {}
    }

    private func comparison(of id: Int) throws -> Comparison {
        // A file that cannot be read counts as different; its next reader reports the error.
        guard let file = (try? blobs.file(id)) ?? nil, let blob = BlobContents(file) else { return Comparison() }
        let candidates = try database.rows(
            """
            SELECT other.id FROM content JOIN content AS other
                ON other.digest = content.digest AND other.length = content.length AND other.id < content.id
            -- The blob of unlisted contents cannot say that listed ones were merged into it.
            WHERE content.id = ? AND (content.copies > 0 OR other.copies = 0) ORDER BY other.id DESC LIMIT 8
            """, [.integer(id)]
        ) { $0.integer(0) }
        let others = candidates.compactMap { candidate -> Comparison.Side? in
            guard let file = (try? blobs.file(candidate)) ?? nil, let other = BlobContents(file),
                Fingerprint.areAlike(blob.contents, other.contents)
            else { return nil }
            return Comparison.Side(candidate, other)
        }
        return Comparison(Comparison.Side(id, blob), with: others)
    }

    private func merge(_ former: Int, into id: Int) throws {
        maintenance.pendingDeletion += try database.transaction {
            let tables = EntryTables(database)
            try tables.merge(former, into: id)
            return try tables.collect()
        }
        maintenance.indexing = true
        maintenance.logging = true
    }
}

/// A comparison of long contents with other contents of the same shape, some bytes at a time.
struct Comparison {
    /// Contents and their bytes, which start with the first representation and end with the file.
    struct Side {
        let id: Int
        fileprivate let file: MemoryFile
        fileprivate let bytes: Range<Int>

        init(_ id: Int, _ blob: BlobContents) {
            self.id = id
            file = blob.file
            let start = blob.contents.items.lazy.flatMap(\.representations).compactMap(\.range?.lowerBound).first
            bytes = (start ?? file.length)..<file.length
        }

        fileprivate func part(from offset: Int, atMost length: Int) throws -> [UInt8] {
            try file.bytes(in: bytes.dropFirst(offset).prefix(length))
        }
    }

    private let side: Side?
    /// The contents that may be equal. The last contents are being compared.
    private var others: [Side]
    /// The number of bytes of the last contents in ``others`` that are known to be equal.
    private var offset = 0
    /// The contents that are equal, once the comparison has found them.
    private(set) var equal: Int?

    /// - Parameter others: The contents that may be equal, in the order of comparison.
    init(_ side: Side? = nil, with others: [Side] = []) {
        self.side = side
        self.others = others.reversed()
    }

    /// The number of bytes that are read at once.
    private static let pieceLength = 1 << 18

    /// Compares further bytes. A file that cannot be read counts as different; its next reader reports the error.
    ///
    /// - Returns: true if the comparison is complete, with its result in ``equal``.
    mutating func advance(atMost limit: Int) -> Bool {
        guard let side else { return true }
        var left = limit
        while let other = others.last {
            guard left > 0 else { return false }
            guard let mine = try? side.part(from: offset, atMost: Self.pieceLength) else { return true }
            if mine != (try? other.part(from: offset, atMost: Self.pieceLength)) {
                others.removeLast()
                offset = 0
            } else if mine.isEmpty {
                equal = other.id
                return true
            } else {
                offset += mine.count
                left -= mine.count
            }
        }
        return true
    }
}
