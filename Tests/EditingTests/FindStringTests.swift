import BridgeFixture
import Editing
import Foundation
import Pasteboard
import TestSupport
import Testing

extension WindowPasteboards {
    @Suite struct FindStringTests {
        private static let find = Pasteboard.find.async

        @Test("A string committed in one window becomes the search string of another, and is written once")
        func shared() async throws {
            try await withWindow { sandbox, window in
                let (first, second) = (FindString(events: window.events), FindString(events: window.events))
                var changes: [String] = []
                first.onChange = { changes.append("first") }
                second.onChange = { [unowned second] in changes.append(second.string ?? "none") }
                #expect(first.string == nil)
                first.commit("needle")
                #expect(first.string == "needle")
                try await window.turn { second.string == "needle" }
                let count = try await Self.find.changeCount
                #expect(count == 1)
                #expect(try await sandbox.pastesSelection() == "needle")

                first.commit("needle")
                second.commit("needle")
                second.commit("")
                try await window.turn(for: .milliseconds(50))
                #expect(try await Self.find.changeCount == count)
                #expect(changes == ["needle"])
            }
        }

        @Test("Text that is selected in another program becomes the search string")
        func others() async throws {
            try await withWindow { sandbox, window in
                try await sandbox.xclip("before")
                let find = FindString(events: window.events)
                try await window.turn { find.string == "before" }
                try await sandbox.xclip("after")
                try await window.turn { find.string == "after" }
                find.commit("mine")
                try await window.turn(during: { try await awaitFind("mine") })
                try await sandbox.xclip("after")
                try await window.turn { find.string == "after" }
            }
        }

        @Test("Contents without text, and text that is too long, leave the search string unchanged")
        func unsuitable() async throws {
            try await withWindow { sandbox, window in
                let find = FindString(events: window.events)
                var changes = 0
                find.onChange = { changes += 1 }
                find.commit("needle")
                let long = String(repeating: "x", count: FindString.maxBytes + 1)
                try await window.turn(during: { try await awaitFind { $0.count >= 1 } })
                try await sandbox.xclip("picture", target: "image/png")
                try await window.turn(for: .milliseconds(400))
                try await sandbox.xclip(long)
                try await window.turn(for: .milliseconds(400))
                try await Self.find.clear()
                try await window.turn(for: .milliseconds(50))
                #expect(find.string == "needle" && changes == 0)
                // The pasteboard has lost the string, so it is written again.
                find.commit("needle")
                try await window.turn(during: { try await awaitFind("needle") })
                try await sandbox.xclip(String(long.dropLast()))
                try await window.turn { changes == 1 }
                #expect(find.string?.count == FindString.maxBytes)
            }
        }

        @Test("Strings that are committed quickly do not come back as changes, and the last string is written")
        func quickly() async throws {
            try await withWindow { _, window in
                let find = FindString(events: window.events)
                var changes: [String] = []
                find.onChange = { [unowned find] in changes.append(find.string ?? "none") }
                for number in 0..<20 {
                    find.commit("\(number)")
                    try await window.turn(for: .milliseconds(number % 3))
                }
                try await window.turn(during: { try await awaitFind("19") })
                try await window.turn(for: .milliseconds(100))
                #expect(changes.isEmpty && find.string == "19")
            }
        }

        @Test("A stopped owner of the selection blocks nothing, and later contents are read")
        func stopped() async throws {
            try await withWindow { sandbox, window in
                let file = try sandbox.write(Array("frozen".utf8), to: "in")
                let find = FindString(events: window.events)
                let owning = ["own", "--selection", "PRIMARY", "--offer", "UTF8_STRING", file]
                try await sandbox.withPeer(owning) { owner in
                    _ = try await owner.await("owned")
                    try owner.process.suspend()
                    try await window.turn(for: .milliseconds(100))
                    find.commit("mine")
                    #expect(find.string == "mine")
                    try await window.turn(during: { try await awaitFind("mine") })
                    try await sandbox.xclip("another")
                    try await window.turn { find.string == "another" }
                    #expect(window.longestTurn < .seconds(1))
                }
            }
        }

        @Test("The program's own selections are neither read nor rendered")
        func own() async throws {
            try await withWindow { _, window in
                let (find, selection) = (FindString(events: window.events), SelectionOffer(events: window.events))
                var rendered = 0
                find.commit("needle")
                try await window.turn(during: { try await awaitFind("needle") })
                for types in [["public.utf8-plain-text"], ["public.utf8-plain-text", "public.html"]] {
                    selection.offer(types: types) { _ in
                        rendered += 1
                        return Data("selected".utf8)
                    }
                    try await window.turn { selection.isOwner }
                    try await window.turn(for: .milliseconds(400))
                }
                #expect(rendered == 0 && find.string == "needle")
                // The selection has replaced the string on the pasteboard.
                find.commit("needle")
                try await window.turn { !selection.isOwner }
                #expect(try await Self.find.string == "needle")
            }
        }

        @Test("A selection that changes quickly in another program is read when the changes pause")
        func rest() async throws {
            try await withWindow { sandbox, window in
                let find = FindString(events: window.events)
                var changes: [String] = []
                find.onChange = { [unowned find] in changes.append(find.string ?? "none") }
                for text in ["a", "ab", "abc"] {
                    try await window.turn(during: { try await sandbox.xclip(text) })
                }
                // On a slow machine, the selection may also rest between the changes.
                try await window.turn { changes.last == "abc" }
            }
        }

        @Test("A string that another program has committed is read at once")
        func committed() async throws {
            try await withWindow { sandbox, window in
                let find = FindString(events: window.events)
                let file = try sandbox.write(Array("found".utf8), to: "found")
                let options = ["-t", FindString.findStringType, "-f", file, "-t", "text/plain", "-f", file]
                let outcome = try await sandbox.run(["\(Binaries.folder)/xpb", "set", "-p", "find"] + options)
                try #require(outcome.status == 0, "\(outcome)")
                try await window.turn { find.string == "found" }
            }
        }

        @Test("Without a bridge the string is kept, and the error is reported")
        func unavailable() async throws {
            let place = try Place(display: ":1")
            try await Client.$current.withValue(Client(environment: place.environment)) {
                let window = try TestWindow()
                let find = FindString(events: window.events)
                var code: PasteboardError.Code?
                find.onError = { code = ($0 as? PasteboardError)?.code }
                find.commit("needle")
                try await window.turn { code != nil }
                #expect(code == .unavailable && find.string == "needle")
            }
        }
    }
}
