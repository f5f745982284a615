import CopyingSupport
import TestSupport
import Testing

extension Conformance {
    /// StartTests.secondFromElsewhere tests two bridges on one display.
    ///
    /// The owner of contents is determined only by the owner's window. A marker target, which clipboard managers keep,
    /// would be wrong: a manager in which text was edited keeps the marker, and the edited text would be mistaken for
    /// the bridge's.
    @Suite("Rule 15: contents are attributed by the owner's identity, never by their bytes", .requiresXvfb)
    struct Rule15 {
        @Test("A, B and A again are three copies, from other programs and from the bridge")
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

        @Test("A program that copies the same bytes becomes the owner, and so does the bridge after it")
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

        @Test("A marker target does not identify contents, and changed contents are read")
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

        /// A program that synchronizes the clipboard with another device may lose a format and copy the rest again.
        /// Claiming the selection in response would never end.
        @Test("Contents that another program changes and claims are left to that program", arguments: [1, 50])
        func converges(times: Int) async throws {
            let options = ["--reclaim", "\(times)"]
            try await Conformance.withOwner([("UTF8_STRING", Array("lossy".utf8))], options) { sandbox, peer in
                let set = try await sandbox.xpb("set", "ours")
                // If the other program is always faster, the command fails and reports this.
                #expect(set.status == 0 || set.status == 6, "\(set)")
                _ = try await peer.await("owned")
                let text = try await sandbox.require("get").text
                try await peer.send("disown")
                var lost = 1
                while case let event = try await peer.next(), event.event != "disowned" {
                    if event.event == "lost" { lost += 1 }
                }
                // The command claims the selection at most twice.
                #expect(lost <= 2)
                #expect(text == (lost > times ? "ours" : "lossy"))
            }
        }
    }
}
