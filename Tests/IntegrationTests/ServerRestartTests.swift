import CopyingSupport
import TestSupport
import Testing

extension Integration {
    /// X servers that end and are started again.
    @Suite("Server restarts")
    struct ServerRestartTests {
        /// Runs `body` while an X server has the sandbox's display.
        private static func withServer(
            of sandbox: Sandbox, authority: String? = nil, body: (Running) async throws -> Void
        ) async throws {
            let display = try #require(sandbox.environment["DISPLAY"])
            let options = authority.map { ["-auth", $0] } ?? []
            _ = try await sandbox.running(Xvfb.command([display] + options)) { server in
                _ = try await server.line()
                try await body(server)
            }
        }

        /// Runs a bridge in the foreground on its own server, and passes both to `body`, which can read the bridge's
        /// log.
        ///
        /// - Parameter authority: The bytes of the server's and the bridge's authority file; nil for no file.
        private static func withBridge(
            authority: [UInt8]? = nil, _ body: (Sandbox, _ server: Running, _ bridge: Running) async throws -> Void
        ) async throws {
            try await Sandbox.with(display: Xvfb.nameToKeep()) { sandbox in
                let file = try authority.map { try sandbox.write($0, to: "authority") }
                let sandbox = file.map { sandbox.changing(["XAUTHORITY": $0]) } ?? sandbox
                let daemon = ["/bin/sh", "-c", "exec \"$0\" --log-level debug 2>&1", "\(Binaries.folder)/xpbd"]
                try await withServer(of: sandbox, authority: file) { server in
                    _ = try await sandbox.running(daemon) { bridge in
                        try await bridge.line(with: "attached to display")
                        try await body(sandbox, server, bridge)
                        #expect(sandbox.bridges() == [bridge.processID])
                    }
                }
            }
        }

        /// Starts a server with the display that a bridge has lost, and kills it after `body`.
        private static func restart(
            in sandbox: Sandbox, _ bridge: Running, authority: String? = nil, body: () async throws -> Void
        ) async throws {
            try await withServer(of: sandbox, authority: authority) { server in
                try await bridge.line(with: "attached to display")
                try await body()
                try await server.kill()
            }
            try await bridge.line(with: "lost display")
        }

        @Test("After a restart, the same bridge offers its contents by itself, and counts continue")
        func comesBack() async throws {
            try await Self.withBridge { sandbox, server, bridge in
                try await sandbox.require("set", "kept")
                try await sandbox.require("set", "-p", "find", "needle")
                var count = try await sandbox.count()
                try await server.kill()
                try await bridge.line(with: "lost display")
                let lost = try await sandbox.require("status").text
                #expect(lost.contains("attached: no\n") && lost.contains("\nlost: "), "\(lost)")
                for copied in ["one", "two"] {
                    try await Self.restart(in: sandbox, bridge) {
                        // The bridge answers this call after it has claimed the selections.
                        let now = try await sandbox.count()
                        #expect(now >= count)
                        #expect(try await sandbox.xclipPastes().text == (copied == "one" ? "kept" : "one"))
                        #expect(try await sandbox.xclipPastes(from: "primary").text == "needle")
                        let status = try await sandbox.require("status").text
                        #expect(status.contains("attached: yes\n") && !status.contains("lost: "), "\(status)")
                        try await sandbox.require("set", copied)
                        count = try await sandbox.count()
                    }
                }
                #expect(try await sandbox.count() >= count)
                #expect(try await sandbox.require("get").text == "two")
            }
        }

        @Test("The bridge of an xvfb-run display exits with the display, and the next bridge there starts empty")
        func xvfbRun() async throws {
            let changes = ["XAUTHORITY": "/tmp/xvfb-run.a1b2c3/Xauthority"]
            try await Sandbox.with(display: Xvfb.nameToKeep(), changes: changes) { sandbox in
                try await Self.withServer(of: sandbox) { server in
                    try await sandbox.require("set", "of the first job")
                    #expect(try await sandbox.require("status").text.contains("xvfb-run"))
                    try await server.kill()
                    _ = try await sandbox.awaitBridges(0)
                }
                try await Self.withServer(of: sandbox) { _ in
                    let (pasted, listed) = (try await sandbox.xpb("get"), try await sandbox.xpb("history"))
                    #expect(pasted.status == 1 && listed.error.contains("xvfb-run"), "\(pasted) \(listed)")
                }
            }
        }

        @Test("Captured contents of another program are offered on the new server")
        func captured() async throws {
            try await Self.withBridge { sandbox, server, bridge in
                try sandbox.write(Array("theirs".utf8), to: "in")
                try await sandbox.xclipCopies("in")
                let count = try await sandbox.count()
                try await bridge.line(with: "general captured")
                try await server.kill()
                try await bridge.line(with: "lost display")
                #expect(try await sandbox.require("get").text == "theirs")
                try await Self.restart(in: sandbox, bridge) {
                    let now = try await sandbox.count()
                    #expect(now >= count)
                    #expect(try await sandbox.xclipPastes().text == "theirs")
                }
            }
        }

        private static func authority() -> [UInt8] {
            Authority.file(cookie: (0..<16).map { _ in UInt8.random(in: 0...255) })
        }

        @Test("After a restart with a different cookie in the same file, the bridge attaches by itself")
        func otherCookie() async throws {
            try await Self.withBridge(authority: Self.authority()) { sandbox, server, bridge in
                try await sandbox.require("set", "kept")
                try await server.kill()
                try await bridge.line(with: "lost display")
                let file = try sandbox.write(Self.authority(), to: "authority")
                try await Self.restart(in: sandbox, bridge, authority: file) {
                    _ = try await sandbox.count()
                    #expect(try await sandbox.xclipPastes().text == "kept")
                }
            }
        }

        @Test("After a restart with a different file, the bridge attaches at the first call that has the file")
        func otherFile() async throws {
            try await Self.withBridge(authority: Self.authority()) { sandbox, server, bridge in
                try await sandbox.require("set", "kept")
                try await server.kill()
                try await bridge.line(with: "lost display")
                let file = try sandbox.write(Self.authority(), to: "second")
                try await Self.withServer(of: sandbox, authority: file) { _ in
                    let sandbox = sandbox.changing(["XAUTHORITY": file])
                    #expect(try await sandbox.require("get").text == "kept")
                    try await bridge.line(with: "attached to display")
                    _ = try await sandbox.count()
                    #expect(try await sandbox.xclipPastes().text == "kept")
                }
            }
        }
    }
}
