import CopyingSupport
import TestSupport
import Testing

extension Integration {
    /// An archive of the whole contents.
    @Suite("dump and load", .requiresXvfb)
    struct DumpTests {
        @Test("load restores the contents of a dump, byte for byte, under the same names")
        func roundTrip() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.setWholeContents()
                try await sandbox.require("dump", "-o", sandbox.path("one"))
                let items = try await sandbox.require("items").lines
                let targets = try await sandbox.require("types", "--targets").lines
                try await sandbox.require("clear")
                let loaded = try await sandbox.shell(
                    "xpb load <one && xpb load -p com.example.own one && xpb dump >two")
                #expect(loaded.status == 0, "\(loaded)")
                try await sandbox.expectSame("one", "two")
                try await sandbox.require("dump", "-p", "com.example.own", "-o", sandbox.path("three"))
                try await sandbox.expectSame("one", "three")
                #expect(try await sandbox.require("items").lines == items)
                #expect(try await sandbox.require("types", "--targets").lines == targets)
                #expect(try await sandbox.xclipPastes("X-Kaya/Note; v=2").text == "note")
            }
        }

        @Test("Representations that are offered under only one name keep only that name")
        func exact() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "--exact", "-t", "UTF8_STRING", "--text", "x")
                let archive = try await sandbox.require("dump").output
                try await sandbox.require("load", input: archive)
                #expect(try await sandbox.require("types", "--targets").lines == ["UTF8_STRING"])
            }
        }

        @Test("Contents of another program are dumped, each target once")
        func foreign() async throws {
            try await Sandbox.with { sandbox in
                let payload = Payload.random(300_000)
                try sandbox.write(payload, to: "in")
                try await sandbox.xclipCopies("in", as: "image/x-Example")
                let archive = try await sandbox.require("dump").output
                try await sandbox.require("load", "-p", "find", input: archive)
                #expect(try await sandbox.xclipPastes("image/x-Example", from: "primary").output == payload)
            }
        }

        @Test("A target that its owner refuses is left out, and a target without an answer is an error")
        func refusing() async throws {
            try await Sandbox.with { sandbox in
                let file = try sandbox.write(Array("text".utf8), to: "in")
                _ = try await sandbox.count()
                let owning = ["own", "--offer", "UTF8_STRING", file, "--offer", "X-B", file, "--refuse", "X-B"]
                try await sandbox.withPeer(owning) { peer in
                    _ = try await peer.await("owned")
                    let archive = try await sandbox.require("dump").output
                    #expect(!String(decoding: archive, as: UTF8.self).contains("X-B"))
                    try await sandbox.require("with", "--", "xpb", "set", "inner")
                    #expect(try await sandbox.require("get").text == "text")
                }
                try await sandbox.withPeer(["own", "--offer", "X-A", file, "--silent-for", "X-A"]) { peer in
                    _ = try await peer.await("owned")
                    let silent = try await sandbox.xpb("with", "--timeout", "0.5", "--", "xpb", "set", "inner")
                    #expect(silent.status != 0 && silent.error.contains("was not run"), "\(silent)")
                }
            }
        }

        @Test("A damaged, incomplete or invalid archive changes nothing")
        func damaged() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.setWholeContents()
                let archive = try await sandbox.require("dump").output
                let count = try await sandbox.count()
                for (bytes, status) in [
                    (Array(archive.dropLast()), 5), (archive + [0], 5), (Array(archive.prefix(20)), 5),
                    (Array("text".utf8), 2), ([], 2), (Array("xpb-items 1\n{\"items\":[]}\n".utf8), 2),
                    (Array("xpb-items 1\n{\"items\":[{\"representations\":[]}]}\n".utf8), 2),
                ] as [([UInt8], Int32)] {
                    let outcome = try await sandbox.xpb("load", input: bytes)
                    #expect(outcome.status == status && outcome.error.contains("nothing was changed"), "\(outcome)")
                }
                #expect(try await sandbox.xpb("load", "no-file").status == 2)
                #expect(try await sandbox.count() == count)
            }
        }

        @Test("load and set refuse more items than a call can have, and change nothing")
        func tooMany() async throws {
            try await Sandbox.with(changes: Sandbox.shortCalls) { sandbox in
                try await sandbox.require("set", "kept")
                let item = #"{"representations":[{"type":"public.utf8-plain-text","length":0}]}"#
                let archive =
                    #"xpb-items 1\#n{"items":["# + Array(repeating: item, count: 3_750).joined(separator: ",")
                let outcomes = [
                    try await sandbox.xpb("load", "--timeout", "60", input: Array((archive + "]}\n").utf8)),
                    try await sandbox.shell("touch f; xpb set --timeout 60 --files $(seq 3750 | sed 's/.*/f/')"),
                    try await sandbox.shell("xpb set --timeout 60 -c date --next --files $(seq 3750 | sed 's/.*/f/')"),
                ]
                for outcome in outcomes {
                    #expect(outcome.status == 6, "\(outcome)")
                    #expect(outcome.error.contains("too many items for one call"), "\(outcome)")
                }
                #expect(try await sandbox.require("get").text == "kept")
            }
        }

        @Test("If the reader closes its pipe, dump ends as if by SIGPIPE, and on a full disk dump fails")
        func brokenOutput() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "-t", ".png", "-f", "-", input: Payload.random(4 << 20))
                let script = "{ xpb dump; echo $? >status; } | head -c 10 >/dev/null; cat status"
                #expect(try await sandbox.shell(script).text == "141")
                #expect(try await sandbox.shell("xpb dump >/dev/full").status == 5)
                #expect(try await sandbox.xpb("dump", "-o", sandbox.path("no/file")).status == 2)
                #expect(try await sandbox.xpb("dump", "-p", "find").status == 1)
            }
        }

        @Test(
            "A large archive passes through a pipe without a copy in memory",
            .enabled(if: !Binaries.areSanitized, "a sanitizer maps terabytes"))
        func large() async throws {
            try await Sandbox.with { sandbox in
                let size = Large.isWanted ? 1 << 30 : 64 << 20
                try await sandbox.writeRandom(size, to: "big")
                try await sandbox.require("set", "-t", ".png", "-f", sandbox.path("big"))
                let script = """
                    /usr/bin/env bash -c 'ulimit -v 2000000; xpb dump' | xpb load -p find &&
                        xpb get -p find -t .png | cmp - big
                    """
                let outcome = try await sandbox.shell(script)
                #expect(outcome.status == 0, "\(outcome)")
            }
        }
    }
}
