import FoundationEssentials
import Pasteboard
import TestSupport
import Testing

extension Library {
    /// Several items, several representations, and conditions.
    @Suite("Items", .requiresXvfb) struct ItemsTests {
        private static let general = Pasteboard.general

        private static func text(_ text: String) -> PasteboardItem {
            PasteboardItem(Data(text.utf8), type: "public.utf8-plain-text")
        }

        @Test("Data is nil for items without the type, and item sets are found by type")
        func sets() async throws {
            try await withLibrary { _ in
                var rich = Self.text("b")
                rich.setData(Data("<b>b</b>".utf8), forType: "public.html")
                try Self.general.setItems([
                    Self.text("a"), rich, PasteboardItem(Data("p".utf8), type: "public.png"),
                ])
                #expect(try Self.general.numberOfItems == 3)
                #expect(
                    try Self.general.data(forType: "public.html", inItemSet: nil) == [nil, Data("<b>b</b>".utf8), nil])
                #expect(
                    try await Self.general.async.data(forType: "text", inItemSet: [2, 0]) == [nil, Data("a".utf8)])
                #expect(try Self.general.itemSet(withTypes: ["public.png", "public.html"]) == [1, 2])
                #expect(try Self.general.contains(types: ["public.image"]) == false)
                #expect(try Self.general.contains(types: ["public.image"], inItemSet: nil))
                #expect(try await Self.general.async.contains(types: ["public.image"], inItemSet: [0, 1]) == false)
                #expect(try Self.general.types(forItemSet: [2]) == [["public.png"]])
                #expect(try Self.general.types.first == "public.utf8-plain-text")
                #expect(try Self.general.data(forType: "public.png") == nil)
                for call in [
                    { _ = try Self.general.data(forType: "text", inItemSet: [3]) },
                    { _ = try Self.general.types(forItemSet: [-1]) },
                ] {
                    let error = #expect(throws: PasteboardError.self) { try call() }
                    #expect(error?.code == .noSuchItem)
                }
            }
        }

        @Test("Items are read back unchanged, and can be written again")
        func roundTrip() async throws {
            try await withLibrary { sandbox in
                var item = PasteboardItem(Data("{\\rtf1 a}".utf8), type: "application/rtf")
                item.setData(Data(), forType: "com.example.empty")
                item.setData(Data("a".utf8), forType: "public.utf8-plain-text")
                try Self.general.setItems([item, Self.text("z")])
                let read = try await Self.general.async.items
                #expect(
                    read.map(\.types) == [
                        ["public.rtf", "com.example.empty", "public.utf8-plain-text"], ["public.utf8-plain-text"],
                    ])
                #expect(read[0].data(forType: "com.example.empty") == Data() && read[0].missingTypes.isEmpty)
                try Self.general.clear()
                #expect(try Self.general.items.isEmpty)
                try Self.general.setItems(read)
                let again = try Self.general.items
                #expect(again.map(\.types) == read.map(\.types))
                let targets = try await sandbox.xclipPastes("TARGETS").lines
                #expect(targets.contains("application/rtf"))
            }
        }

        @Test("Added items come after the present items, even those of another program")
        func adding() async throws {
            try await withLibrary { sandbox in
                try await sandbox.xclipCopies("first")
                let before = try await Self.general.async.changeCount
                #expect(try Self.general.addItems([Self.text("second")]) == before + 1)
                try await Self.general.async.addItems([Self.text("third")])
                #expect(try Self.general.strings == ["first", "second", "third"])
            }
        }

        @Test("Each file of another program is an item, and the first one has the text of the list")
        func files() async throws {
            try await withLibrary { sandbox in
                _ = try await sandbox.xclipCopies("file:///a\r\nfile:///b%20c\r\n", as: "text/uri-list")
                let urls = try await Self.general.async.data(forType: "public.file-url", inItemSet: nil)
                #expect(urls == [Data("file:///a".utf8), Data("file:///b%20c".utf8)])
                let texts = try Self.general.data(forType: "public.utf8-plain-text", inItemSet: nil)
                #expect(texts == [Data("/a\n/b c".utf8), nil])
                #expect(try Self.general.strings == ["/a\n/b c"])
            }
        }

        @Test("A thousand items are written in one call and read in one call")
        func many() async throws {
            try await withLibrary { _ in
                let texts = (0..<1_000).map { "item \($0)" }
                try await Self.general.async.setStrings(texts)
                #expect(try await Self.general.async.strings == texts)
                #expect(try await Self.general.async.items.count == 1_000)
                #expect(
                    try Self.general.data(forType: "text", inItemSet: [999, 1]) == [
                        Data("item 999".utf8), Data("item 1".utf8),
                    ])
                #expect(try Self.general.itemSet(withTypes: ["text"]) == Array(0..<1_000))
            }
        }

        @Test("64 MiB are read back unchanged")
        func large() async throws {
            try await withLibrary { _ in
                let bytes = Payload.random(64 << 20)
                try await Self.general.async.setData(Data(bytes), forType: "com.example.large")
                let data = try await Self.general.async.data(forType: "com.example.large")
                #expect(Payload.difference(Array(try #require(data)), bytes) == nil)
                // The data is a value: it outlives the contents, and changing a copy affects nothing else.
                var copy = try #require(data)
                try await Self.general.async.clear()
                copy[0] ^= 1
                #expect(data?.first == bytes[0] && copy[0] == bytes[0] ^ 1)
            }
        }

        /// Adds 1 to the number on the pasteboard, however often another writer is faster.
        private static func increment() async throws {
            while true {
                let count = try await general.async.changeCount
                let number = Int(try await general.async.string ?? "") ?? 0
                do {
                    try await general.async.setString("\(number + 1)", ifChangeCount: count)
                    return
                } catch let error as PasteboardError where error.code == .countMismatch {
                    #expect(error.context.count ?? 0 > count)
                }
            }
        }

        @Test("Concurrent writers that pass the change count lose none of each other's changes")
        func compareAndSet() async throws {
            try await withLibrary { _ in
                try await Self.general.async.setString("0")
                try await withThrowingTaskGroup { group in
                    for _ in 0..<8 { group.addTask { for _ in 0..<5 { try await Self.increment() } } }
                    try await group.waitForAll()
                }
                #expect(try await Self.general.async.string == "40")
                let count = try Self.general.changeCount
                for call in [
                    { try Self.general.clear(ifChangeCount: count - 1) },
                    { try Self.general.setItems([], ifChangeCount: count - 1) },
                    { try Self.general.addItems([Self.text("x")], ifChangeCount: count - 1) },
                ] {
                    let error = #expect(throws: PasteboardError.self) { try call() }
                    #expect(error?.code == .countMismatch && error?.context.count == count)
                }
                #expect(try Self.general.changeCount == count)
            }
        }

        @Test("Contents are removed when they expire, and newer contents stay")
        func expiry() async throws {
            try await withLibrary { _ in
                let count = try Self.general.setString(
                    "soon gone", options: PasteboardOptions(expirationDate: Date(timeIntervalSinceNow: 2)))
                for try await change in Self.general.changes(since: count) {
                    #expect(change.count == count + 1 && change.owner.kind == .nobody)
                    break
                }
                #expect(try Self.general.string == nil)
            }
        }

        @Test("Writing invalid contents throws an error with a code, and changes nothing")
        func badInput() async throws {
            try await withLibrary { _ in
                let count = try Self.general.setString("kept")
                let calls: [(PasteboardError.Code, @Sendable () throws -> Int)] = [
                    (.invalidValue, { try Self.general.setItems([PasteboardItem()]) }),
                    (.invalidType, { try Self.general.setData(Data(), forType: "image") }),
                    (.invalidType, { try Self.general.setData(Data(), forType: "") }),
                    (
                        .invalidOptions,
                        {
                            try Self.general.setString("", options: PasteboardOptions(expirationDate: .distantPast))
                        }
                    ),
                    (
                        .invalidValue,
                        { try Self.general.encode(Temperature(degrees: .nan), forType: "com.example.t") }
                    ),
                ]
                for (code, call) in calls {
                    let error = #expect(throws: PasteboardError.self) { try call() }
                    #expect(error?.code == code, "\(error.map(String.init(describing:)) ?? "")")
                }
                #expect(try Self.general.changeCount == count)
                #expect(try Self.general.string == "kept")
            }
        }

        private struct Temperature: Codable, Sendable {
            var degrees: Double
        }
    }
}
