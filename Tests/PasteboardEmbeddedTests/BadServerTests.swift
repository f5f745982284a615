import TestSupport
import Testing

extension Embedded {
    /// Tests with X servers that hang or end at a bad moment. Each test has its own server.
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

        @Test("Contents are still served after the server has ended")
        func gone() async throws {
            try await withServer { sandbox, host, server, display in
                try await host.start(display)
                try await host.require("set text")
                try await server.kill()
                #expect(try await host.ask("get") == "text")
                #expect(try await sandbox.changing(["DISPLAY": display]).require("get").text == "text")
                try await host.require("set more")
                #expect(try await host.ask("get") == "more")
                #expect(try await host.ask("stop") == "ok")
            }
        }

        @Test("A server that ends while it is being opened counts as unavailable")
        func goneHalfway() async throws {
            try await withServer { sandbox, host, server, display in
                _ = try await sandbox.running([Binaries.fixture("halfway.py"), display]) { halfway in
                    let bad = try await halfway.line()
                    #expect(try await host.ask("try \(bad)").hasPrefix("error unavailable 0 "))
                    try await host.start(display)
                    try await host.require("set text")
                    #expect(try await host.ask("get") == "text")
                }
            }
        }

        @Test("A server that hangs blocks neither a start nor a stop forever")
        func blockedServer() async throws {
            try await withServer { sandbox, host, server, display in
                try server.suspend()
                #expect(try await host.ask("try \(display)").hasPrefix("error unavailable 0 "))
                try server.resume()
                // The bridge may not have closed the display yet.
                while try await host.ask("start \(display)") != "ok" {}
                try await host.require("set text")

                try server.suspend()
                #expect(try await host.ask("get") == "text")
                #expect(try await host.ask("stop") == "ok")
                #expect(try await host.ask("running") == "false")
                try server.resume()
                while try await host.ask("start \(display)") != "ok" {}
                try await host.require("set more")
                #expect(try await sandbox.changing(["DISPLAY": display]).xclipPastes() == "more")
            }
        }
    }
}
