import TestSupport
import Testing

extension Conformance {
    /// Two bridges on one display: StartTests, "One from elsewhere finds the display taken".
    ///
    /// Whose contents are whose is told by the owner's window alone. A marker target that managers keep would say less: a
    /// manager in which a text was edited keeps the marker with it, and the edited text would be taken for ours.
    @Suite("Rule 15: Echoes are told by identity, never by content", .requiresXvfb)
    struct Rule15 {
        @Test("A, B and A again are three copies, by others and by us")
        func again() async throws {
            try await Sandbox.with { sandbox in
                for name in ["A", "B"] { try sandbox.write(Array(name.utf8), to: name) }
                let before = try await sandbox.count()
                for name in ["A", "B", "A"] { try await sandbox.xclipCopies(name) }
                #expect(try await sandbox.count() == before + 3)
                for name in ["A", "B", "A"] { try await sandbox.require("set", name) }
                #expect(try await sandbox.count() == before + 6)
                try await sandbox.require("undo")
                #expect(try await sandbox.require("get").text == "B")
            }
        }

        @Test("A program that copies the very bytes that are there is the owner, and so are we after it")
        func sameBytes() async throws {
            try await Conformance.withOwner([("UTF8_STRING", Array("same".utf8))], ["--not-yet"]) { sandbox, peer in
                try await sandbox.require("set", "same")
                #expect(try await sandbox.require("owner").lines.contains("owner: client"))
                try await peer.send("own")
                let window = try #require(try await peer.await("owned").window)
                #expect(try await sandbox.require("owner").lines.contains("window: 0x" + String(window, radix: 16)))
                try await sandbox.require("set", "same")
                #expect(try await sandbox.require("owner").lines.contains("owner: client"))
                _ = try await peer.await("lost")
            }
        }

        @Test("A marker says nothing of what stands beside it: contents that were changed are those that are there")
        func marker() async throws {
            let offers: [Offered] = [
                ("application/x-xpb-origin", Array("1 1".utf8)), ("UTF8_STRING", Array("edited".utf8)),
            ]
            try await Conformance.withOwner(offers, ["--not-yet"]) { sandbox, peer in
                try await sandbox.require("set", "ours")
                try await sandbox.awaitingChange { try await peer.send("own") }
                #expect(try await sandbox.require("get").text == "edited")
                #expect(try await sandbox.require("types").text.contains("x-xpb-origin") == false)
            }
        }

        /// A program that has the clipboard synchronized with somewhere else may lose a form on the way and bring the rest
        /// back as a copy of its own. Who answers that by owning anew never comes to an end.
        @Test("What comes back changed is left alone: it converges", arguments: [1, 50])
        func converges(times: Int) async throws {
            let options = ["--reclaim", "\(times)"]
            try await Conformance.withOwner([("UTF8_STRING", Array("lossy".utf8))], options) { sandbox, peer in
                let set = try await sandbox.xpb("set", "ours")
                // With one that is always faster it is lost, and says so.
                #expect(set.status == 0 || set.status == 6, "\(set)")
                _ = try await peer.await("owned")
                let text = try await sandbox.require("get").text
                try await peer.send("disown")
                var lost = 1
                while case let event = try await peer.next(), event.event != "disowned" {
                    if event.event == "lost" { lost += 1 }
                }
                // A set is tried twice.
                #expect(lost <= 2)
                #expect(text == (lost > times ? "ours" : "lossy"))
            }
        }
    }
}
