import TestSupport
import Testing

extension Integration {
    /// Around the thresholds of INCR (xsel's 4,000 bytes, the bridge's 262,144, xclip's 1,048,575), and large.
    static let sizes =
        [0, 1, 4_000, 4_001, 65_536, 262_145, 1 << 20, 16 << 20]
        + (Large.isWanted ? [64 << 20, 1 << 30] : [])

    @Suite("Bytes survive", .requiresXvfb)
    struct BytesTests {
        static let type = "application/octet-stream"

        @Test("What xpb copies, xclip pastes byte for byte", arguments: sizes)
        func fromXpbToXclip(size: Int) async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.writeRandom(size, to: "in")
                try await sandbox.require("set", "-t", Self.type, "-f", "in")
                _ = try await sandbox.shell("exec xclip -o -selection clipboard -t \"$1\" >out", Self.type)
                try await sandbox.expectSame("out", "in")
            }
        }

        @Test("What xclip copies, xpb pastes byte for byte", arguments: sizes)
        func fromXclipToXpb(size: Int) async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.writeRandom(size, to: "in")
                try await sandbox.xclipCopies("in", as: Self.type)
                let pasted = try await sandbox.shell("exec xpb get -t \"$1\" >out", Self.type)
                #expect(pasted.status == 0, "\(pasted)")
                try await sandbox.expectSame("out", "in")
            }
        }

        @Test("What xpb copies, xpb pastes byte for byte, to a file and through a pipe", arguments: sizes)
        func fromXpbToXpb(size: Int) async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.writeRandom(size, to: "in")
                // From a pipe, where the length is not known beforehand.
                let copied = try await sandbox.shell("cat in | xpb set -t \"$1\" -f -", Self.type)
                #expect(copied.status == 0, "\(copied)")
                try await sandbox.require("get", "-t", Self.type, "-o", "out")
                try await sandbox.expectSame("out", "in")
                let piped = try await sandbox.shell("xpb get -t \"$1\" | cmp - in", Self.type)
                #expect(piped.status == 0, "\(piped)")
            }
        }

        @Test("A file whose size the kernel does not tell is copied to its end")
        func aFileWithoutSize() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "-f", "/proc/version")
                let same = try await sandbox.shell("xpb get | cmp - /proc/version")
                #expect(same.status == 0, "\(same)")
            }
        }

        @Test("What was replaced is let go")
        func replacedIsLetGo() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.writeRandom(4 << 20, to: "in")
                for _ in 0..<8 {
                    try await sandbox.require("set", "-t", Self.type, "-f", "in")
                    #expect(try await sandbox.xclipPastes(Self.type).output.count == 4 << 20)
                }
                try await sandbox.require("set", "small")
                let files = ProcessTable.descriptors(of: try sandbox.bridge()).values
                    .filter { $0.contains("memfd") || $0.contains("/blobs/") }
                #expect(files.count <= 2)
                #expect(try await sandbox.require("status").lines.contains("bytes: 5"))
            }
        }

        @Test("xclip pastes an empty text where an empty text was copied")
        func emptyText() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "--text", "")
                let pasted = try await sandbox.require("get")
                #expect(pasted.output.isEmpty)
                let reply = try await sandbox.ask("--target", "UTF8_STRING")
                #expect(reply.event == "reply")
                #expect(reply.length == 0)
            }
        }
    }
}
