import LinuxSystem
import PasteboardModel

/// Long contents become one with what is equal to them when there is time, since who copies them waits for nothing but the
/// copy; and in any case before anybody looks at the history, or deletes from it. Those of a process that is killed before
/// that stay two lines.
extension Store {
    /// Compares a part of long contents with others that may be equal, and makes both one when all parts are.
    ///
    /// - Parameter limit: In bytes.
    /// - Returns: False when there are none to be compared.
    func mergeEqual(atMost limit: Int) throws -> Bool {
        guard let id = chores.uncompared.first else { return false }
        var comparison = try chores.comparison ?? comparison(of: id)
        guard comparison.goOn(atMost: limit) else {
            chores.comparison = comparison
            return true
        }
        if let former = comparison.equal { try merge(former, into: id, atOnce: limit == .max) }
        chores.uncompared.removeFirst()
        chores.comparison = nil
        return true
    }

    /// Has all of that done, as far as it can be: on a full disk contents stay two.
    func mergeAllEqual() {
        while (try? mergeEqual(atMost: .max)) == true {}
    }

    private func comparison(of id: Int) throws -> Comparison {
        guard let file = try blobs.file(id), let blob = BlobContents(file) else { return Comparison() }
        let candidates = try database.rows(
            """
            SELECT other.id FROM content JOIN content AS other
                ON other.digest = content.digest AND other.length = content.length AND other.id < content.id
            -- The file of what is not in the history cannot tell that what it is equal to is.
            WHERE content.id = ? AND (content.copies > 0 OR other.copies = 0) ORDER BY other.id DESC LIMIT 8
            """, [.integer(id)]
        ) { $0.integer(0) }
        let others = try candidates.compactMap { candidate -> Comparison.Side? in
            guard let file = try blobs.file(candidate), let other = BlobContents(file),
                Fingerprint.areAlike(blob.contents, other.contents)
            else { return nil }
            return Comparison.Side(candidate, other)
        }
        return Comparison(Comparison.Side(id, blob), with: others)
    }

    private func merge(_ former: Int, into id: Int, atOnce: Bool) throws {
        let unused = try database.transaction {
            let ledger = Ledger(database)
            try ledger.merge(former, into: id)
            return try ledger.collect()
        }
        remove(unused, atOnce: atOnce)
        chores.indexing = true
        chores.logging = true
    }
}

/// The comparison of long contents with others of the same shape, a part at a time.
struct Comparison {
    /// Contents with their bytes, which are all that follows in their file.
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
    /// The next one is the last.
    private var others: [Side]
    /// How much of the next one is equal.
    private var offset = 0
    /// Those that are, once it is known.
    private(set) var equal: Int?

    /// - Parameter others: The next one to be looked at first.
    init(_ side: Side? = nil, with others: [Side] = []) {
        self.side = side
        self.others = others.reversed()
    }

    private static let piece = 1 << 18

    /// What cannot be read is not equal to anything: its reader finds out about it.
    ///
    /// - Returns: Whether it is over: ``equal`` tells with what result.
    mutating func goOn(atMost limit: Int) -> Bool {
        guard let side else { return true }
        var left = limit
        while let other = others.last {
            guard left > 0 else { return false }
            guard let mine = try? side.part(from: offset, atMost: Self.piece) else { return true }
            if mine != (try? other.part(from: offset, atMost: Self.piece)) {
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
