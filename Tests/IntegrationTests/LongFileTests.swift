import CopyingSupport
import Foundation
import TestSupport
import Testing

extension Integration {
    /// Long files, which go to the bridge's store without passing through memory.
    @Suite("A long file is copied once", .requiresXvfb)
    struct LongFileTests {
        private static let type = "application/octet-stream"
        private static let size = 3 << 20

        /// Returns how many of the store's files and how many memory files the bridge has open.
        private func openFiles(_ sandbox: Sandbox) async throws -> (stored: Int, memory: Int) {
            let paths = ProcessTable.descriptors(of: try sandbox.bridge()).values
            return (paths.count { $0.contains("/blobs/") }, paths.count { $0.contains("/memfd:pasteboard") })
        }

        /// Waits until the bridge has these numbers of files open. Files that are being written to the disk or sent to
        /// a reader stay open a little longer.
        private func expectOpenFiles(_ sandbox: Sandbox, stored: Int, memory: Int) async throws {
            try await sandbox.awaitStatus { _ in try await openFiles(sandbox) == (stored, memory) }
        }

        @Test("A long file is pasted as it was copied, even if it has changed since, and even after a restart")
        func pasted() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.writeRandom(Self.size, to: "in")
                try await sandbox.require("set", "-t", Self.type, "-f", "in")
                try await expectOpenFiles(sandbox, stored: 1, memory: 0)
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
                try await expectOpenFiles(sandbox, stored: 1, memory: 0)
                try await sandbox.endBridge(killing: true)
                try await paste()
                try await expectOpenFiles(sandbox, stored: 1, memory: 0)
                try await sandbox.require("set", "other")
                try await expectOpenFiles(sandbox, stored: 0, memory: 1)
            }
        }

        @Test("Standard input is copied from its current offset")
        func standardInput() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.writeRandom(Self.size, to: "in")
                let copied = try await sandbox.shell(
                    "{ dd bs=1000 count=1 of=start status=none; xpb set -t \"$1\"; } <in", Self.type)
                #expect(copied.status == 0, "\(copied)")
                try await expectOpenFiles(sandbox, stored: 1, memory: 0)
                let same = try await sandbox.shell("xpb get -t \"$1\" | cat start - | cmp - in", Self.type)
                #expect(same.status == 0, "\(same)")
            }
        }

        @Test("Long text is copied without the newline that -n removes")
        func text() async throws {
            try await Sandbox.with { sandbox in
                let text = String(repeating: "ä line, and not a short one\n", count: 100_000)
                try sandbox.write(text.utf8, to: "notes")
                try await sandbox.require("set", "-n", "-f", "notes")
                try await expectOpenFiles(sandbox, stored: 1, memory: 0)
                let lines = try await sandbox.require("types").lines
                #expect(lines.contains { $0.contains("public.utf8-plain-text") }, "\(lines)")
                #expect(try await sandbox.xclipPastes("UTF8_STRING").output == Array(text.utf8.dropLast()))
            }
        }

        @Test(
            "Contents that are not stored, or that come from another file system, are in memory",
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
                // The mark of temporary contents has its own file.
                try await expectOpenFiles(sandbox, stored: 0, memory: options == ["--once"] ? 2 : 1)
                try await sandbox.require("get", "-t", Self.type, "-o", "out")
                try await sandbox.expectSame("out", "in")
            }
        }

        @Test("A long file can be copied to two pasteboards, and added to existing contents")
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
