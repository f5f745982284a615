import Foundation
import LinuxSystem
import PasteboardModel
import PasteboardStore
import SystemPackage
import Testing
import UniformTypes

struct StoreTests {
    private let fixture = StoreFixture()

    @Test("A new store is empty, and accessible to its user only")
    func new() throws {
        let store = try fixture.open()
        #expect(store.opening.pasteboards == [])
        #expect(store.opening.nextEntry == EntryID(1))
        #expect(store.opening.notices == [])
        #expect(!store.opening.isPaused)
        try store.copy(NewEntry(1, "secret"))
        for (path, mode) in [("", 0o700), ("/store.sqlite", 0o600), ("/blobs", 0o700), ("/blobs/00/1", 0o400)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: fixture.folder + path)
            #expect(attributes[.posixPermissions] as? Int == mode, "\(path)")
        }
    }

    @Test("Opening a store revokes other users' permissions on its folder")
    func foreignRights() throws {
        try FileManager.default.createDirectory(
            atPath: fixture.folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        _ = try fixture.open()
        let attributes = try FileManager.default.attributesOfItem(atPath: fixture.folder)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
    }

    @Test("Contents are read as they were written, with all recorded properties")
    func roundTrip() throws {
        let file = try MemoryFile.containing(Array("xxhello worldyy".utf8))
        let other = try MemoryFile.containing([0, 1, 2, 255])
        let png = try #require(UniformType("public.png"))
        let contents = Contents(items: [
            Item(representations: [
                Representation(type: .utf8PlainText, target: "text/plain;charset=UTF-8", range: 2..<13),
                Representation(type: png, exact: true, source: 1, range: 1..<4),
            ]),
            Item(representations: []),
            Item(representations: [Representation(type: png, target: "image/png", range: 3..<3)]),
        ])
        let entry = NewEntry(
            id: EntryID(7), contents: contents, files: [file, other], pasteboard: .app("com.example.a"), count: 12,
            created: 99, action: "Copy from Firefox", program: "firefox", isLocalOnly: true,
            summary: EntrySummary(text: "hello world", width: 3, height: 4))
        try fixture.open().copy(entry)
        let store = try fixture.open()
        let stored = try #require(try store.contents(of: EntryID(7)))
        #expect(stored.contents.items.map(\.types) == contents.items.map(\.types))
        let parts = stored.contents.items.flatMap(\.representations)
        #expect(parts.map(\.target) == ["text/plain;charset=UTF-8", nil, "image/png"])
        #expect(parts.map(\.exact) == [false, true, false])
        let bytes = try parts.map { try stored.files[$0.source].bytes(in: try #require($0.range)) }
        #expect(bytes == [Array("hello world".utf8), [1, 2, 255], []])
        #expect(stored.pasteboard == .app("com.example.a"))
        #expect(stored.count == 12)
        #expect(stored.created == 99)
        #expect(stored.action == "Copy from Firefox")
        #expect(stored.program == "firefox")
        #expect(stored.isLocalOnly)
        #expect(stored.isListed)
        #expect(!stored.isPinned)
        #expect(try store.contents(of: EntryID(8)) == nil)
    }

    @Test("Long contents start at a block in the store's own file, and stay readable after its deletion")
    func long() throws {
        let store = try fixture.open()
        let text = String(repeating: "long ", count: 1 << 18)
        try store.copy(NewEntry(1, text))
        let stored = try #require(try store.contents(of: EntryID(1)))
        #expect(stored.files.map(\.kind) == [.stored])
        let range = try #require(stored.contents.items[0].representations[0].range)
        #expect(range.lowerBound.isMultiple(of: 4_096) && range.count == text.utf8.count)
        try store.copy(NewEntry(2, "short"))
        _ = try store.delete([EntryID(1)])
        try store.performAllMaintenance()
        #expect(fixture.files == [2])
        #expect(try stored.files[0].bytes(in: range) == Array(text.utf8))
    }

    @Test("Borrowed contents are stored as they were, and changes to their file do not matter")
    func borrowed() throws {
        let store = try fixture.open()
        var entry = try NewEntry(1, String(repeating: "a", count: 1 << 20))
        let source = try fixture.makeSource(length: 1 << 20)
        entry.files = [try MemoryFile(.borrowed, onDisk: source)]
        try store.copy(entry)
        try source.fileDescriptor.writeAll(Array(repeating: UInt8(ascii: "b"), count: 100))
        try source.fileDescriptor.resize(to: 50)
        #expect(try store.text(of: 1) == String(repeating: "a", count: 1 << 20))
    }

    @Test("A borrowed file that became shorter is reported, and nothing is stored")
    func truncated() throws {
        let store = try fixture.open()
        var entry = try NewEntry(1, String(repeating: "a", count: 1 << 20))
        let source = try fixture.makeSource(length: 1 << 20)
        entry.files = [try MemoryFile(.borrowed, onDisk: source)]
        for length in [(1 << 20) - 1, 600_000, 0] {
            try source.fileDescriptor.resize(to: Int64(length))
            #expect(throws: StoreFailure.sourceCut) { try store.copy(entry) }
        }
        #expect(fixture.files == [] && !fixture.hasUnfinishedFiles)
        #expect(try store.contents(of: EntryID(1)) == nil)
    }

    @Test("A file with holes that is longer than the room on the disk is refused before anything is copied")
    func holes() throws {
        let store = try fixture.open()
        let length = try Folder.room(in: fixture.folder).bytes + (1 << 30)
        let source = try fixture.makeSource(length: 0)
        try source.fileDescriptor.resize(to: Int64(length))
        var entry = try NewEntry(1, "a")
        let hole = Representation(type: .utf8PlainText, target: "UTF8_STRING", range: 0..<length)
        entry.contents = Contents(items: [Item(representations: [hole])])
        entry.files = [try MemoryFile(.borrowed, onDisk: source)]
        let progress = CopyProgress()
        let error = #expect(throws: StoreFailure.self) {
            try StagedBlob(entry, expires: nil, in: fixture.folder, progress: progress)
        }
        guard case .noRoom = error else { throw try #require(error) }
        #expect(progress.bytes == 0)
        try store.copy(NewEntry(2, "text"))
        #expect(fixture.files == [2])
    }

    @Test("Short contents are read into sealed files")
    func sealed() throws {
        let store = try fixture.open()
        try store.copy(NewEntry(1, "text"))
        let stored = try #require(try store.contents(of: EntryID(1)))
        _ = try MemoryFile(adopting: try stored.files[0].descriptor.duplicate())
    }

    @Test("Pasteboards are restored with their levels and expiry")
    func pasteboards() throws {
        let pasteboard = StoredPasteboard(
            name: .general, count: 3, entry: EntryID(3), expires: 5, maker: "/opt/example/maker",
            undo: [.init(EntryID(1), action: "Copy"), .init(EntryID(2))], redo: [.init(EntryID(4), action: "Cut")])
        do {
            let store = try fixture.open()
            let entries = try (1...4).map { try NewEntry($0, "text \($0)", isListed: false) }
            try store.apply(StoreChange(entries: entries, pasteboards: [pasteboard]))
            store.close(counts: [.general: 3, .find: 9])
        }
        let store = try fixture.open()
        #expect(store.opening.pasteboards == [pasteboard])
        #expect(store.opening.counts == [.general: 3, .find: 9])
        #expect(store.opening.nextEntry == EntryID(5))
        #expect(store.opening.wasClosed)
        #expect(store.opening.notices == [])
        #expect(try store.text(of: 1) == "text 1")
    }

    @Test("Entries that nothing needs are removed at once, with their files")
    func collected() throws {
        let store = try fixture.open()
        try store.copy(NewEntry(1, "one", isListed: false))
        try store.copy(NewEntry(2, "two", isListed: false), undo: [1])
        try store.copy(NewEntry(3, "three", isListed: false), undo: [2])
        #expect(fixture.files == [2, 3])
        #expect(try store.contents(of: EntryID(1)) == nil)
        try store.apply(StoreChange(removed: [.general]))
        #expect(fixture.files == [])
        try store.apply(StoreChange(entries: [try NewEntry(4, "four", isListed: false)]))
        #expect(fixture.files == [])
    }

    @Test("A store that is already open is refused")
    func locked() throws {
        let store = try fixture.open()
        #expect(throws: StoreFailure.locked(process: getpid())) { try fixture.open() }
        try store.copy(NewEntry(1, "still there"))
        store.close(counts: [:])
    }

    @Test("An entry number that is already used is refused, and its contents remain")
    func usedNumber() throws {
        let store = try fixture.open()
        try store.copy(NewEntry(1, "first"))
        #expect(throws: StoreFailure.self) { try store.copy(NewEntry(1, "second")) }
        #expect(try store.text(of: 1) == "first")
    }

    @Test("A folder whose path is a file is unusable")
    func unusable() throws {
        try "".write(toFile: fixture.folder, atomically: true, encoding: .utf8)
        #expect(throws: StoreFailure.unusable("Not a directory (\(fixture.folder))")) { try fixture.open() }
    }

    @Test("After a crash, counts are not lower than the floor")
    func uncleanCounts() throws {
        var floor = 0
        do {
            let store = try fixture.open()
            let counts = try CountFloor(at: fixture.folder)
            counts.reserve(1)
            floor = counts.floor
            try store.copy(NewEntry(1, "one"))
        }
        let store = try fixture.open()
        #expect(!store.opening.wasClosed)
        #expect(store.opening.pasteboards.map(\.count) == [floor])
        #expect(floor > 1)
        #expect(store.opening.counts == [:])
    }

    @Test("A paused history stays paused after a restart")
    func paused() throws {
        try fixture.open().setPaused(true)
        #expect(try fixture.open().opening.isPaused)
    }
}

struct RehearsalTests {
    private let fixture = StoreFixture()

    @Test("The rehearsal changes nothing, and starts the log")
    func nothing() throws {
        let former = try fixture.open()
        try former.copy(NewEntry(1, "kept"))
        let usage = try former.usage()
        former.close(counts: [:])

        let store = try fixture.open()
        #expect(store.logLength == 0)
        store.rehearse(now: StoreFixture.now)
        #expect(store.logLength > 0)
        #expect(try store.usage() == usage)
        #expect(try store.text(of: 1) == "kept")
        #expect(fixture.files == [1])
        store.close(counts: [:])
        let opening = try fixture.open().opening
        #expect(opening.pasteboards.map(\.name) == [.general])
        #expect(opening.nextEntry == EntryID(2))
    }

    @Test("A log that maintenance empties is restarted")
    func renewed() throws {
        let store = try fixture.open()
        for number in 1...100 { try store.copy(NewEntry(number, "text \(number)")) }
        let length = store.logLength
        try store.performAllMaintenance()
        #expect(1..<length ~= store.logLength)
    }
}
