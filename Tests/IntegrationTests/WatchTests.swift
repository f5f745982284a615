import TestSupport
import Testing

extension Integration {
    @Suite("watch", .requiresXvfb)
    struct WatchTests {
        /// Runs `xpb watch` while `body` runs; it is known to watch, since it has said the present state.
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

        @Test("It prints a line per change: the pasteboard, the count, the types")
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

        @Test("With --json it prints an object a line")
        func json() async throws {
            try await Self.watching(["--json"]) { sandbox, watch, count in
                try await sandbox.require("set", "second")
                let line = try await watch.line()
                #expect(line.hasPrefix("{") && line.hasSuffix("}"))
                #expect(line.contains("\"v\":1"))
                #expect(line.contains("\"count\":\(count + 1)"))
            }
        }

        @Test("It runs a command per change, with the change in its environment")
        func command() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "first")
                let command = ["--", "sh", "-c", "echo \"$XPB_PASTEBOARD $XPB_COUNT $XPB_TYPES $CLIPBOARD_STATE\""]
                _ = try await sandbox.running(["xpb", "watch", "--initial"] + command) { watch in
                    let count = try await sandbox.count()
                    #expect(try await watch.line() == "general \(count) public.utf8-plain-text data")
                    try await sandbox.require("set", "second")
                    #expect(try await watch.line() == "general \(count + 1) public.utf8-plain-text data")
                }
            }
        }

        @Test("With -t the command gets the bytes of that type on its standard input")
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

        @Test("It tells the program that owns, and so does the list")
        func owner() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "first")
                _ = try await sandbox.running(["xpb", "watch", "--initial", "--", "sh", "-c", "echo $XPB_OWNER"]) {
                    watch in
                    #expect(try await watch.line() == "xpb")
                    let file = try sandbox.write(Array("text".utf8), to: "in")
                    // xclip would not do: the process that connected is gone when it owns.
                    try await sandbox.withPeer(["own", "--offer", "UTF8_STRING", file]) { _ in
                        #expect(try await watch.line() == "peer.py")
                        let general = try await sandbox.require("list").lines.first { $0.hasPrefix("general\t") }
                        #expect(general?.contains("\tpeer.py\t") == true, "\(general ?? "")")
                    }
                }
            }
        }

        @Test("One that does not read says that it missed changes, and goes on with the latest")
        func slow() async throws {
            let changes = ["XPB_LIMIT_WATCH_QUEUE": "4096", "XPB_HISTORY": "false", "XPB_PERSIST": "false"]
            try await Sandbox.with(changes: changes) { sandbox in
                try await sandbox.require("set", "first")
                let count = try await sandbox.count()
                let command = ["/bin/sh", "-c", "exec xpb watch --initial 2>\"$HOME/missed\""]
                _ = try await sandbox.running(command) { watch in
                    #expect(try await watch.line().hasPrefix("general\t\(count)\t"))
                    try watch.suspend()
                    let found = try await sandbox.shell("find run -type s")
                    let writer = ["/usr/bin/python3", Binaries.fixture("bad_client.py"), sandbox.path(found.lines[0])]
                    let last = try #require(try await sandbox.run(writer + ["change", "3000"]).number)
                    #expect(last == count + 3000)
                    try watch.resume()
                    var told = count
                    var lines = 0
                    while told < last {
                        let fields = try await watch.line().split(separator: "\t")
                        let next = try #require(Int(fields[1]))
                        #expect(next > told)
                        (told, lines) = (next, lines + 1)
                    }
                    #expect(told == last && lines < 3000)
                    #expect(String(decoding: try sandbox.read("missed"), as: UTF8.self).contains("changes were missed"))
                    try await sandbox.require("set", "next")
                    #expect(try await watch.line().hasPrefix("general\t\(last + 1)\t"))
                }
            }
        }

        @Test("It ends when the bridge does, and not as if all were well")
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

        @Test("Two watchers are told, and one that goes does not disturb the other")
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
