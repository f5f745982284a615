import CopyingSupport
import TestSupport
import Testing

extension Integration {
    /// Reads of contents that another program sends in pieces, and that the bridge passes on as they arrive.
    @Suite("Streams", .requiresXvfb)
    struct StreamTests {
        static let type = "image/png"

        /// Runs `body` while a peer owns random bytes, which it sends in pieces.
        ///
        /// - Parameter options: Further options of the peer.
        private static func withOwner(
            of size: Int = 3_000_000, _ options: [String] = [], settings: [String: String] = [:],
            _ body: (Sandbox, Peer, [UInt8]) async throws -> Void
        ) async throws {
            // A capture would read from the same owner.
            try await Sandbox.with(changes: settings.merging(["XPB_CAPTURE": "false"]) { $1 }) { sandbox in
                let bytes = Payload.random(size)
                let file = try sandbox.write(bytes, to: "in")
                _ = try await sandbox.count()
                let arguments = ["own", "--offer", type, file, "--incr", "100000", "--quiet"] + options
                try await sandbox.withPeer(arguments) { peer in
                    _ = try await peer.await("owned")
                    try await body(sandbox, peer, bytes)
                }
            }
        }

        @Test(
            "Contents of every length are exact, on standard output and in a file",
            arguments: [0, 1, 65_535, 65_536, 65_537])
        func lengths(size: Int) async throws {
            try await Self.withOwner(of: size, ["--incr", "30000"]) { sandbox, _, bytes in
                let pasted = try await sandbox.require("get", "-t", Self.type)
                #expect(Payload.difference(pasted.output, bytes) == nil)
                try await sandbox.require("get", "-t", Self.type, "-o", "out")
                try await sandbox.expectSame("out", "in")
            }
        }

        @Test("64 MiB from xclip are exact in a file, in a pipe, and appended to a file")
        func long() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.writeRandom(64 << 20, to: "in")
                try await sandbox.xclipCopies("in", as: Self.type)
                for script in [
                    "xpb get -t \(Self.type) >out && cmp out in", "xpb get -t \(Self.type) | cmp - in",
                    "rm out && xpb get -t \(Self.type) >>out && cmp out in",
                    "xpb get -t \(Self.type) -o other && cmp other in",
                ] {
                    let read = try await sandbox.shell(script)
                    #expect(read.status == 0, "\(read)")
                }
            }
        }

        @Test("While the owner pauses, the bytes sent so far are with the reader, not in the bridge's memory")
        func partial() async throws {
            try await Self.withOwner(["--stall-after", "20"]) { sandbox, peer, bytes in
                let reading = "xpb get -t \(Self.type) --timeout 60"
                let script = "\(reading) | { head -c 2000000 >\(sandbox.path("out")) && echo there && cat >/dev/null; }"
                _ = try await sandbox.running(["/bin/sh", "-c", script]) { pipeline in
                    #expect(try await pipeline.line() == "there")
                    #expect(try sandbox.read("out") == Array(bytes.prefix(2_000_000)))
                    // The bridge answers after it has released what the reader no longer needs.
                    _ = try await sandbox.count()
                    let files = ProcessTable.descriptors(of: try sandbox.bridge()).values
                    #expect(!files.contains { $0.contains("memfd") })
                }
            }
        }

        @Test("A reader whose output socket is full holds up nobody else, and gets all bytes later")
        func blockedOutput() async throws {
            try await Self.withOwner { sandbox, _, bytes in
                let script = """
                    import socket, subprocess, sys
                    ours, theirs = socket.socketpair()
                    get = subprocess.Popen(["xpb", "get", "-t", "\(Self.type)", "--timeout", "60"], stdout=theirs)
                    theirs.close()
                    first = ours.recv(1)
                    print("begun", flush=True)
                    sys.stdin.readline()
                    with open("\(sandbox.path("out"))", "wb") as out:
                        out.write(first)
                        while part := ours.recv(65536): out.write(part)
                    print(get.wait(), flush=True)
                    """
                _ = try await sandbox.running(["python3", "-c", script]) { reader in
                    #expect(try await reader.line() == "begun")
                    for text in ["a", "b", "c"] {
                        try await sandbox.require("set", text)
                        #expect(try await sandbox.require("get").output == Array(text.utf8))
                    }
                    try await reader.write("go on\n")
                    #expect(try await reader.line() == "0")
                }
                try await sandbox.expectSame("out", "in")
            }
        }

        @Test("If an owner dies midway, the status is 5, stdout has the part that arrived, and no file is written")
        func dies() async throws {
            try await Self.withOwner(["--die-after", "10"]) { sandbox, _, bytes in
                let pasted = try await sandbox.xpb("get", "-t", Self.type)
                #expect(pasted.status == 5, "\(pasted)")
                #expect(pasted.error.contains("ended"))
                #expect(pasted.output == Array(bytes.prefix(1_000_000)))
            }
            try await Self.withOwner(["--die-after", "10"]) { sandbox, _, bytes in
                let kept = try sandbox.write([1], to: "out")
                let pasted = try await sandbox.xpb("get", "-t", Self.type, "-o", kept)
                #expect(pasted.status == 5, "\(pasted)")
                #expect(try sandbox.read("out") == [1])
            }
        }

        @Test("If an owner stalls midway, the status is 5 after the timeout, and stdout has the part that arrived")
        func stalls() async throws {
            try await Self.withOwner(["--stall-after", "10"]) { sandbox, _, bytes in
                let pasted = try await sandbox.xpb("get", "-t", Self.type, "--timeout", "1")
                // On a busy machine, the owner may have sent less by then, or nothing.
                #expect(pasted.status == (pasted.output.isEmpty ? 3 : 5), "\(pasted)")
                #expect(bytes.prefix(1_000_000).starts(with: pasted.output))
            }
        }

        @Test("A transfer that has begun is complete although its owner loses the selection")
        func replaced() async throws {
            try await Self.withOwner(["--at", Self.type, "chunk:1", "pause"]) { sandbox, peer, bytes in
                async let reading = sandbox.xpb("get", "-t", Self.type, "--timeout", "60")
                // The first piece follows the bridge's answer to the beginning of the transfer.
                _ = try await peer.await("pause")
                try await sandbox.require("set", "next")
                try await peer.send("continue")
                let pasted = try await reading
                #expect(pasted.status == 0, "\(pasted)")
                #expect(Payload.difference(pasted.output, bytes) == nil)
            }
        }

        @Test("A reader whose output closes early ends as if by SIGPIPE, and the next reader gets everything")
        func closesEarly() async throws {
            try await Self.withOwner { sandbox, _, _ in
                let cut = try await sandbox.shell(
                    "{ xpb get -t \(Self.type); echo $? >status; } | head -c 10 | wc -c; cat status")
                #expect(cut.lines == ["10", "141"], "\(cut)")
                try await sandbox.require("get", "-t", Self.type, "-o", "out")
                try await sandbox.expectSame("out", "in")
            }
        }

        @Test("A reader that stalls holds up neither the owner nor another reader, and gets everything")
        func slow() async throws {
            try await Self.withOwner { sandbox, peer, bytes in
                let reading = "mkfifo go && xpb get -t \(Self.type) | { read line <go; cat >slow; echo done; }"
                let shell = ["/bin/sh", "-c", "cd \(sandbox.folder) && \(reading)"]
                let result = try await sandbox.running(shell) { reader in
                    _ = try await peer.await("sent")
                    let other = try await sandbox.require("get", "-t", Self.type)
                    #expect(Payload.difference(other.output, bytes) == nil)
                    #expect(try await sandbox.shell("echo go >go").status == 0)
                    return try await reader.line()
                }
                #expect(result.result == "done")
                try await sandbox.expectSame("slow", "in")
            }
        }

        @Test("Bytes that wait for a reader count toward the limit, above which the transfer ends with status 5")
        func limit() async throws {
            let settings = ["XPB_LIMIT_TRANSFER_BYTES": "\(1 << 20)"]
            try await Self.withOwner(of: 8_000_000, settings: settings) { sandbox, peer, bytes in
                let reading =
                    "mkfifo go && { xpb get -t \(Self.type); echo $? >status; } | { read line <go; cat >slow; cat status; }"
                let shell = ["/bin/sh", "-c", "cd \(sandbox.folder) && \(reading)"]
                let status = try await sandbox.running(shell) { reader in
                    _ = try await peer.await("sent")
                    #expect(try await sandbox.shell("echo go >go").status == 0)
                    return try await reader.line()
                }
                #expect(status.result == "5")
                let part = try sandbox.read("slow")
                #expect(part == Array(bytes.prefix(part.count)))
                #expect(part.count > 1 << 20 && part.count < bytes.count)
            }
        }
    }
}
