import CopyingSupport
import Foundation
import Glibc
import TestSupport
import Testing

extension Integration {
    /// The settings: their current values, their origins, and the effect of changes.
    @Suite("Settings")
    struct ConfigTests {
        /// Runs `body` in a sandbox without a display, with a function that writes the configuration file.
        private static func with(
            changes: [String: String?] = [:], _ body: (Sandbox, _ write: (String) throws -> String) async throws -> Void
        ) async throws {
            try await Sandbox.with(display: nil, changes: changes) { sandbox in
                try await body(sandbox) { try sandbox.writeConfiguration($0) }
            }
        }

        private static func file(_ sandbox: Sandbox) throws -> String {
            String(decoding: try sandbox.read(".config/xpb/config.json"), as: UTF8.self)
        }

        @Test("Without a bridge, config shows the values a bridge would read and their origins, and starts no bridge")
        func without() async throws {
            try await Self.with(changes: ["XPB_CAPTURE_LIMIT": "8MiB"]) { sandbox, write in
                let path = try write("{\n  \"history\": false, // not here\n}")
                let outcome = try await sandbox.xpb("config")
                #expect(outcome.status == 0 && outcome.error.contains("no bridge is running"), "\(outcome)")
                let lines = outcome.text.split(separator: "\n")
                #expect(lines.contains("history: false\t\(path):2"))
                #expect(lines.contains("capture-limit: 8388608\tXPB_CAPTURE_LIMIT"))
                #expect(lines.contains("undo-levels: 20\tdefault"))
                #expect(sandbox.bridges().isEmpty)
                #expect(try await sandbox.xpb("config", "history").text == "false")
                #expect(try await sandbox.xpb("config", "--path").text == "\(path)")
            }
        }

        @Test("A running bridge reports its own settings, and reads a changed file at once")
        func running() async throws {
            try await Self.with { sandbox, write in
                try await sandbox.require("bridge", "start")
                #expect(try await sandbox.require("config", "undo-levels").text == "20")
                _ = try write("{ \"undo-levels\": 7 }")
                #expect(try await sandbox.require("config", "undo-levels").text == "7")
                // This variable is set only for the client.
                let other = sandbox.changing(["XPB_UNDO_LEVELS": "9"])
                let outcome = try await other.require("config", "undo-levels")
                #expect(outcome.text == "7" && outcome.error.contains("XPB_UNDO_LEVELS"), "\(outcome)")
            }
        }

        @Test("An invalid variable in the bridge's environment is an error for every caller")
        func wrongVariable() async throws {
            try await Self.with { sandbox, _ in
                try await sandbox.changing(["XPB_HISTORY_LIMIT": "abc"]).require("bridge", "start")
                let outcome = try await sandbox.xpb("config")
                #expect(outcome.status == 2, "\(outcome)")
                #expect(outcome.error.contains("in the running bridge: XPB_HISTORY_LIMIT: "), "\(outcome)")
                #expect(outcome.text.contains("history-limit: 100000\t"), "\(outcome)")
                let doctor = try await sandbox.xpb("doctor", "--timeout", "60")
                #expect(doctor.text.contains("in the running bridge: XPB_HISTORY_LIMIT: "), "\(doctor)")
            }
        }

        @Test("As JSON, values have their types")
        func json() async throws {
            try await Self.with { sandbox, write in
                let path = try write("{ \"managers\": [\"a\"] }")
                let outcome = try await sandbox.require("config", "--json")
                let parsed = try JSONSerialization.jsonObject(with: Data(outcome.output))
                let object = try #require(parsed as? [String: Any])
                #expect(object["v"] as? Int == 1 && object["path"] as? String == path)
                let settings = try #require(object["settings"] as? [String: [String: Any]])
                #expect(settings["managers"]?["value"] as? [String] == ["a"])
                #expect(settings["managers"]?["source"] as? String == "\(path):1")
                #expect(settings["history-limit"]?["value"] as? Int == 100_000)
                #expect(settings["history-limit"]?["origin"] as? String == "default")
                #expect(settings["history-age"]?["value"] is NSNull)
            }
        }

        @Test("A value is written to the file, which keeps its comments, and takes effect; --default removes it")
        func change() async throws {
            try await Self.with { sandbox, write in
                try await sandbox.require("config", "sync", "both")
                #expect(try Self.file(sandbox) == "{\n  \"sync\": \"both\"\n}\n")
                _ = try write("{\n  // ten\n  \"undo-levels\": 10\n}\n")
                try await sandbox.require("bridge", "start")
                for line in [
                    ["undo-levels", "7"], ["capture-except", "gimp", "inkscape"], ["history-age", "30 days"],
                ] {
                    let outcome = try await sandbox.require(["config"] + line)
                    #expect(outcome.output.isEmpty && outcome.error.isEmpty, "\(outcome)")
                }
                #expect(try await sandbox.require("config", "undo-levels").text == "7")
                try await sandbox.require("config", "managers", "a b", "c")
                #expect(try await sandbox.require("config", "managers").text == "[\"a b\", \"c\"]")
                for key in ["capture-except", "managers"] { try await sandbox.require("config", key, "--default") }
                let text = "{\n  // ten\n  \"undo-levels\": 7,\n  \"history-age\": 2592000\n}\n"
                #expect(try Self.file(sandbox) == text)
                #expect(try await sandbox.require("config", "capture-except", "--default").error.contains("is not in"))
                let shadowed = try await sandbox.changing(["XPB_UNDO_LEVELS": "9"]).require(
                    "config", "undo-levels", "8")
                #expect(shadowed.error.contains("XPB_UNDO_LEVELS takes precedence"), "\(shadowed)")
            }
        }

        @Test("A wrong value, a wrong line and a damaged file change nothing, and the error names the reason")
        func wrongChange() async throws {
            try await Self.with { sandbox, write in
                for (line, error) in [
                    (["undo-levels", "many"], "undo-levels must be a number from 0 to 1000"),
                    (["sync", "true"], "must be off, general-to-find, find-to-general or both"),
                    (["undo-level", "7"], "did you mean 'undo-levels'?"), (["--default"], "needs the KEY"),
                    (["undo-levels", "7", "--default"], "exclude each other"),
                    (["undo-levels", "7", "--path"], "exclude each other"),
                ] {
                    let outcome = try await sandbox.run(["\(Binaries.folder)/xpb", "config"] + line)
                    #expect(outcome.status == 2 && outcome.error.contains(error), "\(outcome)")
                }
                let damaged = "{\n  \"undo-levels\": 7\n"
                let path = try write(damaged)
                let outcome = try await sandbox.xpb("config", "undo-levels", "8")
                #expect(outcome.status == 6 && outcome.error.contains("\(path):1: the '{' is not closed"), "\(outcome)")
                #expect(try Self.file(sandbox) == damaged)
            }
        }

        @Test("An unknown key gives status 2 and a suggestion")
        func wrongKey() async throws {
            try await Self.with { sandbox, _ in
                let outcome = try await sandbox.xpb("config", "histroy")
                #expect(outcome.status == 2 && outcome.error.contains("did you mean 'history'?"), "\(outcome)")
            }
        }

        @Test("Faults in the file are reported with their lines and status 2, and the rest takes effect")
        func faults() async throws {
            try await Self.with(changes: ["XPB_DERIVE": "maybe"]) { sandbox, write in
                let path = try write("{\n\"history-limit\": -1,\n\"captures\": true,\n\"undo-levels\": 3 }")
                let outcome = try await sandbox.xpb("config")
                #expect(outcome.status == 2)
                #expect(outcome.error.contains("\(path):2: \"history-limit\" must be a number from 1"), "\(outcome)")
                #expect(outcome.error.contains("\(path):3: \"captures\" is not a key"), "\(outcome)")
                #expect(outcome.error.contains("XPB_DERIVE: \"derive\" must be true or false"), "\(outcome)")
                #expect(outcome.text.contains("undo-levels: 3\t\(path):4\n"), "\(outcome)")
                // With a key, only the faults of that key and of the file as a whole are reported.
                let one = try await sandbox.require("config", "history-limit")
                #expect(one.text == "100000" && one.error.contains("\(path):2: \"history-limit\" must be"), "\(one)")
                #expect(!one.error.contains("captures") && !one.error.contains("XPB_DERIVE"), "\(one)")
                #expect(try await sandbox.require("config", "derive").error.contains("XPB_DERIVE: "))
                #expect(try await sandbox.require("config", "capture").error.contains("\(path):3: \"captures\""))
                let good = try await sandbox.require("config", "undo-levels")
                #expect(good.text == "3" && !good.error.contains(path), "\(good)")
                _ = try write("undo-levels: 3")
                #expect(try await sandbox.require("config", "undo-levels").error.contains("\(path):1: "))
            }
        }

        @Test("SIGHUP makes the bridge read the file again, and SIGTERM makes it exit")
        func signals() async throws {
            try await Self.with { sandbox, write in
                let daemon = ["/bin/sh", "-c", "exec \"$0\" --no-display 2>&1", "\(Binaries.folder)/xpbd"]
                let ended = try await sandbox.running(daemon) { bridge in
                    try await bridge.line(with: "serving without a display")
                    try await sandbox.require("set", "kept")
                    _ = try write("{ \"captures\": 1 }")
                    kill(bridge.processID, SIGHUP)
                    // The bridge logs the file's faults when it reads the file.
                    try await bridge.line(with: "is not a key of the configuration")
                    #expect(try await sandbox.require("get").text == "kept")
                    #expect(sandbox.bridges() == [bridge.processID])
                    kill(bridge.processID, SIGTERM)
                    try await bridge.line(with: "ending on signal")
                    await ProcessTable.awaitEnd(of: bridge.processID)
                }
                #expect(ended.status == 0)
            }
        }

        @Test("SIGHUP raises a limit that keeps clients out, and connected clients stay")
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

        @Test("On a terminal, SIGHUP makes the bridge read the file again, and the terminal's hangup ends the bridge")
        func terminal() async throws {
            // The bridge leads a session, and this script has the other end of its terminal.
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
