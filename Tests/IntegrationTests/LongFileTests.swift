import Foundation
import TestSupport
import Testing

extension Integration {
    /// A long file goes from where it is to where the bridge stores it, and through no memory.
    @Suite("A long file is copied once", .requiresXvfb)
    struct LongFileTests {
        private static let type = "application/octet-stream"
        private static let size = 3 << 20

        /// How many descriptors the bridge has of the store's files, and of memory files.
        private func held(_ sandbox: Sandbox) async throws -> (stored: Int, memory: Int) {
            let paths = ProcessTable.descriptors(of: try sandbox.bridge()).values
            return (paths.count { $0.contains("/blobs/") }, paths.count { $0.contains("/memfd:pasteboard") })
        }

        /// It comes to have so many. Contents that are on their way to the disk, and those that others are still sent, are
        /// open for a moment more.
        private func expectHeld(_ sandbox: Sandbox, stored: Int, memory: Int) async throws {
            var found = try await held(sandbox)
            for _ in 0..<500 where found != (stored, memory) {
                try await sandbox.require("status")
                found = try await held(sandbox)
            }
            #expect(found == (stored, memory))
        }

        @Test("It is pasted as it was copied, by everybody, whatever became of it since, and after a restart")
        func pasted() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.writeRandom(Self.size, to: "in")
                try await sandbox.require("set", "-t", Self.type, "-f", "in")
                try await expectHeld(sandbox, stored: 1, memory: 0)
                let moved = try await sandbox.shell("cp in kept && head -c 100 kept >in")
                try #require(moved.status == 0)
                func paste() async throws {
                    try await sandbox.require("get", "-t", Self.type, "-o", "out")
                    try await sandbox.expectSame("out", "kept")
                    let script = """
                        xpb get -t "$1" >out && cmp out kept && xpb get -t "$1" | cmp - kept && \
                        xpb get -t "$1" >>out && cat kept kept | cmp - out && \
                        xclip -o -selection clipboard -t "$1" | cmp - kept
                        """
                    let pasted = try await sandbox.shell(script, Self.type)
                    #expect(pasted.status == 0, "\(pasted)")
                }
                try await paste()
                try await expectHeld(sandbox, stored: 1, memory: 0)
                try await sandbox.endBridge(killing: true)
                try await paste()
                try await expectHeld(sandbox, stored: 1, memory: 0)
                try await sandbox.require("set", "other")
                try await expectHeld(sandbox, stored: 0, memory: 1)
            }
        }

        @Test("Standard input counts from where it stands")
        func standardInput() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.writeRandom(Self.size, to: "in")
                let copied = try await sandbox.shell(
                    "{ dd bs=1000 count=1 of=start status=none; xpb set -t \"$1\"; } <in", Self.type)
                #expect(copied.status == 0, "\(copied)")
                try await expectHeld(sandbox, stored: 1, memory: 0)
                let same = try await sandbox.shell("xpb get -t \"$1\" | cat start - | cmp - in", Self.type)
                #expect(same.status == 0, "\(same)")
            }
        }

        @Test("A text is one, without the newline that is left out")
        func text() async throws {
            try await Sandbox.with { sandbox in
                let text = String(repeating: "ä line, and not a short one\n", count: 100_000)
                try sandbox.write(text.utf8, to: "notes")
                try await sandbox.require("set", "-n", "-f", "notes")
                try await expectHeld(sandbox, stored: 1, memory: 0)
                let lines = try await sandbox.require("types").lines
                #expect(lines.contains { $0.contains("public.utf8-plain-text") }, "\(lines)")
                #expect(try await sandbox.xclipPastes("UTF8_STRING").output == Array(text.utf8.dropLast()))
            }
        }

        @Test(
            "What does not go to the disk is in memory, and from another file system it is taken as well",
            arguments: [["--memory"], ["--once"], ["--tee"], []])
        func inMemory(options: [String]) async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.writeRandom(Self.size, to: "in")
                var path = "in"
                if options.isEmpty {
                    path = "/dev/shm/xpb-long-\(UUID().uuidString)"
                    try FileManager.default.copyItem(atPath: sandbox.path("in"), toPath: path)
                }
                defer { if options.isEmpty { try? FileManager.default.removeItem(atPath: path) } }
                let copied = try await sandbox.require(["set", "-t", Self.type] + options + ["-f", path])
                #expect(copied.output.isEmpty == (options != ["--tee"]))
                try await expectHeld(sandbox, stored: 0, memory: 1)
                try await sandbox.require("get", "-t", Self.type, "-o", "out")
                try await sandbox.expectSame("out", "in")
            }
        }

        @Test("It goes onto two pasteboards, and behind what is there")
        func several() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.writeRandom(Self.size, to: "in")
                try await sandbox.require("set", "-t", Self.type, "-p", "general", "-p", "find", "-f", "in")
                try await sandbox.require("add", "-t", Self.type, "-f", "in")
                for arguments in [["-p", "find"], ["-p", "general"], ["-p", "general", "--item", "1"]] {
                    try await sandbox.require(["get", "-t", Self.type, "-o", "out"] + arguments)
                    try await sandbox.expectSame("out", "in")
                }
            }
        }
    }
}
