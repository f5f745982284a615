import Glibc
import PasteboardModel

extension Store {
    /// The log is copied into the database when it is longer than this, in bytes.
    private static let longestLog = 1 << 20

    /// With so many files that may not be on the disk the store is behind.
    private static let longestQueue = 32

    /// Whether so much work was put off that some should be done, even where others wait for that.
    package var isBehind: Bool { chores.unsynced.count >= Self.longestQueue }

    /// Does some of the work that can wait: a few milliseconds of it, unless the disk is slow. It is called after changes,
    /// until there is no more, and now and then where the history has an age. What a full disk has no room for is left for
    /// later.
    ///
    /// - Returns: True while there is more.
    package func tidy(now: Int) throws(StoreFailure) -> Bool {
        try performing {
            do {
                let isMore = try tidyPiece(now: now)
                chores.isFull = false
                return isMore
            } catch let error as DatabaseError where error.kind == .noRoom {
                // Once: room that the log gives back may be used up by the next attempt.
                chores.isFull.toggle()
                return chores.isFull && shortenLog()
            }
        }
    }

    private func tidyPiece(now: Int) throws -> Bool {
        if !chores.doomed.isEmpty {
            // First, since the rest may need the room.
            removeDoomed(atMost: 64)
        } else if try mergeEqual(atMost: 8 << 20) {
            // What came again need not be written to the disk twice.
        } else if syncPart() {
        } else if !chores.unsynced.isEmpty {
            syncBlobs(atMost: isBehind ? Self.longestQueue : 2)
        } else if logLength > Self.longestLog, renewLog() {
            // Before the rest, which makes it longer.
        } else if chores.logging {
            BlobFolder.sync("\(folder)/store.sqlite-wal")
            CountFloor.sync(in: folder)
            BlobFolder.sync(folder)
            chores.logging = false
        } else if try index(atMost: 64 << 10) {
        } else if try usingReserve({ try dropOldest(now: now) }) {
        } else if let shard = chores.shard {
            try collectOrphans(inShard: shard)
            chores.shard = shard + 1 < BlobFolder.shards ? shard + 1 : nil
        } else if let verified = chores.verified {
            chores.verified = try verifyFiles(below: verified)
        } else if chores.merging {
            chores.merging = try mergeIndex()
        } else if chores.shrinking {
            chores.shrinking = try shrink()
        } else if chores.scrubbing {
            chores.scrubbing = false
            return renewLog()
        } else if chores.reserving {
            chores.reserving = false
            reserve.take()
        } else {
            return false
        }
        return true
    }

    var logLength: Int { BlobFolder.length(of: "\(folder)/store.sqlite-wal") ?? 0 }

    /// Copies the log into the database, and empties it.
    ///
    /// - Returns: Whether that was done. On a full disk there may be no room for it.
    func shortenLog() -> Bool {
        guard logLength > 0 else { return false }
        try? database.run("PRAGMA wal_checkpoint (TRUNCATE)")
        return logLength == 0
    }

    private func renewLog() -> Bool {
        guard shortenLog() else { return false }
        beginLog()
        return true
    }

    /// Sees that files are on the disk with their names.
    func syncBlobs(atMost limit: Int) {
        blobs.sync(chores.unsynced.prefix(limit))
        chores.unsynced.removeFirst(min(limit, chores.unsynced.count))
        chores.synced = 0
    }

    /// Sees that a part of a long file is on the disk: all of it at once would take as long as the disk does.
    ///
    /// - Returns: False where there is none, or all but the end of it is there.
    private func syncPart() -> Bool {
        guard let id = chores.unsynced.first, let length = blobs.length(of: id),
            length - chores.synced > Self.longestPart
        else { return false }
        blobs.write(id, chores.synced..<chores.synced + Self.longestPart)
        chores.synced += Self.longestPart
        return true
    }

    private static let longestPart = 8 << 20

    // MARK: Limits

    /// Drops the oldest lines of a history that is over its limits.
    ///
    /// - Returns: Whether some were dropped.
    private func dropOldest(now: Int) throws -> Bool {
        guard chores.limits || limits.age != nil else { return false }
        let total = try database.first("SELECT loose, loose_bytes FROM total") { ($0.integer(0), $0.integer(1)) }
        guard var (lines, bytes) = total else { return false }
        let oldest = limits.age.map { now - Int($0 / .milliseconds(1)) } ?? .min
        var gone: [Int] = []
        let candidates = try database.rows(
            """
            SELECT content.id, content.size, (SELECT max(created) FROM entry WHERE content = content.id AND listed = 1)
            FROM content WHERE content.copies > 0 AND content.pinned = 0 AND NOT EXISTS
                (SELECT 1 FROM entry JOIN hold ON hold.entry = entry.id WHERE entry.content = content.id)
            ORDER BY content.id LIMIT 32
            """
        ) { (id: $0.integer(0), size: $0.integer(1), created: $0.integer(2)) }
        for line in candidates {
            guard lines > limits.entries || bytes > limits.bytes || line.created < oldest else { break }
            gone.append(line.id)
            lines -= 1
            bytes -= line.size
        }
        chores.limits = false
        guard !gone.isEmpty else { return false }
        let unused = try database.transaction {
            let ledger = Ledger(database)
            try ledger.choose(gone)
            _ = try ledger.unlistChosen()
            return try ledger.collect()
        }
        remove(unused)
        chores.limits = true
        chores.indexing = true
        return true
    }

    // MARK: Files

    /// Removes files that the database knows nothing of: their transaction never came to its end, or they should have
    /// been removed.
    private func collectOrphans(inShard shard: Int) throws {
        blobs.removeUnfinished(inShard: shard)
        for id in blobs.entries(inShard: shard) {
            let isKnown = try database.first("SELECT 1 FROM content WHERE id = ?", [.integer(id)]) { _ in true }
            if isKnown == nil { blobs.remove(id) }
        }
    }

    /// Looks whether some contents have their files.
    ///
    /// - Returns: The last of them; nil when there are no more.
    private func verifyFiles(below last: Int) throws -> Int? {
        let contents = try database.rows(
            "SELECT id, size FROM content WHERE id < ? ORDER BY id DESC LIMIT 256", [.integer(last)]
        ) { ($0.integer(0), $0.integer(1)) }
        let lost = contents.filter { blobs.length(of: $0.0) != $0.1 }.map(\.0)
        if !lost.isEmpty { try lose(lost) }
        return contents.last?.0
    }
}

extension Store {
    /// Whether new contents become entries of the history. It stays so until it is told otherwise.
    package func setPaused(_ isPaused: Bool) throws(StoreFailure) {
        try performing { try usingReserve { try database.run("UPDATE state SET paused = ?", [SQLValue(isPaused)]) } }
    }

    /// The lines of the history, and the bytes of all files.
    package func usage() throws(StoreFailure) -> (entries: Int, bytes: Int) {
        try performing {
            try database.first("SELECT listed, bytes FROM total") { ($0.integer(0), $0.integer(1)) } ?? (0, 0)
        }
    }
}
