import CopyingSupport
import TestSupport
import Testing

extension Integration {
    /// The effects of `xpb` on its caller: descriptors, statuses and signals.
    @Suite("The caller", .requiresXvfb)
    struct CallerTests {
        @Test("A command substitution around xpb set ends, even if the call starts the bridge")
        func commandSubstitutionEnds() async throws {
            try await Sandbox.with { sandbox in
                for call in 1...3 {
                    let outcome = try await sandbox.shell("x=$(echo a | xpb set 2>&1); echo \"$? [$x]\"")
                    #expect(outcome.text == "0 []", "call \(call)")
                    // If the bridge had a descriptor of the caller, cat would wait for the bridge to exit.
                    let piped = try await sandbox.shell("echo a | xpb set 2>&1 | cat")
                    #expect(piped.output.isEmpty)
                }
                #expect(try await sandbox.awaitBridges(1).count == 1)
            }
        }

        @Test("A command substitution around xpb bridge ends", arguments: ["start", "restart", "stop"])
        func substitutionAroundBridge(verb: String) async throws {
            try await Sandbox.with { sandbox in
                if verb == "stop" { try await sandbox.require("bridge", "start") }
                let outcome = try await sandbox.shell("x=$(xpb bridge \"$1\" 2>&1); echo \"$? [$x]\"", verb)
                #expect(outcome.text == "0 []")
            }
        }

        @Test("The bridge inherits no descriptor of the caller, not even with a high number")
        func noDescriptorIsKept() async throws {
            try await Sandbox.with { sandbox in
                let script = """
                    mkfifo fifo; exec 3<>fifo 8>eight 9>nine
                    xpb set text <in >out 2>err
                    exec xpb set other 200>high 2>err
                    """
                try sandbox.write([], to: "in")
                let outcome = try await sandbox.run(["/bin/bash", "-c", script])
                #expect(outcome.status == 0, "\(outcome)")
                let bridge = try sandbox.bridge()
                let open = ProcessTable.descriptors(of: bridge)
                for name in ["fifo", "eight", "nine", "high", "in", "out", "err"] {
                    #expect(!open.values.contains(sandbox.path(name)))
                }
                #expect((0...1).allSatisfy { open[$0] == "/dev/null" })
                #expect(open[2]?.hasSuffix(".log") == true)
                #expect(!open.values.contains { $0.hasPrefix("pipe:") })
            }
        }

        @Test("The bridge runs in a session of its own, in the root folder")
        func detached() async throws {
            try await Sandbox.with { sandbox in
                _ = try await sandbox.count()
                let bridge = try sandbox.bridge()
                #expect(ProcessTable.session(of: bridge) == bridge)
                #expect(ProcessTable.workingDirectory(of: bridge) == "/")
            }
        }

        @Test("Simultaneous first calls start one bridge, and all succeed")
        func firstCallsAtOnce() async throws {
            try await Sandbox.with { sandbox in
                let statuses = try await withThrowingTaskGroup(of: Int32.self) { group in
                    for number in 0..<8 {
                        group.addTask { try await sandbox.xpb("set", "-p", "com.example.n\(number)", "text").status }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(statuses == Array(repeating: 0, count: 8))
                #expect(try await sandbox.awaitBridges(1).count == 1)
                #expect(try await sandbox.require("get", "-p", "com.example.n7").text == "text")
            }
        }

        @Test("A closed stdout makes a command fail")
        func closedStdout() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "text")
                let outcome = try await sandbox.shell("xpb get >&-")
                #expect(outcome.status != 0, "\(outcome)")
                #expect(!outcome.error.isEmpty)
                for command in ["count", "types", "items", "list", "status"] {
                    #expect(try await sandbox.shell("xpb \(command) >&-").status != 0, "\(command)")
                }
            }
        }

        @Test("A full disk makes a command fail")
        func fullDisk() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "text")
                for command in ["get", "count", "types", "status"] {
                    let outcome = try await sandbox.shell("xpb \(command) >/dev/full")
                    #expect(outcome.status == 5, "\(outcome)")
                    #expect(!outcome.error.isEmpty)
                }
                #expect(try await sandbox.xpb("get", "-o", "/dev/full").status == 5)
            }
        }

        @Test("If the reader closes the pipe midway, xpb get ends as if by SIGPIPE")
        func brokenPipe() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "-t", "image/png", "-f", "-", input: Payload.random(4 << 20))
                let script = "{ xpb get -t image/png; echo $? >status; } | head -c 10 >/dev/null; cat status"
                #expect(try await sandbox.shell(script).text == "141")
                #expect(try await sandbox.require("get", "-t", "image/png").output.count == 4 << 20)
            }
        }

        @Test("An incomplete output file makes xpb get fail")
        func incompleteFile() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "-t", "image/png", "-f", "-", input: Payload.random(4 << 20))
                let outcome = try await sandbox.run(
                    ["/bin/bash", "-c", "trap '' XFSZ; ulimit -f 1024; xpb get -t image/png -o out"])
                #expect(outcome.status == 5, "\(outcome)")
            }
        }
    }
}
