import Foundation
import TestSupport
import Testing

extension Integration {
    /// Tests of the machines that the tests of ssh use. They do not involve xpb.
    @Suite("Machines reached by ssh")
    struct SSHHostsTests {
        /// Runs `body` with a machine named far.
        private static func withMachine(
            options: [String] = [], proxy: (Sandbox) -> [String]? = { _ in nil },
            _ body: (Sandbox, SSHHosts) async throws -> Void
        ) async throws {
            try await Sandbox.with(display: nil) { sandbox in
                let machine = SSHHosts.Machine(environment: ["COLOR": "a b"], options: options, proxy: proxy(sandbox))
                try await sandbox.withHosts(["far": machine]) { try await body(sandbox, $0) }
            }
        }

        /// Replaces the cut file in one step, since a connection may read it at any time.
        private static func cut(_ kind: String, _ sandbox: Sandbox) throws {
            try Data(kind.utf8).write(to: URL(filePath: sandbox.path("cut")), options: .atomic)
        }

        @Test("A command on a machine has the environment of that machine, and ssh exits with the command's status")
        func environment() async throws {
            try await Self.withMachine { sandbox, hosts in
                let command = "pwd; echo \"$HOME $XDG_RUNTIME_DIR $XPB_MACHINE $COLOR\"; command -v xpb; exit 7"
                let outcome = try await hosts.run("far", command)
                let home = sandbox.path("machines/far")
                #expect(outcome.lines == [home, "\(home) \(home)/run far a b", "\(Binaries.folder)/xpb"], "\(outcome)")
                #expect(outcome.status == 7)
                #expect(hosts.on("far").environment["HOME"] == home)
            }
        }

        @Test("A forwarded socket on a machine leads to ours in both directions, and only our user may connect")
        func forwarded() async throws {
            try await Self.withMachine { sandbox, hosts in
                let (far, near) = (hosts.path("far.sock", of: "far"), sandbox.path("near.sock"))
                _ = try await sandbox.running([Binaries.fixture("answering.py"), near, "answer\\0"]) { server in
                    #expect(try await server.line() == "ready")
                    let options = ["-o", "ExitOnForwardFailure=yes", "-R", "\(far):\(near)"]
                    let client = "stat -c %a \(far); exec \(Binaries.fixture("wire.py")) --keep-open \(far)"
                    let command = hosts.command("far", client, options: options)
                    _ = try await sandbox.running(command) { session in
                        #expect(try await session.line() == "600")
                        try await session.send("question")
                        #expect(try await session.line() == "answer")
                        try await session.finish()
                    }
                    #expect(try await server.line() == "[\"question\"]")
                }
            }
        }

        @Test("A machine that does not allow forwarding refuses it")
        func refused() async throws {
            try await Self.withMachine(options: ["AllowStreamLocalForwarding no"]) { sandbox, hosts in
                let far = hosts.path("far.sock", of: "far")
                let outcome = try await hosts.run(
                    "far", "true", options: ["-o", "ExitOnForwardFailure=yes", "-R", "\(far):\(sandbox.path("none"))"])
                #expect(outcome.status == 255)
                #expect(outcome.error.contains("remote port forwarding failed"), "\(outcome)")
            }
        }

        @Test("A cut closes a session, and connections fail as long as the cut lasts")
        func closed() async throws {
            try await Self.withMachine(proxy: { ["--cut-file", $0.path("cut")] }) { sandbox, hosts in
                let status = try await sandbox.running(hosts.command("far", "echo ready; exec cat")) { session in
                    #expect(try await session.line() == "ready")
                    try Self.cut("close", sandbox)
                    await ProcessTable.awaitEnd(of: session.processID)
                }.status
                #expect(status == 255)
                #expect(try await hosts.run("far", "true").status == 255)
                try FileManager.default.removeItem(atPath: sandbox.path("cut"))
                #expect(try await hosts.run("far", "true").status == 0)
            }
        }

        @Test("A network that loses all bytes answers nothing until it is repaired")
        func dropped() async throws {
            try await Self.withMachine(proxy: { ["--cut-file", $0.path("cut")] }) { sandbox, hosts in
                try Self.cut("drop", sandbox)
                let lost = try await hosts.run("far", "true", options: ["-o", "ConnectTimeout=1"])
                #expect(lost.status == 255)
                #expect(lost.error.contains("timed out"), "\(lost)")
                try FileManager.default.removeItem(atPath: sandbox.path("cut"))
                #expect(try await hosts.run("far", "true").status == 0)
            }
        }

        @Test("A delay applies in each direction, and the bytes of both directions are counted")
        func delayed() async throws {
            let proxy = { (sandbox: Sandbox) in ["--delay", "100", "--count-file", sandbox.path("count")] }
            try await Self.withMachine(proxy: proxy) { sandbox, hosts in
                _ = try await sandbox.running(hosts.command("far", "echo ready; exec cat")) { session in
                    #expect(try await session.line() == "ready")
                    let trip = try await ContinuousClock().measure {
                        try await session.send("there and back")
                        #expect(try await session.line() == "there and back")
                    }
                    // A lower limit: a slow machine only adds to it.
                    #expect(trip >= .milliseconds(200))
                    try await session.finish()
                }
                let counted = String(decoding: try sandbox.read("count"), as: UTF8.self)
                let counts = counted.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
                #expect(counts.count == 2 && counts.allSatisfy { $0 > 1_000 }, "\(counted)")
            }
        }

        @Test("A stopped machine loses its sessions and refuses connections; a machine with a new key is not trusted")
        func stopped() async throws {
            try await Self.withMachine { sandbox, hosts in
                let status = try await sandbox.running(hosts.command("far", "echo ready; exec cat")) { session in
                    #expect(try await session.line() == "ready")
                    try await hosts.stop("far")
                    await ProcessTable.awaitEnd(of: session.processID)
                }.status
                #expect(status == 255)
                #expect(try await hosts.run("far", "true").error.contains("Connection refused"))
                try await hosts.start("far")
                #expect(try await hosts.run("far", "true").status == 0)
                try await hosts.changeKey(of: "far")
                #expect(try await hosts.run("far", "true").error.contains("Host key verification failed"))
            }
        }
    }
}
