import TestSupport
import Testing

extension Integration {
    /// X servers that go away and come back.
    @Suite("Servers that return")
    struct ReturnTests {
        /// An X server of that number, under way until it is killed.
        private static func withServer(
            _ display: String, of sandbox: Sandbox, _ options: String..., body: (Running) async throws -> Void
        ) async throws {
            let command = ["Xvfb", display, "-displayfd", "1", "-noreset", "-nolisten", "tcp"] + options
            _ = try await sandbox.running(command) { server in
                _ = try await server.line()
                try await body(server)
            }
        }

        /// Runs a bridge in the foreground, whose log `body` reads.
        private static func withBridge(of sandbox: Sandbox, _ body: (Running) async throws -> Void) async throws {
            let daemon = ["/bin/sh", "-c", "exec \"$0\" 2>&1", "\(Binaries.folder)/xpbd"]
            _ = try await sandbox.running(daemon) { bridge in
                try await bridge.line(with: "attached to display")
                try await body(bridge)
                #expect(sandbox.bridges() == [bridge.processID])
            }
        }

        /// Starts the server of a display that a bridge has lost, and kills it when `body` is done.
        private static func back(
            _ display: String, of sandbox: Sandbox, to bridge: Running, _ options: String...,
            body: () async throws -> Void
        ) async throws {
            let command = ["Xvfb", display, "-displayfd", "1", "-noreset", "-nolisten", "tcp"] + options
            _ = try await sandbox.running(command) { server in
                _ = try await server.line()
                try await bridge.line(with: "attached to display")
                try await body()
                try await server.kill()
            }
            try await bridge.line(with: "lost display")
        }

        @Test("The contents are back without anybody asking, by the same process, and the count goes on")
        func comesBack() async throws {
            try await Sandbox.with(display: Xvfb.nameToKeep()) { sandbox in
                let display = try #require(sandbox.environment["DISPLAY"])
                try await Self.withServer(display, of: sandbox) { server in
                    try await Self.withBridge(of: sandbox) { bridge in
                        try await sandbox.require("set", "kept")
                        try await sandbox.require("set", "-p", "find", "needle")
                        var count = try await sandbox.count()
                        try await server.kill()
                        try await bridge.line(with: "lost display")
                        let lost = try await sandbox.require("status").text
                        #expect(lost.contains("attached: no\n") && lost.contains("\nlost: "), "\(lost)")
                        for copied in ["one", "two"] {
                            try await Self.back(display, of: sandbox, to: bridge) {
                                // Asked behind the claims.
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
            }
        }

        @Test("What another program copied is offered on the new server, as far as it was captured")
        func captured() async throws {
            try await Sandbox.with(display: Xvfb.nameToKeep()) { sandbox in
                let display = try #require(sandbox.environment["DISPLAY"])
                try await Self.withServer(display, of: sandbox) { server in
                    try await Self.withBridge(of: sandbox) { bridge in
                        try sandbox.write(Array("theirs".utf8), to: "in")
                        try await sandbox.xclipCopies("in")
                        let count = try await sandbox.count()
                        _ = try await sandbox.awaitStatus("captured", count: count)
                        try await server.kill()
                        try await bridge.line(with: "lost display")
                        #expect(try await sandbox.require("get").text == "theirs")
                        try await Self.back(display, of: sandbox, to: bridge) {
                            let now = try await sandbox.count()
                            #expect(now >= count)
                            #expect(try await sandbox.xclipPastes().text == "theirs")
                        }
                    }
                }
            }
        }

        /// A file with one entry for any address: family 0xFFFF, then length and bytes of address, number, name, cookie.
        private static func authority() -> [UInt8] {
            func field(_ bytes: [UInt8]) -> [UInt8] { [0, UInt8(bytes.count)] + bytes }
            return [0xFF, 0xFF] + field([]) + field([]) + field(Array("MIT-MAGIC-COOKIE-1".utf8))
                + field((0..<16).map { _ in UInt8.random(in: 0...255) })
        }

        @Test("A server that is back with another authority in the same file is served without anybody asking")
        func otherCookie() async throws {
            try await Sandbox.with(display: Xvfb.nameToKeep()) { sandbox in
                let display = try #require(sandbox.environment["DISPLAY"])
                let file = try sandbox.write(Self.authority(), to: "authority")
                let sandbox = sandbox.changing(["XAUTHORITY": file])
                try await Self.withServer(display, of: sandbox, "-auth", file) { server in
                    try await Self.withBridge(of: sandbox) { bridge in
                        try await sandbox.require("set", "kept")
                        try await server.kill()
                        try await bridge.line(with: "lost display")
                        try sandbox.write(Self.authority(), to: "authority")
                        try await Self.back(display, of: sandbox, to: bridge, "-auth", file) {
                            _ = try await sandbox.count()
                            #expect(try await sandbox.xclipPastes().text == "kept")
                        }
                    }
                }
            }
        }

        @Test("One that is back with another file is served as soon as a client that has it says anything")
        func otherFile() async throws {
            try await Sandbox.with(display: Xvfb.nameToKeep()) { sandbox in
                let display = try #require(sandbox.environment["DISPLAY"])
                let files = try ["first", "second"].map { try sandbox.write(Self.authority(), to: $0) }
                let former = sandbox.changing(["XAUTHORITY": files[0]])
                let later = sandbox.changing(["XAUTHORITY": files[1]])
                try await Self.withServer(display, of: former, "-auth", files[0]) { server in
                    try await Self.withBridge(of: former) { bridge in
                        try await former.require("set", "kept")
                        try await server.kill()
                        try await bridge.line(with: "lost display")
                        let again = [
                            "Xvfb", display, "-displayfd", "1", "-noreset", "-nolisten", "tcp", "-auth", files[1],
                        ]
                        _ = try await sandbox.running(again) { server in
                            _ = try await server.line()
                            #expect(try await later.require("get").text == "kept")
                            try await bridge.line(with: "attached to display")
                            _ = try await later.count()
                            #expect(try await later.xclipPastes().text == "kept")
                        }
                    }
                }
            }
        }
    }
}
