import Foundation
import PasteboardModel
import PasteboardStore
import TestRandom
import Testing

struct CountFloorTests {
    private let fixture = StoreFixture()
    private var path: String { "\(fixture.folder)/counts" }

    @Test("After a restart, the floor is at least as high as every reserved count")
    func reserved() throws {
        var random = SeededGenerator(seed: 4)
        var count = 0
        for _ in 0..<40 {
            let counts = try CountFloor(at: fixture.folder)
            #expect(counts.floor >= count)
            for _ in 0..<Int.random(in: 0...3_000, using: &random) {
                count += 1
                counts.reserve(count)
            }
        }
    }

    @Test("The file is written once for a block of counts, and keeps its length")
    func blocks() throws {
        let counts = try CountFloor(at: fixture.folder)
        let length = try Data(contentsOf: URL(filePath: path)).count
        counts.reserve(1)
        let first = try Data(contentsOf: URL(filePath: path))
        for count in 2...CountFloor.block / 2 { counts.reserve(count) }
        #expect(try Data(contentsOf: URL(filePath: path)) == first)
        counts.reserve(CountFloor.block)
        #expect(try Data(contentsOf: URL(filePath: path)) != first)
        #expect(try Data(contentsOf: URL(filePath: path)).count == length)
    }

    @Test("A write that is interrupted anywhere leaves the previous floor or the new floor", arguments: 0...64)
    func torn(length: Int) throws {
        let counts = try CountFloor(at: fixture.folder)
        counts.reserve(5_000)
        let former = try Data(contentsOf: URL(filePath: path))
        let floor = counts.floor
        counts.reserve(100_000)
        let new = try Data(contentsOf: URL(filePath: path))
        let start = try #require(zip(former, new).enumerated().first { $1.0 != $1.1 }).offset / 64 * 64
        var mixed = former
        mixed.replaceSubrange(start..<start + length, with: new[start..<start + length])
        try mixed.write(to: URL(filePath: path))
        #expect([floor, counts.floor].contains(try CountFloor(at: fixture.folder).floor))
    }

    @Test(
        "If the file is lost, counts continue above all counts in the store",
        arguments: [nil, "", "rubbish", "xpb-counts 5 1"])
    func lost(text: String?) throws {
        try fixture.open().copy(NewEntry(1, "one", count: 70_000))
        if let text {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        } else {
            try FileManager.default.removeItem(atPath: path)
        }
        let store = try fixture.open()
        #expect(store.opening.pasteboards.map(\.count) == [70_000 + CountFloor.block])
        #expect(store.opening.notices.count == 1)
        #expect(try CountFloor(at: fixture.folder).floor == 70_000 + CountFloor.block)
    }

    @Test("If the lost file is opened before the store, counts still continue above all counts in the store")
    func lostBefore() throws {
        let pasteboard = StoredPasteboard(name: .general, count: 70_000)
        try fixture.open().apply(StoreChange(pasteboards: [pasteboard]))
        try FileManager.default.removeItem(atPath: path)
        _ = try CountFloor(at: fixture.folder)
        #expect(try fixture.open().opening.pasteboards.map(\.count) == [70_000 + CountFloor.block])
        #expect(try CountFloor(at: fixture.folder).floor == 70_000 + CountFloor.block)
    }

    @Test("If the database is lost too, counts continue above the counts in the blobs")
    func bothLost() throws {
        try fixture.open().copy(NewEntry(1, "one", count: 70_000))
        for name in fixture.names where name != "blobs" {
            try FileManager.default.removeItem(atPath: "\(fixture.folder)/\(name)")
        }
        #expect(try CountFloor(at: fixture.folder).floor == 70_000 + CountFloor.block)
        #expect(try fixture.open().opening.pasteboards.map(\.count) == [70_000 + CountFloor.block])
    }
}
