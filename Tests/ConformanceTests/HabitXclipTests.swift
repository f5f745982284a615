import TestSupport
import Testing

extension Conformance {
    /// What is not offered is not asked of it: RequestorTests.notOffered. Its empty INCR property: RequestorTests.manyPieces.
    /// What xsel copies in chunks of 4,000 bytes: TextTests.
    @Suite("Habit: xclip and xsel as owners", .requiresXvfb)
    struct HabitXclip {
        private static let type = "image/png"
        private static let size = 8_000_000

        /// xclip answers nobody else while it sends to one, and does so for ever once that one is gone.
        @Test("A reader that is killed in the middle does not leave xclip hanging, and the next one reads all")
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

        /// Where the server knows no UTF8_STRING yet, that is all it offers besides STRING.
        @Test("TEXT that xsel answers in pieces, under the name of STRING, is read")
        func xselText() async throws {
            try await Sandbox.with { sandbox in
                let text = Array(String(repeating: "line\n", count: 1_000).utf8)
                try sandbox.write(text, to: "in")
                let copied = try await sandbox.shell("xsel -b -i < in")
                #expect(copied.status == 0, "\(copied)")
                #expect(Payload.difference(try await sandbox.require("get").output, text) == nil)
            }
        }

        @Test("xsel, which sends a second notify behind the last piece of its text, does not end with it")
        func xselLivesOn() async throws {
            try await Sandbox.with(changes: ["XPB_CAPTURE": "no"]) { sandbox in
                // The server knows UTF8_STRING from the bridge.
                try await sandbox.require("set", "before")
                let text = Array(String(repeating: "line\n", count: 20_000).utf8)
                try sandbox.write(text, to: "in")
                let copied = try await sandbox.shell("xsel -b -i < in")
                #expect(copied.status == 0, "\(copied)")
                for _ in 0..<10 {
                    #expect(Payload.difference(try await sandbox.require("get").output, text) == nil)
                }
            }
        }

        @Test(
            "Readers that come at once read all of xclip's or xsel's long text, one after the other",
            arguments: ["xclip", "xsel"])
        func together(owner: String) async throws {
            try await Sandbox.with(changes: ["XPB_CAPTURE": "no"]) { sandbox in
                let text = Array(String(repeating: "at once\n", count: (owner == "xclip" ? 16 : 4) << 17).utf8)
                try sandbox.write(text, to: "in")
                if owner == "xclip" {
                    try await sandbox.xclipCopies("in")
                } else {
                    let copied = try await sandbox.shell("xsel -b -i < in")
                    #expect(copied.status == 0, "\(copied)")
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

        @Test("Whatever xclip answers to a list, what was copied is read under its name and no other")
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

        @Test("What we copy with a NUL in it is whole for all but xsel, which ends there")
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
