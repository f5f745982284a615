import Foundation
import PasteboardModel
import PasteboardStore
import TestSupport
import Testing

struct SchemaTests {
    private let fixture = StoreFixture()

    /// Restores a store that a release left: entries 1 and 3 are equal, entry 2 is a level of undo, and entry 4 is on
    /// the pasteboard.
    private func restore(_ version: Int) throws {
        let source = Binaries.fixture("Stores/\(version)")
        try FileManager.default.copyItem(atPath: source, toPath: fixture.folder)
        try fixture.sql(try String(contentsOfFile: "\(source)/store.sql", encoding: .utf8))
        try fixture.sql("PRAGMA journal_mode = WAL")
    }

    @Test("A store of any release opens with all its contents", arguments: 1...Schema.version)
    func releases(version: Int) throws {
        try restore(version)
        let store = try fixture.open()
        #expect(store.opening.notices == [])
        #expect(store.opening.isPaused)
        #expect(store.opening.wasClosed)
        #expect(store.opening.nextEntry == EntryID(5))
        #expect(store.opening.counts == [.general: 4, .find: 3, .secondary: 7])
        let pasteboards = [
            StoredPasteboard(name: .find, count: 3, entry: EntryID(3)),
            StoredPasteboard(name: .general, count: 4, entry: EntryID(4), undo: [.init(EntryID(2), action: "Cut")]),
        ]
        #expect(store.opening.pasteboards == pasteboards)
        let lines = try store.lines(HistoryQuery(search: "firefox words"))
        #expect(lines.map(\.id.number) == [4, 3])
        #expect(lines.map(\.copies) == [1, 2])
        #expect(lines.map(\.isPinned) == [false, true])
        #expect(lines.map(\.preview) == ["the last words", "the first words"])
        #expect(
            try [1, 2, 3, 4].map { try store.text(of: $0) } == [
                "the first words", "to go back to", "the first words", "the last words",
            ])
        try store.copy(NewEntry(5, "the next words"))
        try store.performAllMaintenance()
        #expect(try store.lines(HistoryQuery()).map(\.id.number) == [5, 4, 3])
    }

    @Test("The migrated tables are the same as the tables of a new store", arguments: 1...Schema.version)
    func tables(version: Int) throws {
        try restore(version)
        let former = try fixture.open()
        try former.performAllMaintenance()
        let fixture = StoreFixture()
        let new = try fixture.open()
        try new.performAllMaintenance()
        #expect(try schema(former) == schema(new))
    }

    @Test("A migration leaves the indexing of all contents, and the removal of the former index, to maintenance")
    func steps() throws {
        try restore(5)
        // A thousand more contents, and a thousand more pages of the index.
        let numbers = "WITH n (i) AS (VALUES (100) UNION ALL SELECT i + 1 FROM n WHERE i < 1099)"
        try fixture.sql(
            """
            \(numbers) INSERT INTO content SELECT i, i, 1, 1, 1, 'public.utf8-plain-text', 'line ' || i, NULL, NULL, 1, 0, 1
            FROM n;
            \(numbers) INSERT INTO entry SELECT i, i, 'find', i, 0, NULL, NULL, 0, 1 FROM n;
            \(numbers) INSERT INTO words SELECT i, 'line ' || i, 'public.utf8-plain-text', NULL FROM n;
            \(numbers) INSERT INTO search_data SELECT i, zeroblob(4000) FROM n;
            """)
        let store = try fixture.open()
        #expect(store.database.totalChanges < 100)
        #expect(try store.ids(HistoryQuery(search: "line 555")) == [555])
        try store.performAllMaintenance()
        #expect(try store.ids(HistoryQuery(search: "line 555")) == [555])
        let pages = try store.database.first("SELECT count(*) FROM search_data") { $0.integer(0) } ?? 0
        #expect(pages < 100)
        try store.database.run("INSERT INTO search (search) VALUES ('integrity-check')")
    }

    private func schema(_ store: Store) throws -> [String] {
        try store.database.rows("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name") { row in
            let words = row.text(2).split { $0.isWhitespace }
            return "\(row.text(0)) \(row.text(1)) " + words.joined(separator: " ")
        }
    }

    @Test("A store of a later release is refused and not changed", arguments: [true, false])
    func newer(isClosed: Bool) throws {
        let store = try fixture.open()
        try store.copy(NewEntry(1, "of the future"))
        let later = Schema.version + 1
        try store.database.run("PRAGMA user_version = \(later)")
        if isClosed { store.close(counts: [:]) }
        _ = consume store
        let before = try files()
        #expect(throws: StoreFailure.newer(version: later, folder: fixture.folder)) { try fixture.open() }
        #expect(try files() == before)
    }

    /// Returns all files except the lock, which contains the id of the process that opened the store.
    private func files() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: fixture.folder) where path != "lock" {
            files[path] = FileManager.default.contents(atPath: "\(fixture.folder)/\(path)")
        }
        return files
    }
}
