import Foundation
import Testing

@testable import PasteboardStore

struct DatabaseFileTests {
    private let fixture = StoreFixture()

    @Test("It knows the version, and that nothing is missing")
    func whole() throws {
        let store = try fixture.open()
        try store.copy(NewEntry(1, "one"))
        store.close(counts: [:])
        let file = try #require(DatabaseFile(fixture.database))
        #expect(file.version == Schema.version)
        #expect(!file.isCut)
    }

    @Test("What is no database has no header", arguments: ["", "SQLite format 3", String(repeating: "x", count: 200)])
    func none(text: String) throws {
        try FileManager.default.createDirectory(atPath: fixture.folder, withIntermediateDirectories: false)
        try text.write(toFile: fixture.database, atomically: false, encoding: .utf8)
        #expect(DatabaseFile(fixture.database) == nil)
        #expect(DatabaseFile(fixture.folder + "/none") == nil)
    }

    @Test("Pages that are missing are not missed where the log has them: it was just being copied")
    func checkpoint() throws {
        let log = fixture.database + "-wal"
        let store = try fixture.open()
        for number in 1...9 { try store.copy(NewEntry(number, "text \(number)")) }
        let copy = try Data(contentsOf: URL(filePath: log))
        store.close(counts: [:])
        try fixture.cut(fixture.database, to: 2 * 4096)
        #expect(try #require(DatabaseFile(fixture.database)).isCut)
        try copy.write(to: URL(filePath: log))
        #expect(try !#require(DatabaseFile(fixture.database)).isCut)
        // The log lacks the last change.
        let other = try fixture.open()
        #expect(other.opening.notices == [])
        #expect(try other.history(HistoryQuery()).count == 9)
    }

    @Test("A log that was cut as well does not have them")
    func bothCut() throws {
        let log = fixture.database + "-wal"
        let store = try fixture.open()
        for number in 1...9 { try store.copy(NewEntry(number, "text \(number)")) }
        let copy = try Data(contentsOf: URL(filePath: log))
        store.close(counts: [:])
        try fixture.cut(fixture.database, to: 2 * 4096)
        try copy.prefix(3 * 4096).write(to: URL(filePath: log))
        #expect(try #require(DatabaseFile(fixture.database)).isCut)
        let other = try fixture.open()
        #expect(other.opening.notices.count == 2)
        #expect(try other.history(HistoryQuery()).count == 9)
    }
}
