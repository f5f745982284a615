import Foundation
import Glibc
import TestSupport
import Testing

extension Integration {
    /// The settings: which are in force, where they came from, and what takes a change.
    @Suite("Settings")
    struct ConfigTests {
        /// Runs `body` in a sandbox without a display, whose settings it can write.
        private static func with(
            changes: [String: String?] = [:], _ body: (Sandbox, _ write: (String) throws -> String) async throws -> Void
        ) async throws {
            try await Sandbox.with(display: nil, changes: changes) { sandbox in
                try await body(sandbox) { text in
                    let folder = sandbox.path(".config/xpb")
                    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                    return try sandbox.write(text.utf8, to: ".config/xpb/config.json")
                }
            }
        }

        @Test("Without a bridge it tells what one would read, each value with its origin, and starts none")
        func without() async throws {
            try await Self.with(changes: ["XPB_CAPTURE_LIMIT": "8MiB"]) { sandbox, write in
                let path = try write("{\n  \"history\": false, // not here\n}")
                let told = try await sandbox.xpb("config")
                #expect(told.status == 0 && told.error.contains("no bridge runs"), "\(told)")
                let lines = told.text.split(separator: "\n")
                #expect(lines.contains("history: false\t\(path):2"))
                #expect(lines.contains("capture-limit: 8388608\tXPB_CAPTURE_LIMIT"))
                #expect(lines.contains("undo-levels: 20\tdefault"))
                #expect(sandbox.bridges().isEmpty)
                #expect(try await sandbox.xpb("config", "history").text == "false")
                #expect(try await sandbox.xpb("config", "--path").text == "\(path)")
            }
        }

        @Test("A running bridge tells what it goes by, and takes a changed file at once")
        func running() async throws {
            try await Self.with { sandbox, write in
                try await sandbox.require("bridge", "start")
                #expect(try await sandbox.require("config", "undo-levels").text == "20")
                _ = try write("{ \"undo-levels\": 7 }")
                #expect(try await sandbox.require("config", "undo-levels").text == "7")
                // Set for the client only.
                let other = sandbox.changing(["XPB_UNDO_LEVELS": "9"])
                let told = try await other.require("config", "undo-levels")
                #expect(told.text == "7" && told.error.contains("XPB_UNDO_LEVELS"), "\(told)")
            }
        }

        @Test("As JSON, each value is what it is")
        func json() async throws {
            try await Self.with { sandbox, write in
                let path = try write("{ \"managers\": [\"a\"] }")
                let told = try await sandbox.require("config", "--json")
                let object = try #require(try JSONSerialization.jsonObject(with: Data(told.output)) as? [String: Any])
                #expect(object["v"] as? Int == 1 && object["path"] as? String == path)
                let settings = try #require(object["settings"] as? [String: [String: Any]])
                #expect(settings["managers"]?["value"] as? [String] == ["a"])
                #expect(settings["managers"]?["source"] as? String == "\(path):1")
                #expect(settings["history-limit"]?["value"] as? Int == 1000)
                #expect(settings["history-limit"]?["origin"] as? String == "default")
                #expect(settings["history-age"]?["value"] is NSNull)
            }
        }

        @Test("A key that is none is status 2, with what was meant")
        func wrongKey() async throws {
            try await Self.with { sandbox, _ in
                let told = try await sandbox.xpb("config", "histroy")
                #expect(told.status == 2 && told.error.contains("did you mean 'history'?"), "\(told)")
            }
        }

        @Test("What is wrong in the file is told with its line, and is status 2; the rest counts")
        func faults() async throws {
            try await Self.with(changes: ["XPB_DERIVE": "maybe"]) { sandbox, write in
                let path = try write("{\n\"history-limit\": -1,\n\"captures\": true,\n\"undo-levels\": 3 }")
                let told = try await sandbox.xpb("config")
                #expect(told.status == 2)
                #expect(told.error.contains("\(path):2: \"history-limit\" is to be a number from 1"), "\(told)")
                #expect(told.error.contains("\(path):3: \"captures\" is no key"), "\(told)")
                #expect(told.error.contains("XPB_DERIVE: \"derive\" is to be true or false"), "\(told)")
                #expect(told.text.contains("undo-levels: 3\t\(path):4\n"), "\(told)")
                // With a key, what is wrong about that one, or with the file as a whole.
                let one = try await sandbox.require("config", "history-limit")
                #expect(one.text == "1000" && one.error.contains("\(path):2: \"history-limit\" is to be"), "\(one)")
                #expect(!one.error.contains("captures") && !one.error.contains("XPB_DERIVE"), "\(one)")
                #expect(try await sandbox.require("config", "derive").error.contains("XPB_DERIVE: "))
                #expect(try await sandbox.require("config", "capture").error.contains("\(path):3: \"captures\""))
                let good = try await sandbox.require("config", "undo-levels")
                #expect(good.text == "3" && !good.error.contains(path), "\(good)")
                _ = try write("undo-levels: 3")
                #expect(try await sandbox.require("config", "undo-levels").error.contains("\(path):1: "))
            }
        }

        @Test("SIGHUP reads the file again, and the bridge goes on; SIGTERM ends it")
        func signals() async throws {
            try await Self.with { sandbox, write in
                let daemon = ["/bin/sh", "-c", "exec \"$0\" --no-display 2>&1", "\(Binaries.folder)/xpbd"]
                let ended = try await sandbox.running(daemon) { bridge in
                    try await bridge.line(with: "serving without a display")
                    try await sandbox.require("set", "kept")
                    _ = try write("{ \"captures\": 1 }")
                    kill(bridge.processID, SIGHUP)
                    // The file's faults are told when it is read.
                    try await bridge.line(with: "is no key of the configuration")
                    #expect(try await sandbox.require("get").text == "kept")
                    #expect(sandbox.bridges() == [bridge.processID])
                    kill(bridge.processID, SIGTERM)
                    try await bridge.line(with: "ending on signal")
                    await ProcessTable.awaitEnd(of: bridge.processID)
                }
                #expect(ended.status == 0)
            }
        }

        @Test("SIGHUP lifts a limit that keeps everybody out, and who was in stays so")
        func raisedLimit() async throws {
            try await Self.with { sandbox, write in
                _ = try write("{ \"limit-clients\": 1 }")
                let daemon = ["/bin/sh", "-c", "exec \"$0\" --no-display 2>&1", "\(Binaries.folder)/xpbd"]
                _ = try await sandbox.running(daemon) { bridge in
                    try await bridge.line(with: "serving without a display")
                    _ = try await sandbox.running(["xpb", "watch", "--initial"]) { watch in
                        _ = try await watch.line()
                        let refused = try await sandbox.xpb("set", "a text")
                        #expect(refused.status == 6 && refused.error.contains("limit-clients"), "\(refused)")
                        _ = try write("{ \"limit-clients\": 2 }")
                        kill(bridge.processID, SIGHUP)
                        try await bridge.line(with: "reading the settings again")
                        try await sandbox.require("set", "a text")
                        _ = try await watch.line()
                    }
                    kill(bridge.processID, SIGTERM)
                    await ProcessTable.awaitEnd(of: bridge.processID)
                }
            }
        }

        @Test("On a terminal SIGHUP reads the file again, too, and the terminal's own hangup ends the bridge")
        func terminal() async throws {
            // The program is the leader of a session whose terminal this script holds the other end of.
            let script = """
                import os, pty, signal, sys
                process, terminal = pty.fork()
                if process == 0:
                    os.execv(sys.argv[1], [sys.argv[1], "--no-display"])
                text = b""
                def read_to(end):
                    global text
                    while end not in text: text += os.read(terminal, 4096)
                read_to(b"serving without a display")
                os.kill(process, signal.SIGHUP)
                read_to(b"reading the settings again")
                os.close(terminal)
                print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
                """
            try await Self.with { sandbox, _ in
                let ended = try await sandbox.run(["/usr/bin/python3", "-c", script, "\(Binaries.folder)/xpbd"])
                #expect(ended.text == "0", "\(ended)")
            }
        }
    }
}

extension Running {
    /// Reads on to the next line that has this in it.
    func line(with text: String) async throws {
        while try await !line().contains(text) {}
    }
}
