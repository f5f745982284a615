import CopyingSupport
import TestSupport
import Testing

extension Integration {
    @Suite("watch", .requiresXvfb)
    struct WatchTests {
        /// Runs `body` while `xpb watch` is running and has printed the current state.
        private static func watching(
            _ arguments: [String] = [], _ body: (Sandbox, Running, Int) async throws -> Void
        ) async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "first")
                let count = try await sandbox.count()
                _ = try await sandbox.running(["xpb", "watch", "--initial"] + arguments) { watch in
                    let line = try await watch.line()
                    #expect(line.contains("\(count)"))
                    try await body(sandbox, watch, count)
                }
            }
        }

        /// Waits until `xpb watch` is a client of the bridge, in addition to `xpb status`. `xpb watch` does not report
        /// this itself.
        static func awaitWatcher(in sandbox: Sandbox) async throws {
            try await sandbox.awaitStatus { $0.lines.contains("clients: 2") }
        }

        @Test("watch prints a line per change: pasteboard, count and types")
        func lines() async throws {
            try await Self.watching { sandbox, watch, count in
                try await sandbox.require("set", "-t", "text/html", "--text", "<b>x</b>", "-t", "text", "--text", "x")
                #expect(try await watch.line() == "general\t\(count + 1)\tpublic.html public.utf8-plain-text")
                try sandbox.write(Array("text".utf8), to: "in")
                try await sandbox.xclipCopies("in")
                #expect(try await watch.line() == "general\t\(count + 2)\tpublic.utf8-plain-text")
                try await sandbox.require("clear")
                #expect(try await watch.line() == "general\t\(count + 3)\t")
            }
        }

        @Test("watch --json prints an object per line")
        func json() async throws {
            try await Self.watching(["--json"]) { sandbox, watch, count in
                try await sandbox.require("set", "second")
                let line = try await watch.line()
                #expect(line.hasPrefix("{") && line.hasSuffix("}"))
                #expect(line.contains("\"v\":1"))
                #expect(line.contains("\"count\":\(count + 1)"))
            }
        }

        @Test("watch runs a command per change, with the change in its environment")
        func command() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "first")
                let command = ["--", "sh", "-c", "echo \"$XPB_PASTEBOARD $XPB_COUNT $XPB_TYPES $CLIPBOARD_STATE\""]
                _ = try await sandbox.running(["xpb", "watch", "--initial"] + command) { watch in
                    let count = try await sandbox.count()
                    #expect(try await watch.line() == "general \(count) public.utf8-plain-text data")
                    try await sandbox.require("set", "second")
                    #expect(try await watch.line() == "general \(count + 1) public.utf8-plain-text data")
                    try await sandbox.require("set", "--concealed", input: Array("third".utf8))
                    #expect(try await watch.line().hasSuffix(" sensitive"))
                    try await sandbox.require("clear")
                    #expect(try await watch.line() == "general \(count + 3)  nil")
                }
            }
        }

        @Test(
            "The command's own copies do not run it again, but copies from other programs do",
            arguments: [
                "xpb get | xpb set", "xpb get | xpb set --concealed",
                "(xpb get | exec xclip -selection clipboard -quiet >/dev/null 2>&1 &); xpb wait --since $XPB_COUNT",
                "xpb watch --initial -- xpb set nested & xpb wait --since $XPB_COUNT; kill $!",
            ])
        func ownCopies(copying: String) async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "first")
                let count = try await sandbox.count()
                let command = "sh -c 'echo $XPB_COUNT; { \(copying); } >&3'"
                let watch = "exec xpb watch --verbose --since \(count) -- \(command) 3>&2 2>&1"
                _ = try await sandbox.running(["/bin/sh", "-c", watch]) { watch in
                    for step in [1, 3] {
                        try await sandbox.require("set", "\(step)")
                        #expect(try await watch.line() == "\(count + step)")
                        let line = try await watch.line()
                        #expect(line == "xpb: general \(count + step + 1): copied by sh itself")
                    }
                }
            }
        }

        @Test("With --own, the command's own copies run it, too")
        func own() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "first")
                let count = try await sandbox.count()
                let script = "echo $XPB_COUNT; [ $XPB_COUNT -ge \(count + 3) ] || xpb set again"
                let watch = ["xpb", "watch", "--own", "--since", "\(count)", "--", "sh", "-c", script]
                _ = try await sandbox.running(watch) { watch in
                    try await sandbox.require("set", "1")
                    for step in 1...3 { #expect(try await watch.line() == "\(count + step)") }
                }
            }
        }

        @Test("With -t, the command gets the bytes of that type on its standard input")
        func commandInput() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "-t", "html", "--text", "<b>1</b>", "-t", "text", "--text", "1")
                let watching = ["xpb", "watch", "--initial", "-t", "html", "--", "sh", "-c", "cat; echo"]
                _ = try await sandbox.running(watching) { watch in
                    #expect(try await watch.line() == "<b>1</b>")
                    try await sandbox.require("set", "-t", "html", "--text", "<b>2</b>")
                    #expect(try await watch.line() == "<b>2</b>")
                }
            }
        }

        @Test("watch and list name the owner's program")
        func owner() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "first")
                _ = try await sandbox.running(["xpb", "watch", "--initial", "--", "sh", "-c", "echo $XPB_OWNER"]) {
                    watch in
                    #expect(try await watch.line() == "xpb")
                    let file = try sandbox.write(Array("text".utf8), to: "in")
                    // xclip is unsuitable, because its connecting process has exited by the time that xclip owns the
                    // selection.
                    try await sandbox.withPeer(["own", "--offer", "UTF8_STRING", file]) { _ in
                        #expect(try await watch.line() == "peer.py")
                        let general = try await sandbox.require("list").lines.first { $0.hasPrefix("general\t") }
                        #expect(general?.contains("\tpeer.py\t") == true, "\(general ?? "")")
                    }
                }
            }
        }

        @Test("A slow watch reports missed changes, and continues with the latest change")
        func slow() async throws {
            let changes = ["XPB_LIMIT_WATCH_QUEUE": "4096", "XPB_HISTORY": "false", "XPB_PERSIST": "false"]
            try await Sandbox.with(changes: changes) { sandbox in
                try await sandbox.require("set", "first")
                let count = try await sandbox.count()
                let command = ["/bin/sh", "-c", "exec xpb watch --initial 2>\"$HOME/missed\""]
                _ = try await sandbox.running(command) { watch in
                    #expect(try await watch.line().hasPrefix("general\t\(count)\t"))
                    try watch.suspend()
                    let writer = ["/usr/bin/python3", Binaries.fixture("bad_client.py"), try await sandbox.socket()]
                    let last = try #require(try await sandbox.run(writer + ["change", "1000"]).number)
                    #expect(last == count + 1000)
                    try watch.resume()
                    var latest = count
                    var lines = 0
                    while latest < last {
                        let fields = try await watch.line().split(separator: "\t")
                        let next = try #require(Int(fields[1]))
                        #expect(next > latest)
                        (latest, lines) = (next, lines + 1)
                    }
                    #expect(latest == last && lines < 1000)
                    #expect(String(decoding: try sandbox.read("missed"), as: UTF8.self).contains("changes were missed"))
                    try await sandbox.require("set", "next")
                    #expect(try await watch.line().hasPrefix("general\t\(last + 1)\t"))
                }
            }
        }

        @Test("watch continues with the next bridge, and prints no change twice", arguments: [true, false])
        func restart(isInitial: Bool) async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "first")
                let count = try await sandbox.count()
                let options = isInitial ? ["--initial"] : ["--since", "\(count)"]
                _ = try await sandbox.running(["xpb", "watch"] + options) { watch in
                    if isInitial { #expect(try await watch.line().hasPrefix("general\t\(count)\t")) }
                    try await Self.awaitWatcher(in: sandbox)
                    for change in 1...2 {
                        try await sandbox.require("bridge", "restart")
                        try await Self.awaitWatcher(in: sandbox)
                        try await sandbox.require("set", "after restart \(change)")
                        #expect(try await watch.line().hasPrefix("general\t\(count + change)\t"))
                    }
                }
            }
        }

        @Test("watch continues with a bridge without a store, whose counts restart")
        func restartWithoutStore() async throws {
            try await Sandbox.with(changes: ["XPB_PERSIST": "no"]) { sandbox in
                for text in ["one", "two", "three"] { try await sandbox.require("set", text) }
                _ = try await sandbox.running(["xpb", "watch", "--initial"]) { watch in
                    _ = try await watch.line()
                    try await sandbox.require("bridge", "restart")
                    try await Self.awaitWatcher(in: sandbox)
                    let count = try await sandbox.count()
                    try await sandbox.require("set", "-t", "text/html", "--text", "after")
                    while case let line = try await watch.line(), !line.contains("public.html") {
                        #expect(line.hasPrefix("general\t\(count)\t"))
                    }
                }
            }
        }

        @Test(
            "A command learns that contents are secret, from xpb or another program, with types or targets",
            arguments: [[], ["--targets"]])
        func secret(options: [String]) async throws {
            try await Sandbox.with { sandbox in
                let count = try await sandbox.count()
                let file = try sandbox.write("secret".utf8, to: "in")
                let mark = ["--offer", "x-kde-passwordManagerHint", file]
                let command = ["--", "sh", "-c", "echo $CLIPBOARD_STATE"]
                _ = try await sandbox.running(["xpb", "watch", "--since", "\(count)"] + options + command) { watch in
                    try await sandbox.withPeer(["own", "--offer", "UTF8_STRING", file] + mark) { _ in
                        let state = try await watch.line()
                        #expect(state == "sensitive")
                    }
                    try await sandbox.require("set", "not a secret")
                    // The end of the other program is a change only if its contents had not been captured.
                    while try await watch.line() != "data" {}
                    try await sandbox.require("set", "--concealed", input: Array("secret".utf8))
                    #expect(try await watch.line() == "sensitive")
                }
            }
        }

        @Test("watch reports a change that is made before watch has found the next bridge")
        func changeWhileAway() async throws {
            try await Self.watching { sandbox, watch, count in
                try watch.suspend()
                try await sandbox.require("bridge", "restart")
                try await sandbox.require("set", "second")
                try watch.resume()
                #expect(try await watch.line().hasPrefix("general\t\(count + 1)\t"))
            }
        }

        @Test("watch fails when the bridge ends, if there is no other bridge")
        func bridgeEnds() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "first")
                let status = try await sandbox.running(["xpb", "watch", "--initial"]) { watch in
                    _ = try await watch.line()
                    await ProcessTable.end(try sandbox.bridge())
                    try await watch.finish()
                    await ProcessTable.awaitEnd(of: watch.processID)
                }.status
                #expect(status == 4)
            }
        }

        @Test("When nobody reads its output any more, watch ends as if by SIGPIPE, even before the next change")
        func withoutReader() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "first")
                let script = "set -o pipefail; xpb watch --initial | head -1"
                let outcome = try await sandbox.run(["bash", "-c", script])
                #expect(outcome.status == 141 && outcome.lines.count == 1, "\(outcome)")
            }
        }

        @Test("Two watches see a change, and the end of one does not affect the other")
        func twoWatchers() async throws {
            try await Self.watching { sandbox, first, count in
                _ = try await sandbox.running(["xpb", "watch", "--initial"]) { second in
                    _ = try await second.line()
                    try await sandbox.require("set", "second")
                    #expect(try await second.line().hasPrefix("general\t\(count + 1)\t"))
                }
                #expect(try await first.line().hasPrefix("general\t\(count + 1)\t"))
                try await sandbox.require("set", "third")
                #expect(try await first.line().hasPrefix("general\t\(count + 2)\t"))
            }
        }
    }
}
