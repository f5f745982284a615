import Glibc
import LinuxSystem
import SystemPackage

/// The maintenance that the store has deferred until its thread is idle.
package struct Maintenance {
    /// The blobs that may not be on the disk yet.
    package internal(set) var unsynced: [Int] = []
    /// The number of bytes of the first unsynced blob that are on the disk.
    var synced = 0
    /// The files to be deleted once the entries that replace them are on the disk.
    package internal(set) var pendingDeletion: [Int] = []
    /// True after the disk could not be written to. Then files that were to be replaced are kept.
    var hasFailed = false
    /// The long contents that have not been compared with earlier contents.
    var uncompared: [Int] = []
    /// The unfinished comparison of the first of ``uncompared``.
    var comparison: Comparison?
    /// The next shard to be searched for blobs that the database does not know; nil after the last one.
    var shard: Int?
    /// The lowest number of contents whose blobs were verified; nil once all blobs are verified.
    var verified: Int?
    /// True if there may be words to add to the search index or to remove from it.
    var indexing = true
    /// True if there may be pages of a former search index.
    var deletingFormerIndex = true
    /// True if the history may be over its limits.
    var limits = true
    /// The number of contents that were added to the search index since its pages were merged.
    var added = 0
    /// True if pages of the search index still have deleted words, or the index consists of many parts.
    var merging = false
    /// True while the pages of the search index are being merged.
    var isMerging = false
    /// True if the log has changes that may not be on the disk yet.
    package internal(set) var logging = true
    /// True if the database may have free pages.
    var shrinking = false
    /// True if the log still has deleted contents.
    var scrubbing = false
    /// True if the disk was full at the last attempt.
    var isFull = false
    /// True if the reserve has to be allocated.
    var reserving = true

    /// - Parameter isChecking: True if the blobs have to be checked, as after a crash.
    init(isChecking: Bool) {
        shard = isChecking ? 0 : nil
        verified = isChecking ? .max : nil
    }
}

extension Store {
    /// The length of the log in bytes above which it is copied into the database.
    private static let maxLogLength = 1 << 20
    /// The number of blobs not yet on the disk above which maintenance is overdue.
    private static let maxUnsynced = 32
    /// The number of files to be deleted above which maintenance is overdue.
    private static let maxPendingDeletion = 64
    /// The part of a long blob that is written to the disk at once, in bytes.
    private static let maxSyncedPart = 8 << 20

    /// True if so much maintenance was deferred that some is due even while other work waits.
    package var isMaintenanceOverdue: Bool {
        maintenance.unsynced.count >= Self.maxUnsynced || isDeletionOverdue
    }

    private var isDeletionOverdue: Bool {
        maintenance.pendingDeletion.count >= Self.maxPendingDeletion && !maintenance.hasFailed
    }

    /// Does one step of the maintenance, which takes a few milliseconds unless the disk is slow.
    ///
    /// Call this after changes, until it returns false, and from time to time if the history has a limit on its age.
    /// Steps for which a full disk has no room are deferred.
    ///
    /// - Returns: true if there is more to do.
    package func performMaintenance(now: Int) throws(StoreFailure) -> Bool {
        try performing {
            do {
                let hasMore = try performMaintenanceStep(now: now)
                maintenance.isFull = false
                return hasMore
            } catch let error as DatabaseError where error.kind == .noRoom {
                // Try again only once: the next attempt may use up the room that shortening the log makes.
                maintenance.isFull.toggle()
                return maintenance.isFull && makeRoom()
            }
        }
    }

    /// Does the first step that is due, in the order of urgency.
    private func performMaintenanceStep(now: Int) throws -> Bool {
        // Successive changes leave no moment at which everything is on the disk.
        if isDeletionOverdue { return deletePendingFiles() }
        // Equal contents are merged before syncing: a duplicate need not be written to the disk.
        if try mergeEqual(atMost: 8 << 20) { return true }
        if syncPart() || syncFiles() { return true }
        // A long log is shortened before the steps that add to it.
        if logLength > Self.maxLogLength, renewLog() { return true }
        if syncLog() || deletePendingFiles() { return true }
        // The new index uses the pages that the former index frees.
        if try deleteFormerIndex() {
            _ = try index(atMost: 64 << 10)
            return true
        }
        if try index(atMost: 64 << 10) { return true }
        if try usingReserve({ try dropOldest(now: now) }) { return true }
        if try collectOrphans() { return true }
        if try verifyFiles() { return true }
        if maintenance.merging {
            maintenance.merging = try mergeIndex()
            return true
        }
        if maintenance.shrinking {
            maintenance.shrinking = try shrink()
            return true
        }
        if maintenance.scrubbing {
            maintenance.scrubbing = false
            return renewLog()
        }
        return allocateReserve()
    }

    private func deletePendingFiles() -> Bool {
        guard !maintenance.pendingDeletion.isEmpty, !maintenance.hasFailed else { return false }
        deletePending(atMost: Self.maxPendingDeletion)
        return true
    }

    /// Deletes some of the files whose deletion is pending, beginning with the last, once the entries that replace them
    /// are on the disk. A power cut would otherwise lose contents that had long been on the disk and were copied again.
    func deletePending(atMost limit: Int) {
        guard !maintenance.pendingDeletion.isEmpty else { return }
        syncBlobs(atMost: .max)
        _ = syncLog()
        if maintenance.hasFailed { return }
        for id in maintenance.pendingDeletion.suffix(limit) { blobs.remove(id) }
        maintenance.pendingDeletion.removeLast(min(limit, maintenance.pendingDeletion.count))
    }

    // MARK: Syncing

    /// Writes a part of a long blob to the disk. Writing all of it at once would occupy the thread for as long as the
    /// disk takes.
    ///
    /// - Returns: false if there is no such blob, or all but its last part is on the disk.
    private func syncPart() -> Bool {
        guard let id = maintenance.unsynced.first, let length = blobs.length(of: id),
            length - maintenance.synced > Self.maxSyncedPart
        else { return false }
        blobs.sync(id, maintenance.synced..<maintenance.synced + Self.maxSyncedPart)
        maintenance.synced += Self.maxSyncedPart
        return true
    }

    private func syncFiles() -> Bool {
        guard !maintenance.unsynced.isEmpty else { return false }
        syncBlobs(atMost: isMaintenanceOverdue ? Self.maxUnsynced : 2)
        return true
    }

    /// Writes some blobs and their names to the disk.
    func syncBlobs(atMost limit: Int) {
        if !blobs.sync(maintenance.unsynced.prefix(limit)) { maintenance.hasFailed = true }
        maintenance.unsynced.removeFirst(min(limit, maintenance.unsynced.count))
        maintenance.synced = 0
    }

    private func syncLog() -> Bool {
        guard maintenance.logging else { return false }
        if !BlobFolder.sync("\(folder)/store.sqlite-wal") { maintenance.hasFailed = true }
        CountFloor.sync(in: folder)
        if !BlobFolder.sync(folder) { maintenance.hasFailed = true }
        maintenance.logging = false
        return true
    }

    // MARK: The log

    package var logLength: Int { BlobFolder.length(of: "\(folder)/store.sqlite-wal") ?? 0 }

    /// Copies the log into the database, and empties it.
    ///
    /// - Returns: true if the log is now empty. A full disk may have no room for the copy.
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

    // MARK: Limits

    /// Drops the oldest lines of a history that is over its limits. Returns true if lines were dropped.
    private func dropOldest(now: Int) throws -> Bool {
        guard maintenance.limits || limits.age != nil else { return false }
        let dropped = try linesOverLimits(now: now)
        maintenance.limits = false
        guard !dropped.isEmpty else { return false }
        let unused = try database.transaction {
            let tables = EntryTables(database)
            try tables.choose(dropped)
            _ = try tables.unlistChosen()
            return try tables.collect()
        }
        remove(unused)
        maintenance.limits = true
        maintenance.indexing = true
        return true
    }

    private func linesOverLimits(now: Int) throws -> [Int] {
        let total = try database.first("SELECT loose, loose_bytes FROM total") { ($0.integer(0), $0.integer(1)) }
        guard var (lines, bytes) = total else { return [] }
        if bytes > limits.bytes {
            // Contents that cannot be dropped would drive out all other contents.
            bytes -= try heldBytes()
            let tooLong = try linesOverLimit()
            if !tooLong.isEmpty { return tooLong }
        }
        let oldest = limits.age.map { now - Int($0 / .milliseconds(1)) } ?? .min
        let candidates = try database.rows(
            """
            SELECT content.id, content.size, (SELECT max(created) FROM entry WHERE content = content.id AND listed = 1)
            FROM content WHERE content.copies > 0 AND content.pinned = 0 AND NOT \(Self.isHeld)
            ORDER BY content.id LIMIT 32
            """
        ) { (id: $0.integer(0), size: $0.integer(1), created: $0.integer(2)) }
        var excess: [Int] = []
        for line in candidates {
            guard lines > limits.entries || bytes > limits.bytes || line.created < oldest else { break }
            excess.append(line.id)
            lines -= 1
            bytes -= line.size
        }
        return excess
    }

    /// The condition that a pasteboard has the contents or can go back to them.
    private static let isHeld =
        "EXISTS (SELECT 1 FROM entry JOIN hold ON hold.entry = entry.id WHERE entry.content = content.id)"

    private func heldBytes() throws -> Int {
        try database.first(
            """
            SELECT coalesce(sum(size), 0) FROM content WHERE copies > 0 AND pinned = 0
                AND id IN (SELECT entry.content FROM hold JOIN entry ON entry.id = hold.entry)
            """
        ) { $0.integer(0) } ?? 0
    }

    /// Returns lines that are over the limit by themselves: without these lines, no other line may have to be dropped.
    private func linesOverLimit() throws -> [Int] {
        try database.rows(
            "SELECT id FROM content WHERE copies > 0 AND pinned = 0 AND size > ? AND NOT \(Self.isHeld) LIMIT 32",
            [.integer(limits.bytes)]
        ) { $0.integer(0) }
    }

    // MARK: Checking the files

    /// Removes the files of one shard that the database does not know: their transaction did not complete, or their
    /// deletion did not.
    private func collectOrphans() throws -> Bool {
        guard let shard = maintenance.shard else { return false }
        blobs.removeUnfinished(inShard: shard)
        for id in blobs.entries(inShard: shard) {
            let isKnown = try database.first("SELECT 1 FROM content WHERE id = ?", [.integer(id)]) { _ in true }
            if isKnown == nil { blobs.remove(id) }
        }
        maintenance.shard = shard + 1 < BlobFolder.shards ? shard + 1 : nil
        return true
    }

    /// Checks that some of the contents have their files, and removes those that do not.
    private func verifyFiles() throws -> Bool {
        guard let last = maintenance.verified else { return false }
        let contents = try database.rows(
            "SELECT id, size FROM content WHERE id < ? ORDER BY id DESC LIMIT 256", [.integer(last)]
        ) { ($0.integer(0), $0.integer(1)) }
        let lost = contents.filter { blobs.length(of: $0.0) != $0.1 }.map(\.0)
        if !lost.isEmpty { try removeLost(lost) }
        maintenance.verified = contents.last?.0
        return true
    }

    private func allocateReserve() -> Bool {
        guard maintenance.reserving else { return false }
        maintenance.reserving = false
        reserve.allocate()
        return true
    }
}

/// Reserved room on the disk, in the file `reserve`. Deleting from the database also writes, and has to work on a full
/// disk.
struct DiskReserve {
    /// The length of the file in bytes. Deleting a line changes about twenty pages.
    private static let length = 1 << 20

    private let path: String

    init(in folder: String) { path = "\(folder)/reserve" }

    /// Allocates the room, unless that is done already or the disk is too full.
    func allocate() {
        guard
            let file = try? Descriptor.open(
                FilePath(path), .readWrite, options: [.create, .noFollow], permissions: .ownerReadWrite)
        else { return }
        if posix_fallocate(file.fileDescriptor.rawValue, 0, off_t(Self.length)) != 0 { release() }
    }

    /// Gives the room back to the disk. Returns true if it was allocated.
    @discardableResult
    func release() -> Bool { unsafe unlink(path) == 0 }
}
