import TestSupport
import Testing

/// Tests of the fixtures themselves against third-party programs, so that other tests can rely on them.
@Suite(.requiresXvfb, .serialized, .timeLimit(.minutes(2)))
struct PeerTests {
    @Test("xclip reads the peer's contents, in one piece and in chunks", arguments: [10, 300_000])
    func xclipReadsThePeer(size: Int) async throws {
        try await Sandbox.with { sandbox in
            let bytes = Payload.random(size)
            let file = try sandbox.write(bytes, to: "offered")
            try await sandbox.withPeer(["own", "--offer", "image/png", file, "--incr", "65536"]) { peer in
                _ = try await peer.await("owned")
                let read = try await sandbox.run(["xclip", "-o", "-selection", "clipboard", "-t", "image/png"])
                #expect(Payload.difference(read.output, bytes) == nil)
            }
        }
    }

    @Test("The peer reads xclip's contents, and sees the change of owner through XFixes")
    func thePeerReadsXclip() async throws {
        try await Sandbox.with { sandbox in
            let file = try sandbox.write(Payload.text(3_000_000), to: "copied")
            let window = try await sandbox.withPeer(["watch"]) { watch in
                _ = try await watch.await("watching")
                _ = try await sandbox.shell("xclip -selection clipboard \"$1\" >/dev/null 2>&1", file)
                return try await watch.await("owner").window
            }
            #expect(window != 0)
            let reply = try await sandbox.ask("--out", sandbox.path("read"))
            #expect(reply.type == "UTF8_STRING")
            #expect(Payload.difference(try sandbox.read("read"), Payload.text(3_000_000)) == nil)
        }
    }

    @Test("A sandbox ends programs that went into the background")
    func theSandboxCleansUp() async throws {
        let left = try await Sandbox.with { sandbox in
            _ = try await sandbox.shell("echo text | xclip -selection clipboard >/dev/null 2>&1")
            let running = sandbox.processes()
            #expect(running.map { ProcessTable.executable(of: $0) } == ["xclip"])
            return running
        }
        #expect(left.allSatisfy { ProcessTable.executable(of: $0) == nil })
    }

    @Test("A killed peer has ended by the time that its test continues")
    func aKilledPeerHasEnded() async throws {
        try await Sandbox.with { sandbox in
            let status = try await sandbox.running([Binaries.fixture("peer.py"), "grab"]) { program in
                #expect(try await program.line().contains("grabbed"))
                try program.suspend()
            }.status
            #expect(status == 137)
        }
    }
}
