import Foundation
import PasteboardModel
import PasteboardStore
import TestRandom
import Testing
import UniformTypes

/// Tests of stores whose files were damaged while no process had them open.
struct DamageTests {
    private static let count = 40
    private static let texts = (1...count).map { "text \($0) " + String(repeating: "word ", count: $0 * 20) }

    /// The folders and files of a store, as a template for other stores.
    private struct Template {
        /// The path, the permissions, and the contents of each file; nil for a folder. Folders come before their files.
        private var items: [(path: String, permissions: Int, contents: Data?)] = []

        init(of fixture: StoreFixture) throws {
            for path in try [""] + FileManager.default.subpathsOfDirectory(atPath: fixture.folder).sorted() {
                let place = "\(fixture.folder)/\(path)"
                let attributes = try FileManager.default.attributesOfItem(atPath: place)
                let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
                let permissions = try #require(attributes[.posixPermissions] as? Int)
                items.append((path, permissions, isFolder ? nil : try Data(contentsOf: URL(filePath: place))))
            }
        }

        func write(to folder: String) throws {
            for (path, permissions, contents) in items {
                let place = "\(folder)/\(path)"
                let attributes: [FileAttributeKey: Any] = [.posixPermissions: permissions]
                if let contents {
                    let isMade = FileManager.default.createFile(
                        atPath: place, contents: contents, attributes: attributes)
                    try #require(isMade)
                } else {
                    try FileManager.default.createDirectory(
                        atPath: place, withIntermediateDirectories: false, attributes: attributes)
                }
            }
        }
    }

    /// The stores of ``make(_:isClosed:)``, which are created only once.
    private static let closed = Result { try template(isClosed: true) }
    private static let open = Result { try template(isClosed: false) }

    /// Makes a store with entries 1 to 40. The last entry is on the general pasteboard, with one level of undo that is
    /// not in the history.
    private static func make(_ fixture: StoreFixture, isClosed: Bool) throws {
        try (isClosed ? closed : open).get().write(to: fixture.folder)
    }

    private static func template(isClosed: Bool) throws -> Template {
        let fixture = StoreFixture()
        try fill(fixture, isClosed: isClosed)
        return try Template(of: fixture)
    }

    private static func fill(_ fixture: StoreFixture, isClosed: Bool) throws {
        let store = try fixture.open()
        let counts = try CountFloor(at: fixture.folder)
        for number in 1...count {
            counts.reserve(number)
            let isListed = number != 39
            try store.copy(NewEntry(number, texts[number - 1], isListed: isListed), undo: number > 39 ? [39] : [])
            // One half of the entries is in the database, the other half in the log.
            if number == 20 { try store.database.run("PRAGMA wal_checkpoint (TRUNCATE)") }
        }
        if isClosed { store.close(counts: [.general: count]) }
    }

    /// Checks that the store has all acknowledged entries and can be written to.
    private static func check(_ fixture: StoreFixture) throws -> Store {
        let store = try fixture.open()
        let pasteboard = try #require(store.opening.pasteboards.first { $0.name == .general })
        #expect(pasteboard.count >= count)
        #expect(pasteboard.entry == EntryID(count))
        #expect(pasteboard.undo.map(\.entry) == [EntryID(39)])
        #expect(store.opening.nextEntry > EntryID(count))
        try store.performAllMaintenance()
        for number in 1...count {
            #expect(try store.text(of: number) == texts[number - 1], "\(number)")
        }
        let lines = try store.lines(HistoryQuery()).map(\.id.number)
        #expect(lines == (1...count).reversed().filter { $0 != 39 })
        #expect(try store.lines(HistoryQuery(search: "text wo")).count == count - 1)
        let next = store.opening.nextEntry.number
        try store.copy(NewEntry(next, "next", count: pasteboard.count + 1))
        #expect(try store.text(of: next) == "next")
        return store
    }

    @Test("An undamaged store opens without a notice", arguments: [true, false])
    func undamaged(isClosed: Bool) throws {
        let fixture = StoreFixture()
        try Self.make(fixture, isClosed: isClosed)
        let store = try Self.check(fixture)
        #expect(store.opening.notices == [])
        #expect(store.opening.wasClosed == isClosed)
    }

    @Test(
        "A database truncated at any length is set aside and rebuilt from the blobs", arguments: 0..<25, [true, false])
    func cut(part: Int, isClosed: Bool) throws {
        var random = SeededGenerator(seed: UInt64(part))
        let fixture = StoreFixture()
        try Self.make(fixture, isClosed: isClosed)
        let length = try Data(contentsOf: URL(filePath: fixture.database)).count
        let lengths = [0, 1, 99, 100, 4_095, 4_096, length - 1]
        let rest = part < lengths.count ? lengths[part] : Int.random(in: 1..<length, using: &random)
        try fixture.truncate(fixture.database, to: rest)
        let store = try Self.check(fixture)
        let aside = fixture.names.filter { $0.hasPrefix("store.sqlite.damaged-") && !$0.hasSuffix("-wal") }
        if store.opening.notices.isEmpty {
            // The missing part was in the log too.
            #expect(!isClosed)
            // SQLite takes a file of one byte for a new database, so it is not set aside.
        } else if rest > 1 {
            #expect(aside.count == 1)
            #expect(store.opening.notices[0].contains(try #require(aside.first)))
        }
    }

    @Test("A store with any overwritten page of the database works and loses no contents", arguments: 0..<30)
    func overwritten(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let fixture = StoreFixture()
        try Self.make(fixture, isClosed: true)
        let file = try FileHandle(forUpdating: URL(filePath: fixture.database))
        let pages = try file.seekToEnd() / 4096
        try file.seek(toOffset: UInt64.random(in: 0..<pages, using: &random) * 4096)
        try file.write(contentsOf: Data((0..<4096).map { _ in UInt8.random(in: 0...255, using: &random) }))
        try file.close()
        _ = try Self.check(fixture)
    }

    @Test("A store that lost its log, or the end of its log, keeps all contents", arguments: 0..<12)
    func log(part: Int) throws {
        var random = SeededGenerator(seed: UInt64(part))
        let fixture = StoreFixture()
        try Self.make(fixture, isClosed: false)
        let log = fixture.database + "-wal"
        let length = try Data(contentsOf: URL(filePath: log)).count
        try fixture.truncate(log, to: part == 0 ? 0 : Int.random(in: 1..<length, using: &random))
        let store = try fixture.open()
        let pasteboard = try #require(store.opening.pasteboards.first { $0.name == .general })
        #expect(pasteboard.count >= Self.count)
        #expect(pasteboard.entry == EntryID(Self.count))
        try store.performAllMaintenance()
        for number in 1...Self.count { #expect(try store.text(of: number) == Self.texts[number - 1]) }
        if part == 0 { #expect(store.opening.notices.count == 1) }
    }

    @Test("A deleted database is rebuilt, with the number of each entry")
    func gone() throws {
        let fixture = StoreFixture()
        try Self.make(fixture, isClosed: true)
        try FileManager.default.removeItem(atPath: fixture.database)
        let store = try Self.check(fixture)
        #expect(store.opening.notices.first == "the database in \(fixture.folder) is lost")
        #expect(store.opening.notices.count == 2)
        #expect(!store.opening.wasClosed)
    }

    @Test("Damage that a later call encounters is repaired by that call, and undo is kept")
    func later() throws {
        let fixture = StoreFixture()
        try Self.make(fixture, isClosed: true)
        let store = try fixture.open()
        try store.pin([EntryID(3)], true)
        try store.performAllMaintenance()
        try store.database.script(
            "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 1 WHERE name = 'entry'")
        // This makes SQLite read the changed schema.
        try store.database.script("PRAGMA writable_schema = RESET")
        #expect(try store.text(of: 3) == Self.texts[2])
        #expect(try store.lines(HistoryQuery()).count == Self.count - 1)
        #expect(store.drainNotices().count == 2)
        #expect(store.drainNotices() == [])
        try store.copy(NewEntry(41, "next"), undo: [40])
        let aside = fixture.names.filter { $0.hasPrefix("store.sqlite.damaged-") }
        #expect(!aside.isEmpty)
        store.close(counts: [:])
        let pasteboard = try #require(try fixture.open().opening.pasteboards.first)
        #expect(pasteboard.undo.map(\.entry) == [EntryID(40)])
    }

    @Test("If only the search index is damaged, only the index is rebuilt")
    func index() throws {
        let fixture = StoreFixture()
        try Self.make(fixture, isClosed: true)
        let store = try fixture.open()
        try store.pin([EntryID(3)], true)
        try store.performAllMaintenance()
        try store.database.run("UPDATE search_data SET block = x'00112233445566778899' WHERE id > 1")
        store.close(counts: [:])
        let other = try fixture.open()
        #expect(try other.lines(HistoryQuery(search: "text")).count == Self.count - 1)
        #expect(try other.lines(HistoryQuery(pinned: true)).map(\.id.number) == [3])
        let notices = other.drainNotices()
        #expect(notices.count == 1, "\(notices)")
    }

    @Test("An incomplete blob is reported, and not used")
    func file() throws {
        let fixture = StoreFixture()
        try Self.make(fixture, isClosed: true)
        let blobs = BlobFolder(in: fixture.folder)
        for number in [40, 5] {
            try fixture.truncate(blobs.path(of: number), to: 30)
        }
        let store = try fixture.open()
        #expect(store.opening.pasteboards.first?.entry == nil)
        #expect(store.opening.notices == ["1 file of contents in \(blobs.path) is lost"])
        #expect(try store.text(of: 40) == nil)
        #expect(try store.text(of: 5) == nil)
        #expect(store.drainNotices() == ["1 file of contents in \(blobs.path) is lost"])
        #expect(try store.lines(HistoryQuery()).count == Self.count - 3)
    }

    @Test("Blobs without an entry and unfinished blobs are deleted")
    func orphans() throws {
        let fixture = StoreFixture()
        try Self.make(fixture, isClosed: false)
        let blobs = BlobFolder(in: fixture.folder)
        try fixture.sql("DELETE FROM hold; DELETE FROM entry WHERE id = 7; DELETE FROM content WHERE id = 7")
        try "half".write(toFile: "\(blobs.path)/00/.99", atomically: false, encoding: .utf8)
        try fixture.open().performAllMaintenance()
        #expect(!fixture.files.contains(7))
        #expect(!FileManager.default.fileExists(atPath: "\(blobs.path)/00/.99"))
        #expect(fixture.files.count == Self.count - 1)
    }

    @Test("If the database was lost, unreadable blobs are set aside, not deleted")
    func unreadable() throws {
        let fixture = StoreFixture()
        try Self.make(fixture, isClosed: true)
        let blobs = BlobFolder(in: fixture.folder)
        try "rubbish".write(toFile: blobs.path(of: 7), atomically: true, encoding: .utf8)
        try FileManager.default.removeItem(atPath: fixture.database)
        let store = try fixture.open()
        try store.performAllMaintenance()
        #expect(store.opening.notices.count == 3)
        #expect(try String(contentsOfFile: blobs.path(of: 7) + ".damaged", encoding: .utf8) == "rubbish")
        #expect(try store.lines(HistoryQuery()).count == Self.count - 2)
    }

    @Test("Recovered contents have their expiry, their origin, and text that no representation has")
    func manifest() throws {
        let fixture = StoreFixture()
        var entry = try NewEntry(1, "bytes")
        entry.contents.items[0].representations[0].type = .html
        entry.action = "Copy from Firefox"
        entry.program = "firefox"
        entry.isLocalOnly = true
        entry.summary = EntrySummary(text: "shown", width: 3, height: 4)
        let pasteboard = StoredPasteboard(name: .general, count: 1, entry: entry.id, expires: 77)
        try fixture.open().apply(StoreChange(entries: [entry], pasteboards: [pasteboard]))
        try FileManager.default.removeItem(atPath: fixture.database)
        let store = try fixture.open()
        #expect(store.opening.pasteboards.first?.expires == 77)
        let line = try #require(try store.lines(HistoryQuery(search: "shown")).first)
        #expect(line.preview == "shown")
        #expect(line.width == 3)
        #expect(line.height == 4)
        #expect(line.action == "Copy from Firefox")
        #expect(line.program == "firefox")
        #expect(try store.contents(of: EntryID(1))?.isLocalOnly == true)
    }
}
