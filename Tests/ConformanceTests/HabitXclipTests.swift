import CopyingSupport
import TestSupport
import Testing

extension Conformance {
    /// RequestorTests.notOffered tests that xclip is not asked for targets it does not offer, RequestorTests.manyPieces
    /// tests xclip's empty INCR property, and TextTests tests xsel's chunks of 4,000 bytes.
    @Suite("Habit: xclip and xsel as owners", .requiresXvfb)
    struct HabitXclip {
        private static let type = "image/png"
        private static let size = 8_000_000

        /// xclip answers no other requestor during an INCR transfer, and stays blocked forever if that requestor
        /// disappears.
        @Test("A killed reader does not leave xclip blocked, and the next reader reads everything")
        func readerKilled() async throws {
            try await Sandbox.with(changes: ["XPB_CAPTURE": "no"]) { sandbox in
                let bytes = Payload.random(Self.size)
                try sandbox.write(bytes, to: "in")
                try await sandbox.xclipCopies("in", as: Self.type)
                for _ in 0..<5 {
                    _ = try await sandbox.running(["\(Binaries.folder)/xpb", "get", "-t", Self.type]) { reader in
                        try await reader.kill()
                    }
                    let read = try await sandbox.require("get", "-t", Self.type, "--timeout", "60")
                    #expect(Payload.difference(read.output, bytes) == nil)
                }
            }
        }

        /// The peer lists INCR, as xsel does, and drops requests while it sends, as xclip does.
        @Test("A reader that asks while a killed reader's request is still unanswered reads everything")
        func readerKilledEarly() async throws {
            let bytes = Payload.random(200_000)
            let options = ["--incr", "65536", "--hold", Self.type, "--drop-others"]
            try await Conformance.withOwner([(Self.type, bytes), ("INCR", [])], options) { sandbox, peer in
                _ = try await sandbox.running(["\(Binaries.folder)/xpb", "get", "-t", Self.type]) { reader in
                    _ = try await peer.await("held")
                    try await reader.kill()
                }
                async let next = sandbox.require("get", "-t", Self.type, "--timeout", "60")
                _ = try await peer.await("dropped")
                try await peer.send("answer")
                _ = try await peer.await("held")
                try await peer.send("answer")
                #expect(Payload.difference(try await next.output, bytes) == nil)
            }
        }

        /// xsel offers only STRING and TEXT if no client has created the atom UTF8_STRING yet.
        @Test("TEXT that xsel sends in chunks as STRING is read")
        func xselText() async throws {
            try await Sandbox.with { sandbox in
                let text = Array(String(repeating: "line\n", count: 1_000).utf8)
                try sandbox.write(text, to: "in")
                // xsel returns before it owns the selection.
                try await sandbox.awaitingChange {
                    let copied = try await sandbox.shell("xsel -b -i < in")
                    #expect(copied.status == 0, "\(copied)")
                }
                #expect(Payload.difference(try await sandbox.require("get").output, text) == nil)
            }
        }

        @Test("xsel survives being read, although it sends a second notify after the last chunk")
        func xselLivesOn() async throws {
            try await Sandbox.with(changes: ["XPB_CAPTURE": "no"]) { sandbox in
                // The bridge has created the atom UTF8_STRING.
                try await sandbox.require("set", "before")
                let text = Array(String(repeating: "line\n", count: 20_000).utf8)
                try sandbox.write(text, to: "in")
                // xsel returns before it owns the selection.
                try await sandbox.awaitingChange {
                    let copied = try await sandbox.shell("xsel -b -i < in")
                    #expect(copied.status == 0, "\(copied)")
                }
                for _ in 0..<10 {
                    #expect(Payload.difference(try await sandbox.require("get").output, text) == nil)
                }
            }
        }

        @Test(
            "Simultaneous readers of long text from xclip or xsel all read it, one after another",
            arguments: ["xclip", "xsel"])
        func together(owner: String) async throws {
            try await Sandbox.with(changes: ["XPB_CAPTURE": "no"]) { sandbox in
                let text = Array(String(repeating: "at once\n", count: (owner == "xclip" ? 16 : 4) << 17).utf8)
                try sandbox.write(text, to: "in")
                if owner == "xclip" {
                    try await sandbox.xclipCopies("in")
                } else {
                    // xsel returns before it owns the selection.
                    try await sandbox.awaitingChange {
                        let copied = try await sandbox.shell("xsel -b -i < in")
                        #expect(copied.status == 0, "\(copied)")
                    }
                }
                async let first = sandbox.xpb("get")
                async let second = sandbox.xpb("get")
                async let third = sandbox.xpb("get")
                for read in try await [first, second, third] {
                    #expect(read.status == 0, "\(read.error)")
                    #expect(Payload.difference(read.output, text) == nil)
                }
            }
        }

        @Test("Contents of xclip are read only as the type it lists, although it answers every request")
        func otherTypes() async throws {
            try await Sandbox.with { sandbox in
                try sandbox.write(Array("blob".utf8), to: "in")
                try await sandbox.xclipCopies("in", as: "application/x-xpb-test")
                #expect(try await sandbox.require("types", "--targets").lines == ["application/x-xpb-test"])
                #expect(try await sandbox.require("get", "-t", "application/x-xpb-test").text == "blob")
                for type in ["text/html", "image/png", "text", "TIMESTAMP"] {
                    let pasted = try await sandbox.xpb("get", "-t", type)
                    #expect(pasted.status != 0 && pasted.output.isEmpty, "\(pasted)")
                }
            }
        }

        @Test("Contents with a NUL are complete for all programs but xsel, which stops at the NUL")
        func nul() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "-t", "text", "-f", "-", input: Array("before\0after".utf8))
                #expect(try await sandbox.xclipPastes().output == Array("before\0after".utf8))
                let pasted = try await sandbox.run(["xsel", "--output", "--clipboard"])
                #expect(pasted.status == 0 && Array("before\0after".utf8).starts(with: pasted.output), "\(pasted)")
                #expect(try await sandbox.require("get").output == Array("before\0after".utf8))
            }
        }
    }
}
