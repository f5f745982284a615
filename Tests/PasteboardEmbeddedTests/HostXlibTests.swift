import TestSupport
import Testing

extension Embedded {
    /// Tests with the bridge on one server and the program's own display on another, so that either can be lost alone.
    @Suite("A program that uses both Xlib and the bridge")
    struct HostXlibTests {
        /// Runs `body` with the program and two servers, which `body` may kill.
        private func withServers(_ body: (Host, _ bridges: Server, _ own: Server) async throws -> Void) async throws {
            let command = ["Xvfb", "-displayfd", "1", "-noreset", "-nolisten", "tcp"]
            try await Sandbox.with(display: nil) { sandbox in
                _ = try await sandbox.running(command) { first in
                    let bridges = Server(process: first, display: ":" + (try await first.line()))
                    _ = try await sandbox.running(command) { second in
                        let own = Server(process: second, display: ":" + (try await second.line()))
                        try await sandbox.withHost { try await body($0, bridges, own) }
                    }
                }
            }
        }

        private struct Server {
            let process: Running
            let display: String
        }

        @Test(
            "Handlers set before the start are called for the program's own display only",
            arguments: [["plain"], ["plain", "passing"]])
        func before(kinds: [String]) async throws {
            try await withServers { host, bridges, own in
                #expect(try await host.ask("open \(own.display)") == "ok")
                for kind in kinds { #expect(try await host.ask("handlers \(kind)") == "ok") }
                try await host.start(bridges.display)
                try await expectOwn(of: host, kinds.reversed(), bridges, own)
            }
        }

        @Test(
            "Handlers set after the start are called for the program's own display only",
            arguments: [["plain"], ["plain", "passing"]])
        func after(kinds: [String]) async throws {
            try await withServers { host, bridges, own in
                try await host.start(bridges.display)
                #expect(try await host.ask("set text") == "1")
                #expect(try await host.ask("open \(own.display)") == "ok")
                for kind in kinds { #expect(try await host.ask("handlers \(kind)") == "ok") }
                try await expectOwn(of: host, kinds.reversed(), bridges, own)
            }
        }

        @Test("Handlers that replace other handlers after the start are all called once")
        func several() async throws {
            try await withServers { host, bridges, own in
                #expect(try await host.ask("open \(own.display)") == "ok")
                #expect(try await host.ask("handlers plain") == "ok")
                try await host.start(bridges.display)
                #expect(try await host.ask("handlers passing") == "ok")
                // The bridge sets its handler above the others again whenever it starts to work.
                try await host.require("set text")
                try await expectOwn(of: host, ["passing", "plain"], bridges, own)
            }
        }

        @Test("A handler that was removed is no longer called")
        func restored() async throws {
            try await withServers { host, bridges, own in
                #expect(try await host.ask("open \(own.display)") == "ok")
                #expect(try await host.ask("handlers plain") == "ok")
                try await host.start(bridges.display)
                for _ in 1...20 {
                    #expect(try await host.ask("handlers passing") == "ok")
                    try await host.require("set text")
                    #expect(try await host.ask("restore") == "ok")
                    try await host.require("set text")
                }
                try await expectOwn(of: host, ["plain"], bridges, own)
            }
        }

        @Test("After a stop, handlers are called for the program's own display as before")
        func stopped() async throws {
            try await withServers { host, bridges, own in
                #expect(try await host.ask("handlers plain") == "ok")
                try await host.start(bridges.display)
                #expect(try await host.ask("open \(own.display)") == "ok")
                #expect(try await host.ask("handlers passing") == "ok")
                try await host.require("set text")
                #expect(try await host.ask("stop") == "ok")
                #expect(try await host.ask("fail") == "ok")
                #expect(try await host.ask("heard") == "passing error own, plain error own")
                try await own.process.kill()
                #expect(try await host.ask("wait") == "ok")
                #expect(try await host.ask("heard") == "passing loss own, plain loss own")
            }
        }

        /// Expects that errors and the loss of the program's own display reach its handlers, and that the loss of the
        /// bridge's display does not.
        ///
        /// The bridge's display is lost first. Until then, this function does not wake the bridge, which would check
        /// the handlers again.
        private func expectOwn(
            of host: Host, _ handlers: [String], _ bridges: Server, _ own: Server,
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            func expected(_ kind: String) -> String {
                handlers.map { "\($0) \(kind) own" }.joined(separator: ", ")
            }
            #expect(try await host.ask("fail") == "ok", sourceLocation: sourceLocation)
            #expect(try await host.ask("heard") == expected("error"), sourceLocation: sourceLocation)

            try await bridges.process.kill()
            // The answer comes after the bridge has read everything from the server.
            #expect(Int(try await host.ask("count")) != nil, sourceLocation: sourceLocation)
            #expect(try await host.ask("heard") == "", sourceLocation: sourceLocation)

            try await own.process.kill()
            #expect(try await host.ask("wait") == "ok", sourceLocation: sourceLocation)
            #expect(try await host.ask("heard") == expected("loss"), sourceLocation: sourceLocation)
            #expect(Int(try await host.ask("count")) != nil, sourceLocation: sourceLocation)
        }
    }
}
