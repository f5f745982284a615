import CopyingSupport
import TestSupport
import Testing

extension Integration {
    /// Sizes around the thresholds of INCR (xsel's 4,000 bytes, the bridge's 262,144, xclip's 1,048,575), and large
    /// sizes.
    static let sizes =
        [0, 1, 4_000, 4_001, 65_536, 262_145, 1 << 20, 16 << 20]
        + (Large.isWanted ? [64 << 20, 1 << 30] : [])

    @Suite("Bytes survive", .requiresXvfb)
    struct BytesTests {
        static let type = "application/octet-stream"

        @Test("xclip pastes byte for byte what xpb copied", arguments: sizes)
        func fromXpbToXclip(size: Int) async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.writeRandom(size, to: "in")
                try await sandbox.require("set", "-t", Self.type, "-f", "in")
                _ = try await sandbox.shell("exec xclip -o -selection clipboard -t \"$1\" >out", Self.type)
                try await sandbox.expectSame("out", "in")
            }
        }

        @Test("xpb pastes byte for byte what xclip copied", arguments: sizes)
        func fromXclipToXpb(size: Int) async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.writeRandom(size, to: "in")
                try await sandbox.xclipCopies("in", as: Self.type)
                let pasted = try await sandbox.shell("exec xpb get -t \"$1\" >out", Self.type)
                #expect(pasted.status == 0, "\(pasted)")
                try await sandbox.expectSame("out", "in")
            }
        }

        @Test("xpb pastes byte for byte what it copied, to a file and through a pipe", arguments: sizes)
        func fromXpbToXpb(size: Int) async throws {
            try await Sandbox.with { sandbox in
                _ = try await sandbox.count()
                try await sandbox.writeRandom(size, to: "in")
                // The length of a pipe's data is not known in advance.
                let copied = try await sandbox.shell("cat in | xpb set -t \"$1\" -f -", Self.type)
                #expect(copied.status == 0, "\(copied)")
                try await sandbox.require("get", "-t", Self.type, "-o", "out")
                try await sandbox.expectSame("out", "in")
                let piped = try await sandbox.shell("xpb get -t \"$1\" | cmp - in", Self.type)
                #expect(piped.status == 0, "\(piped)")
            }
        }

        @Test("A file whose size the kernel reports as 0 is copied completely")
        func aFileWithoutSize() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "-f", "/proc/version")
                let same = try await sandbox.shell("xpb get | cmp - /proc/version")
                #expect(same.status == 0, "\(same)")
            }
        }

        @Test("Replaced contents are released")
        func replacedIsLetGo() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.writeRandom(4 << 20, to: "in")
                for _ in 0..<8 {
                    try await sandbox.require("set", "-t", Self.type, "-f", "in")
                    #expect(try await sandbox.xclipPastes(Self.type).output.count == 4 << 20)
                }
                try await sandbox.require("set", "small")
                // The store may still be reading the replaced contents. No event tells when it has finished.
                let bridge = try sandbox.bridge()
                let status = try await sandbox.awaitStatus { _ in
                    let files = ProcessTable.descriptors(of: bridge).values
                    return files.count { $0.contains("memfd") || $0.contains("/blobs/") } <= 2
                }
                #expect(status.lines.contains("bytes: 5"))
            }
        }

        @Test("Empty text that xpb copied is pasted as empty text")
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
