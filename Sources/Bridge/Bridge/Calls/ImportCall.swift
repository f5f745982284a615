import BridgeServer
import BridgeState
import Configuration
import EventLoop
import LinuxSystem
import PasteboardModel
import PasteboardStore
import PasteboardWire

/// The import of entries into the history.
extension Service {
    /// Adds entries to the history, all of them or none, and sends the progress.
    ///
    /// - Parameters:
    ///   - bytes: The archives, one after the other.
    ///   - send: Sends a reply that is not the last.
    /// - Returns: The last reply.
    func importHistory(
        _ bytes: Promise.Bytes, _ send: (Methods.ImportHistory.Reply) -> Void
    ) async throws(BridgeError) -> Methods.ImportHistory.Reply {
        // The store stages the entries of one import at a time.
        try await imports.withLock { () async throws(BridgeError) in
            do throws(BridgeError) {
                return try await stageAll(bytes, send)
            } catch {
                while (try? await persistence.ask { (store) throws(StoreFailure) in try store.abandonImport() }) == true
                {
                }
                throw error
            }
        }
    }

    private func stageAll(
        _ bytes: Promise.Bytes, _ send: (Methods.ImportHistory.Reply) -> Void
    ) async throws(BridgeError) -> Methods.ImportHistory.Reply {
        let room = try await persistence.ask { (store) throws(StoreFailure) in try store.importRoom() }
        let age = settings.configuration.historyAge
        let oldest = age.map { UnixTime.now - Int($0 * 1_000) } ?? .min
        var run = HistoryImport(of: bytes, room: room, oldest: oldest, limits: settings.configuration)
        while !run.isDone {
            guard !Task.isCancelled, !isLeaving else { throw .leaving }
            let numbers = (0..<HistoryImport.stepLength).map { _ in persistence.store.newEntry() }
            run = try await persistence.ask { [run] (store) throws(StoreFailure) in
                var run = run
                try run.step(in: store, numbers: numbers)
                return run
            }
            persistence.store.giveBack(numbers.suffix(run.unused))
            if let fault = run.fault { throw fault }
            if !run.isDone { send(run.reply) }
        }
        run.reply.added = try await persistence.ask { (store) throws(StoreFailure) in try store.finishImport() }
        run.reply.complete = true
        return run.reply
    }
}

/// An import in progress: the remaining archives, and the results so far.
private struct HistoryImport: Sendable {
    /// The number of entries that are read at once, while other calls of the store wait.
    static let stepLength = 32

    private let bytes: Promise.Bytes
    /// The time before which entries are too old for the history, in milliseconds since the Unix epoch.
    private let oldest: Int
    private let limits: (entries: Int, bytes: Int)
    private var offset: Int
    private var number = 0
    private var room: (entries: Int, bytes: Int)
    var reply = Methods.ImportHistory.Reply(added: 0, known: 0, secret: 0, old: 0)
    /// The number of identifiers that the last step did not need.
    private(set) var unused = 0
    /// The reason why nothing is imported.
    private(set) var fault: BridgeError?

    init(of bytes: Promise.Bytes, room: (entries: Int, bytes: Int), oldest: Int, limits: Configuration) {
        self.bytes = bytes
        self.room = room
        self.oldest = oldest
        self.limits = (limits.historyLimit, limits.historyBytes)
        offset = bytes.range.lowerBound
    }

    var isDone: Bool { offset >= bytes.range.upperBound }

    /// Stages the next entries.
    mutating func step(in store: Store, numbers: [EntryID]) throws(StoreFailure) {
        var entries: [Store.Imported] = []
        defer { unused = numbers.count - entries.count }
        while entries.count < numbers.count, !isDone {
            do throws(BridgeError) {
                if let entry = try next(numbers[entries.count]) { entries.append(entry) }
            } catch {
                return fault = error
            }
        }
        let staged = try store.stage(entries)
        reply.added += staged
        reply.known += entries.count - staged
    }

    /// Reads the next archive. Returns nil for an entry that does not belong in the history.
    private mutating func next(_ id: EntryID) throws(BridgeError) -> Store.Imported? {
        number += 1
        let start = offset..<min(offset + ItemArchive.maxHeaderLength, bytes.range.upperBound)
        let archive: ItemArchive
        do {
            archive = try ItemArchive(header: try header(in: start), length: nil)
        } catch let error as ItemArchiveError {
            throw invalid(error.message)
        } catch {
            throw invalid("\(error)")
        }
        guard archive.length <= bytes.range.upperBound - offset else {
            throw invalid(
                ItemArchiveError.truncated(missing: archive.length - (bytes.range.upperBound - offset)).message)
        }
        guard let contents = Contents(archive, at: offset), let record = archive.record else {
            throw invalid("a type or the member 'entry' is missing or invalid")
        }
        offset += archive.length
        return try entry(id, contents, record, length: archive.length)
    }

    private func header(in range: Range<Int>) throws -> [UInt8] {
        var length = min(range.count, 4 << 10)
        while true {
            let start = try bytes.file.bytes(in: range.prefix(length))
            if let end = try ItemArchive.headerLength(in: start) { return Array(start[..<end]) }
            guard length < range.count else { throw ItemArchiveError.truncated(missing: 1) }
            length = min(length * 8, range.count)
        }
    }

    private mutating func entry(
        _ id: EntryID, _ contents: Contents, _ record: ItemArchive.Record, length: Int
    ) throws(BridgeError) -> Store.Imported? {
        let isPinned = record.pinned == true
        if contents.marks.isSecret || contents.marks.isAutoGenerated {
            reply.secret += 1
            return nil
        }
        if record.created < oldest, !isPinned {
            reply.old += 1
            return nil
        }
        if !isPinned {
            room.entries -= 1
            room.bytes -= length
        }
        guard room.entries >= 0 else { throw tooMany("history-limit", limits.entries, "entries") }
        guard room.bytes >= 0 else { throw tooMany("history-bytes", limits.bytes, "bytes") }
        let name = (try? PasteboardName(validating: record.pasteboard)).flatMap { $0.isSystem ? $0 : nil } ?? .general
        let entry = NewEntry(
            id: id, contents: contents, files: [bytes.file], pasteboard: name, count: 0,
            created: min(record.created, UnixTime.now), action: record.action, program: record.program,
            isLocalOnly: record.localOnly, summary: EntrySummaries.summary(of: contents, files: [bytes.file]))
        return Store.Imported(entry, isPinned: isPinned)
    }

    private func invalid(_ reason: String) -> BridgeError { BridgeError(.invalidBytes, "entry \(number): \(reason)") }

    private func tooMany(_ setting: String, _ limit: Int, _ unit: String) -> BridgeError {
        BridgeError(
            .refused,
            "the history keeps \(limit) \(unit), and these are more than it has room for; raise the setting '\(setting)'"
        )
    }
}
