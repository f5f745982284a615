import CopyingSupport
import TestSupport
import Testing

extension Integration {
    /// The bridge with a compositor that the test plays, over each of the two protocols. No compositor in Debian 12 has
    /// ext-data-control-v1.
    @Suite("With a data-control protocol")
    struct DataControlTests {
        /// Runs `body` in the session of a compositor with these protocols.
        private func withSession(
            _ protocols: [String], _ body: (Sandbox, Running) async throws -> Void
        ) async throws {
            try await Sandbox.with(display: nil, changes: Sandbox.logging) { sandbox in
                let path = sandbox.path("compositor")
                _ = try await sandbox.running(["\(Binaries.built)/CompositorHost", path] + protocols) { compositor in
                    #expect(try await compositor.line() == "ready")
                    let session = sandbox.changing(["WAYLAND_DISPLAY": path])
                    try await body(session, compositor)
                    _ = try await session.run(["xpb", "bridge", "stop"])
                }
            }
        }

        @Test("Copies are seen with their types, counted and kept", arguments: ["ext", "wlr"])
        func foreign(name: String) async throws {
            try await withSession([name]) { session, compositor in
                let before = try await session.count()
                #expect(try await compositor.asks("copy täxt") == "done")
                #expect(try await session.require("get").text == "täxt")
                #expect(try await session.count() == before + 1)
                #expect(try await session.require("types", "--mime").lines.contains("text/plain"))
                #expect(try await session.require("owner").text.hasPrefix("owner: wayland"))
                _ = try await session.awaitStatus("captured", count: before + 1)
                #expect(try await compositor.asks("clear") == "done")
                #expect(try await session.require("get").text == "täxt")
                #expect(try await session.count() == before + 1)
                #expect(try await compositor.asks("paste text/plain") == "täxt")
            }
        }

        @Test("Contents that xpb sets are offered under their types", arguments: ["ext", "wlr"])
        func own(name: String) async throws {
            try await withSession([name]) { session, compositor in
                try await session.require("set", "täxt")
                let types = try await compositor.asks("types")
                #expect(types.contains("text/plain;charset=utf-8"))
                #expect(types.contains("UTF8_STRING"))
                #expect(try await compositor.asks("paste text/plain;charset=utf-8") == "täxt")
                try await session.require("clear")
                #expect(try await compositor.asks("types").isEmpty)
            }
        }

        @Test(
            "After the connection is lost, the bridge connects again and offers its contents",
            arguments: ["ext", "wlr"])
        func reconnection(name: String) async throws {
            try await withSession([name]) { session, compositor in
                try await session.require("set", "täxt")
                let count = try await session.count()
                #expect(try await compositor.asks("replace") == "done")
                // The compositor does not report an offer, so the test asks until there is one.
                while try await compositor.asks("types").isEmpty { try Task.checkCancellation() }
                #expect(try await compositor.asks("paste UTF8_STRING") == "täxt")
                #expect(try await session.count() == count)
            }
        }

        @Test("status names the protocol, which is ext if the compositor has both")
        func names() async throws {
            try await withSession(["wlr", "ext"]) { session, _ in
                try await session.require("bridge", "start")
                #expect(try await session.require("status").text.contains("ext_data_control_manager_v1 version 1"))
            }
        }

        @Test("--seat chooses a seat other than the first")
        func seat() async throws {
            try await withSession(["ext", "seat=first", "seat=second"]) { session, compositor in
                let line = ["/bin/sh", "-c", "exec xpbd --seat \"$0\" --ready-fd 3 3>&1"]
                _ = try await session.running(line + ["second"]) { bridge in
                    #expect(try await bridge.line() == "ready")
                    #expect(try await session.require("status").text.contains(", second, "))
                    #expect(try await compositor.asks("copy elsewhere") == "done")
                    try await session.require("set", "täxt")
                    #expect(try await compositor.asks("paste text/plain") == "elsewhere")
                    #expect(try await session.require("get").text == "täxt")
                    try await session.require("bridge", "stop")
                }
                _ = try await session.running(line + ["third"]) { bridge in
                    #expect(try await bridge.line() == "ready")
                    let status = try await session.require("status").text
                    #expect(status.contains("has no seat 'third'; it has first, second"), "\(status)")
                }
            }
        }

        @Test("Without a protocol, pasteboards work among clients, and doctor reports the missing protocols")
        func none() async throws {
            try await withSession([]) { session, compositor in
                try await session.require("set", "täxt")
                #expect(try await session.require("get").text == "täxt")
                #expect(try await compositor.asks("types") == "")
                let doctor = try await session.run(["xpb", "doctor", "--timeout", "60"])
                #expect(doctor.text.contains("neither ext-data-control-v1 nor"), "\(doctor)")
            }
        }
    }
}

extension Running {
    /// Sends a command to the compositor, and returns its answer.
    fileprivate func asks(_ command: String) async throws -> String {
        try await send(command)
        return try await line()
    }
}
