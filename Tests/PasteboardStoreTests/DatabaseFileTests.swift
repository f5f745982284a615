import Foundation
import PasteboardStore
import Testing

struct DatabaseFileTests {
    private let fixture = StoreFixture()

    @Test("The file of a closed store has the version, and is not truncated")
    func whole() throws {
        let store = try fixture.open()
        try store.copy(NewEntry(1, "one"))
        store.close(counts: [:])
        let file = try #require(DatabaseFile(fixture.database))
        #expect(file.version == Schema.version)
        #expect(!file.isTruncated)
    }

    @Test(
        "A file that is not a database has no header",
        arguments: ["", "SQLite format 3", String(repeating: "x", count: 200)])
    func none(text: String) throws {
        try FileManager.default.createDirectory(atPath: fixture.folder, withIntermediateDirectories: false)
        try text.write(toFile: fixture.database, atomically: false, encoding: .utf8)
        #expect(DatabaseFile(fixture.database) == nil)
        #expect(DatabaseFile(fixture.folder + "/none") == nil)
    }

    @Test("A file whose missing pages are in the log, as during a checkpoint, does not count as truncated")
    func checkpoint() throws {
        let log = fixture.database + "-wal"
        let store = try fixture.open()
        for number in 1...9 { try store.copy(NewEntry(number, "text \(number)")) }
        let copy = try Data(contentsOf: URL(filePath: log))
        store.close(counts: [:])
        try fixture.truncate(fixture.database, to: 2 * 4096)
        #expect(try #require(DatabaseFile(fixture.database)).isTruncated)
        try copy.write(to: URL(filePath: log))
        #expect(try !#require(DatabaseFile(fixture.database)).isTruncated)
        // The copy of the log lacks the last change.
        let other = try fixture.open()
        #expect(other.opening.notices == [])
        #expect(try other.lines(HistoryQuery()).count == 9)
    }

    @Test("A file counts as truncated if the log lacks the missing pages too")
    func bothCut() throws {
        let log = fixture.database + "-wal"
        let store = try fixture.open()
        for number in 1...9 { try store.copy(NewEntry(number, "text \(number)")) }
        let copy = try Data(contentsOf: URL(filePath: log))
        store.close(counts: [:])
        try fixture.truncate(fixture.database, to: 2 * 4096)
        try copy.prefix(3 * 4096).write(to: URL(filePath: log))
        #expect(try #require(DatabaseFile(fixture.database)).isTruncated)
        let other = try fixture.open()
        #expect(other.opening.notices.count == 2)
        #expect(try other.lines(HistoryQuery()).count == 9)
    }
}
