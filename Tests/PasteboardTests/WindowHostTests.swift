import FoundationEssentials
import Pasteboard
import TestSupport
import Testing

extension Library {
    /// Tests of a program with its own window and loop.
    @Suite("Window host", .requiresXvfb) struct WindowHostTests {
        private static let general = Pasteboard.general

        /// Runs the host program during `body`.
        ///
        /// - Parameter timeout: The timeout of the host's calls, in milliseconds.
        private func withHost(
            _ sandbox: Sandbox, timeout: Int = 60_000, _ body: (Running) async throws -> Void
        ) async throws {
            _ = try await sandbox.running(["\(Binaries.built)/WindowHost", "\(timeout)"]) { host in
                #expect(try await host.line() == "ready")
                try await body(host)
            }
        }

        @Test("A thousand changes by other programs are reported in order, on the loop's thread")
        func changes() async throws {
            try await withLibrary { sandbox in
                try await withHost(sandbox) { host in
                    let start = try await Self.general.async.setString("begin")
                    try await host.send("observe \(start - 1)")
                    try await host.send("await \(start)")
                    #expect(try await host.line() == "changes \(start)...\(start)")
                    for number in 1...1_000 { try await Self.general.async.setString("\(number)") }
                    try await host.send("await \(start + 1_000)")
                    #expect(try await host.line() == "changes \(start)...\(start + 1_000)")
                }
            }
        }

        @Test("While an owner is stopped, the window is drawn and commands are read, and the read times out")
        func stopped() async throws {
            try await withLibrary { sandbox in
                let file = try sandbox.write(Array("frozen".utf8), to: "in")
                try await sandbox.withPeer(["own", "--offer", "UTF8_STRING", file]) { owner in
                    _ = try await owner.await("owned")
                    try owner.process.suspend()
                    try await withHost(sandbox) { host in
                        try await host.send("read")
                        for number in 1...20 {
                            try await host.send("draw \(number)")
                            let line = try await host.line()
                            try #require(line == "drawn \(number)")
                        }
                    }
                    try await withHost(sandbox, timeout: 500) { host in
                        try await host.send("read")
                        #expect(try await host.line() == "failed silent")
                        try await host.send("draw 1")
                        #expect(try await host.line() == "drawn 1")
                    }
                }
            }
        }

        @Test("Reads, writes and promises run on the loop's thread")
        func calls() async throws {
            try await withLibrary { sandbox in
                try await withHost(sandbox) { host in
                    try await host.send("read")
                    #expect(try await host.line() == "read nothing")
                    try await host.send("write hello")
                    #expect(try await host.line() == "wrote 1")
                    #expect(try await sandbox.xclipPastes("UTF8_STRING").text == "hello")
                    try await host.send("read")
                    #expect(try await host.line() == "read hello")
                    try await host.send("promise later")
                    #expect(try await host.line() == "promised later")
                    #expect(try await sandbox.xclipPastes("UTF8_STRING").text == "later")
                    #expect(try await host.line() == "asked later")
                }
            }
        }

        /// Returns the names of the threads of a process.
        private func threads(of process: Int32) throws -> Set<String> {
            let tasks = "/proc/\(process)/task"
            // A thread may end while its name is read.
            return Set(
                try FileManager.default.contentsOfDirectory(atPath: tasks).compactMap {
                    try? String(contentsOfFile: "\(tasks)/\($0)/comm", encoding: .utf8).filter { $0 != "\n" }
                })
        }

        @Test("The program has no threads of the Swift runtime, one of which would wake every second")
        func rest() async throws {
            try await withLibrary { sandbox in
                try await withHost(sandbox) { host in
                    try await host.send("observe 0")
                    try await host.send("write hello")
                    #expect(try await host.line() == "wrote 1")
                    try await host.send("read")
                    #expect(try await host.line() == "read hello")
                    try await host.send("promise later")
                    #expect(try await host.line() == "promised later")
                    #expect(try await sandbox.xclipPastes("UTF8_STRING").text == "later")
                    #expect(try await host.line() == "asked later")
                    // The thread that made a connection ends a moment after the connection is used.
                    try await sandbox.awaitStatus { _ in
                        try threads(of: host.processID) == ["WindowHost", "xpb client", "xpb tasks"]
                    }
                }
            }
        }

        @Test("After the bridge has ended, the host continues with the next bridge")
        func bridgeEnds() async throws {
            try await withLibrary { sandbox in
                try await withHost(sandbox) { host in
                    try await host.send("write one")
                    #expect(try await host.line() == "wrote 1")
                    try await host.send("observe 0")
                    try await sandbox.require("bridge", "restart")
                    let count = try await Self.general.async.setString("two")
                    try await host.send("await \(count)")
                    #expect(try await host.line().hasPrefix("changes ") == true)
                    try await host.send("read")
                    #expect(try await host.line() == "read two")
                }
            }
        }
    }
}
