import TestSupport
import Testing

extension Embedded {
    /// Servers that stand still or go away at a bad moment. Each is the test's own.
    @Suite("A program with the bridge inside outlives its X server")
    struct BadServerTests {
        private func withServer(_ body: (Sandbox, Host, Running, String) async throws -> Void) async throws {
            try await Sandbox.with(display: nil) { sandbox in
                _ = try await sandbox.running(["Xvfb", "-displayfd", "1", "-noreset", "-nolisten", "tcp"]) { server in
                    let display = ":" + (try await server.line())
                    try await sandbox.withHost { try await body(sandbox, $0, server, display) }
                }
            }
        }

        @Test("What it holds is served on when the server is gone")
        func gone() async throws {
            try await withServer { sandbox, host, server, display in
                try await host.start(display)
                try await host.tell("set text")
                try await server.kill()
                #expect(try await host.ask("get") == "text")
                #expect(try await sandbox.changing(["DISPLAY": display]).require("get").text == "text")
                try await host.tell("set more")
                #expect(try await host.ask("get") == "more")
                #expect(try await host.ask("stop") == "ok")
            }
        }

        @Test("A server that goes away while it is opened is told as one that does not open")
        func goneHalfway() async throws {
            try await withServer { sandbox, host, server, display in
                _ = try await sandbox.running([Binaries.fixture("halfway.py"), display]) { halfway in
                    let bad = try await halfway.line()
                    #expect(try await host.ask("try \(bad)").hasPrefix("error unavailable 0 "))
                    try await host.start(display)
                    try await host.tell("set text")
                    #expect(try await host.ask("get") == "text")
                }
            }
        }

        @Test("A server that stands still holds neither a start nor a stop up for ever")
        func standingStill() async throws {
            try await withServer { sandbox, host, server, display in
                try server.suspend()
                #expect(try await host.ask("try \(display)").hasPrefix("error unavailable 0 "))
                try server.resume()
                // The display may be let go of only now.
                while try await host.ask("start \(display)") != "ok" {}
                try await host.tell("set text")

                try server.suspend()
                #expect(try await host.ask("get") == "text")
                #expect(try await host.ask("stop") == "ok")
                #expect(try await host.ask("running") == "false")
                try server.resume()
                while try await host.ask("start \(display)") != "ok" {}
                try await host.tell("set more")
                #expect(try await sandbox.changing(["DISPLAY": display]).xclipPastes() == "more")
            }
        }
    }
}
