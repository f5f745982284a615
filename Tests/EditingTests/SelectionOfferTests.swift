import Editing
import Foundation
import Pasteboard
import TestSupport
import Testing

extension WindowPasteboards {
    @Suite struct SelectionOfferTests {
        private static let find = Pasteboard.find.async
        private static let text = ["public.utf8-plain-text"]

        /// The selected strings of a drag: `a`, `ab`, `abc` and so on.
        private static let letters = (1...26).map { length in
            String(decoding: (0..<UInt8(length)).map { UInt8(ascii: "a") + $0 }, as: UTF8.self)
        }

        @Test("A selection is rendered only when a program requests it, and only once")
        func rendered() async throws {
            try await withWindow { sandbox, window in
                let selection = SelectionOffer(events: window.events)
                var rendered: [String] = []
                selection.offer(types: Self.text) { type in
                    rendered.append(type)
                    return Data("selected".utf8)
                }
                #expect(!selection.isOwner)
                try await window.turn { selection.isOwner }
                #expect(rendered.isEmpty)
                for _ in 0..<2 {
                    #expect(try await window.turn { try await sandbox.pastesSelection() } == "selected")
                }
                #expect(rendered == Self.text)
            }
        }

        @Test("Each step of a growing selection replaces the offer, and renders nothing")
        func moving() async throws {
            try await withWindow { sandbox, window in
                let selection = SelectionOffer(events: window.events)
                var rendered: [String] = []
                func select(_ text: String) {
                    selection.offer(types: Self.text) { _ in
                        rendered.append(text)
                        return Data(text.utf8)
                    }
                }
                let before = try await Self.find.changeCount
                for text in Self.letters {
                    select(text)
                    window.events.dispatch()
                }
                try await window.turn { selection.isOwner }
                for text in Self.letters { select(text) }
                #expect(rendered.isEmpty)
                #expect(try await Self.find.changeCount == before + 1)
                let last = try #require(Self.letters.last)
                #expect(try await window.turn { try await sandbox.pastesSelection() } == last)
                #expect(rendered == [last])

                // A program has read the previous selection, so the next selection is a change.
                select("next")
                try await window.turn { selection.isOwner }
                #expect(try await Self.find.changeCount == before + 2)
                #expect(try await window.turn { try await sandbox.pastesSelection() } == "next")
                #expect(rendered == [last, "next"])
            }
        }

        @Test("Of the selections made during a write, the last counts")
        func queued() async throws {
            try await withWindow { sandbox, window in
                let selection = SelectionOffer(events: window.events)
                let before = try await Self.find.changeCount
                selection.offer(types: Self.text) { _ in Data("text".utf8) }
                selection.offer(types: ["public.png"]) { _ in Data([1]) }
                selection.offer(types: ["public.html"] + Self.text) { _ in Data("<b>last</b>".utf8) }
                try await window.turn { selection.isOwner }
                try await window.turn(during: { try await awaitFind { $0.count >= before + 2 } })
                try await window.turn { selection.isOwner }
                #expect(try await Self.find.types.first == "public.html")
                let html = try await window.turn { try await Self.find.data(forType: .html) }
                #expect(html == Data("<b>last</b>".utf8))
            }
        }

        @Test("When another program selects something, the loss is reported once", arguments: [false, true])
        func lost(_ isRead: Bool) async throws {
            try await withWindow { sandbox, window in
                let selection = SelectionOffer(events: window.events)
                var losses = 0
                selection.onLoss = { losses += 1 }
                selection.offer(types: Self.text) { _ in Data("selected".utf8) }
                try await window.turn { selection.isOwner }
                if isRead { #expect(try await window.turn { try await sandbox.pastesSelection() } == "selected") }
                try await sandbox.xclip("another")
                try await window.turn { losses > 0 }
                #expect(!selection.isOwner)
                selection.withdraw()
                try await window.turn(for: .milliseconds(50))
                #expect(losses == 1)
                #expect(try await sandbox.pastesSelection() == "another")

                selection.offer(types: Self.text) { _ in Data("again".utf8) }
                try await window.turn { selection.isOwner }
                #expect(try await window.turn { try await sandbox.pastesSelection() } == "again")
            }
        }

        @Test("A selection that is withdrawn leaves an empty pasteboard", arguments: [false, true])
        func withdrawn(_ isEarly: Bool) async throws {
            try await withWindow { sandbox, window in
                let selection = SelectionOffer(events: window.events)
                var losses = 0
                selection.onLoss = { losses += 1 }
                selection.offer(types: Self.text) { _ in Data("selected".utf8) }
                if !isEarly { try await window.turn { selection.isOwner } }
                if isEarly { selection.withdraw() } else { selection.offer(types: [String]()) { _ in Data() } }
                try await window.turn(during: {
                    for try await change in Pasteboard.find.changes(since: 0) where change.count == 2 { return }
                })
                #expect(try await sandbox.pastesSelection() == nil)
                #expect(!selection.isOwner && losses == 0)
                selection.withdraw()
            }
        }

        @Test("If a selection cannot be rendered, its reader gets nothing and the window continues")
        func failing() async throws {
            struct Refusal: Error {}
            try await withWindow { sandbox, window in
                let selection = SelectionOffer(events: window.events)
                selection.offer(types: Self.text) { _ in throw Refusal() }
                try await window.turn { selection.isOwner }
                #expect(try await window.turn { try await sandbox.pastesSelection() } == nil)
                selection.offer(types: Self.text) { _ in Data("good".utf8) }
                try await window.turn { selection.isOwner }
                #expect(try await window.turn { try await sandbox.pastesSelection() } == "good")
            }
        }

        @Test("The end of the bridge is reported as a loss, and an impossible offer as an error")
        func bridgeEnds() async throws {
            try await withWindow { sandbox, window in
                let selection = SelectionOffer(events: window.events)
                var (losses, errors) = (0, 0)
                selection.onLoss = { losses += 1 }
                selection.onError = { _ in errors += 1 }
                selection.offer(types: Self.text) { _ in Data("selected".utf8) }
                try await window.turn { selection.isOwner }
                try await sandbox.killBridge()
                try await window.turn { losses == 1 }
                // A concrete type is required, and "image" has several.
                selection.offer(types: ["image"]) { _ in Data() }
                try await window.turn { errors == 1 }
                #expect(!selection.isOwner)
                selection.offer(types: Self.text) { _ in Data("again".utf8) }
                try await window.turn { selection.isOwner }
                #expect(try await window.turn { try await sandbox.pastesSelection() } == "again")
            }
        }
    }
}
