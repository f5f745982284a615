import Foundation
import LinuxSystem
import PasteboardModel
import PasteboardStore
import SystemPackage
import Testing
import TextSearch
import UniformTypes

/// A folder for one store, removed when the fixture is released.
final class StoreFixture {
    let folder: String
    /// Limits that no test reaches by chance.
    static let limits = Store.Limits(entries: 10_000, age: nil, bytes: 1 << 30)
    static let now = 1_800_000_000_000

    init() {
        // The folder is in memory if possible, because a store waits for its disk very often.
        let place = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : "/tmp"
        folder = "\(place)/xpb-store-\(UInt64.random(in: 0 ... .max))"
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Opens the store. Its searches pause only if a test replaces their clock.
    func open(limits: Store.Limits = limits, now: Int = now) throws -> Store {
        let store = try Store(at: folder, limits: limits, now: now)
        let moment = ContinuousClock.now
        store.searchClock = { moment }
        return store
    }

    var database: String { "\(folder)/store.sqlite" }

    /// The numbers of all blobs.
    var files: [Int] { BlobFolder(in: folder).entries.sorted() }

    /// True if there are files that were not completed.
    var hasUnfinishedFiles: Bool {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: "\(folder)/blobs")) ?? []
        return paths.contains { $0.contains("/.") }
    }

    /// Makes a file of letters outside the store.
    func makeSource(length: Int) throws -> Descriptor {
        let path = "\(folder).source"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(repeating: UInt8(ascii: "a"), count: length).write(to: URL(filePath: path))
        return Descriptor(adopting: try FileDescriptor.open(FilePath(path), .readWrite, options: .closeOnExec))
    }

    /// The names of the files in the folder.
    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted() ?? [] }

    /// Truncates a file.
    func truncate(_ path: String, to length: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.truncate(atOffset: UInt64(length))
        try file.close()
    }

    /// Runs an SQL script on its own connection.
    func sql(_ script: String) throws {
        let database = try Database(database)
        try database.script(script)
        database.close()
    }
}

extension NewEntry {
    /// Creates an entry with text in one representation.
    init(
        _ number: Int, _ text: String, on pasteboard: PasteboardName = .general, count: Int? = nil,
        created: Int = StoreFixture.now, program: String? = nil, isListed: Bool = true
    ) throws {
        let file = try MemoryFile.containing(Array(text.utf8))
        let part = Representation(type: .utf8PlainText, target: "UTF8_STRING", range: 0..<file.length)
        self.init(
            id: EntryID(number), contents: Contents(items: [Item(representations: [part])]), files: [file],
            pasteboard: pasteboard, count: count ?? number, created: created, program: program, isListed: isListed,
            summary: EntrySummary(text: text))
    }
}

extension Store {
    /// Writes entries and their pasteboards, as a copy does.
    func copy(_ entries: NewEntry..., undo: [Int] = []) throws {
        for entry in entries {
            let pasteboard = StoredPasteboard(
                name: entry.pasteboard, count: entry.count, entry: entry.id, undo: undo.map { .init(EntryID($0)) })
            try apply(StoreChange(entries: [entry], pasteboards: [pasteboard]))
        }
    }

    /// Does all maintenance that is due.
    func performAllMaintenance(now: Int = StoreFixture.now) throws {
        while try performMaintenance(now: now) {}
    }

    /// Returns the numbers of the entries that the history lists.
    func ids(_ query: HistoryQuery = HistoryQuery()) throws -> [Int] { try lines(query).map(\.id.number) }

    /// Returns all lines of a query, or as many as its limit allows.
    func lines(_ query: HistoryQuery) throws -> [HistoryEntry] {
        var query = query
        var lines: [HistoryEntry] = []
        while true {
            let page = try history(query)
            lines += page.entries
            query.before = page.next
            query.limit = query.limit.map { $0 - page.entries.count }
            if page.next == nil || query.limit == 0 { return lines }
        }
    }

    /// Returns the text of an entry that ``NewEntry`` was created with; nil if there is no such entry.
    func text(of number: Int) throws -> String? {
        guard let stored = try contents(of: EntryID(number)) else { return nil }
        let part = try #require(stored.contents.items.first?.representations.first)
        return String(decoding: try stored.files[part.source].bytes(in: try #require(part.range)), as: UTF8.self)
    }
}

extension HistoryQuery {
    init(
        pasteboard: PasteboardName? = nil, search: String, pinned: Bool? = nil, limit: Int? = nil, before: Int? = nil
    ) throws {
        self.init(
            pasteboard: pasteboard, search: try SearchQuery(search, now: StoreFixture.now / 1_000), pinned: pinned,
            limit: limit, before: before)
    }
}
