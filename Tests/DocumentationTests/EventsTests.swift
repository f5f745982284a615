import FoundationEssentials
import Pasteboard
import TestSupport
import Testing

extension Documentation {
    @Suite("A program with a loop of its own") struct EventsTests {
        @Test("Changes, reads and other calls run their closures in the loop")
        func loop() async throws {
            try await withPasteboards { _ in
                try await waiting {
                    // snippet: loop
                    let events = try PasteboardEvents()
                    events.observe(.general) { change in
                        print(change.count, change.types)
                    }
                    events.read(.general, types: [.html, .text]) { result in
                        if let read = try? result.get() { print(read.type, read.data.count) }
                    }
                    // In the loop: poll(2) the descriptor for input, and then
                    events.dispatch()
                    // end
                    // snippet: perform
                    events.perform({ try await Pasteboard.general.async.undo() }) { result in
                        if case .failure(let error) = result { print(error) }
                    }
                    // end
                    var read: String?
                    events.read(.general, types: [.text]) { _ in read = "done" }
                    try dispatch(events) { read != nil }
                }
            }
        }

        @MainActor final class Label {
            var text = ""
        }

        // snippet: main actor
        @MainActor func showCount(in label: Label, _ events: PasteboardEvents) {
            events.observe(.general) { change in
                MainActor.assumeIsolated { label.text = "\(change.count) changes" }
            }
        }
        // end

        @Test("Closures of the main actor are called on the main thread")
        func mainActor() async throws {
            try await withPasteboards { _ in try await showChanges() }
        }

        /// Shows the first change on the main actor's thread, which creates the object and runs its closures.
        @MainActor private func showChanges() async throws {
            let events = try PasteboardEvents()
            let label = Label()
            showCount(in: label, events)
            // The observation begins in the background, so some changes may come before it.
            while label.text.isEmpty {
                try await Pasteboard.general.async.setString("change")
                events.dispatch()
            }
        }

        private struct DrawingWindow {
            func renderSelection() throws -> Data { Data("image".utf8) }
        }

        @Test("A promise is fulfilled in the loop")
        func promise() async throws {
            try await withPasteboards { sandbox in
                try await waiting {
                    let events = try PasteboardEvents()
                    let window = DrawingWindow()
                    // snippet: provider
                    var item = PasteboardItem(Data("drawing".utf8), type: .plainText)
                    item.setPromise(forType: .png, provider: events.provider { try window.renderSelection() })
                    // end
                    var (isWritten, image): (Bool, Data?) = (false, nil)
                    events.write([item], to: .general) { _ in isWritten = true }
                    try dispatch(events) { isWritten }
                    events.read(.general, types: [.png]) { image = (try? $0.get())?.data }
                    try dispatch(events) { image != nil }
                    #expect(image == Data("image".utf8))
                }
            }
        }

        @Test("Types are found by name, and values write and read themselves")
        func values() async throws {
            try await withPasteboards { _ in
                try await waiting {
                    // snippet: types
                    let picture = try Pasteboard.general.data(forType: .png)
                    let note = try Pasteboard.general.data(forType: "com.example.note")
                    // end
                    #expect(picture == nil && note == nil)
                    // snippet: representable
                    struct Tile: PasteboardRepresentable {
                        var color: String

                        static var readableTypes: [PasteboardType] { ["org.example.tile", .text] }

                        init(color: String) { self.color = color }

                        init(pasteboardData data: Data, type: String) throws {
                            color = String(decoding: data, as: UTF8.self)
                        }

                        func pasteboardItem() throws -> PasteboardItem {
                            var item = PasteboardItem(Data(color.utf8), type: "org.example.tile")
                            item.setData(Data(color.utf8), forType: .plainText)
                            return item
                        }
                    }

                    try Pasteboard.general.copy([Tile(color: "#2040c0")])
                    let tiles = try Pasteboard.general.paste(Tile.self)
                    // end
                    #expect(tiles.map(\.color) == ["#2040c0"])
                    // snippet: codable
                    struct Recipe: CodablePasteboardRepresentable {
                        static let pasteboardType: PasteboardType = "com.example.recipe"
                        var title: String
                    }
                    // end
                    try Pasteboard.general.copy([Recipe(title: "Soup")])
                    #expect(try Pasteboard.general.paste(Recipe.self).map(\.title) == ["Soup"])
                }
            }
        }
    }
}
