import CopyingSupport
import FoundationEssentials
import TestSupport
import Testing

extension Integration {
    /// The fast path for simple command lines, which behaves like the ordinary path.
    @Suite("The fast path", .requiresXvfb)
    struct FastPathTests {
        /// An option without an effect here, which selects the ordinary path.
        private static let ordinary = ["--timeout", "5"]

        /// Runs a line on the fast path and then on the ordinary path, and expects the same results.
        @discardableResult
        private func both(_ sandbox: Sandbox, _ line: [String], input: [UInt8] = []) async throws -> Outcome {
            let xpb = "\(Binaries.folder)/xpb"
            let plain = try await sandbox.run([xpb] + line, input: input)
            let ordinary = try await sandbox.run([xpb, line[0]] + Self.ordinary + line.dropFirst(), input: input)
            #expect(plain.status == ordinary.status, "\(plain); \(ordinary)")
            #expect(Payload.difference(plain.output, ordinary.output) == nil, "\(plain); \(ordinary)")
            #expect(plain.error == ordinary.error, "\(plain); \(ordinary)")
            return plain
        }

        @Test("On both paths, get writes the same bytes and fails in the same way")
        func get() async throws {
            let lines = [
                ["get"], ["paste", "-t", "text/html"], ["get", "-t", "image/*", "-t", "UTF8_STRING"], ["get", "-q"],
                ["get", "--exact", "-t", "STRING"], ["get", "-t", "public.png"], ["get", "-q", "-t", "video"],
                ["get", "-p", "com.example.nothing"], ["get", "-p", "primary"], ["count"], ["count", "-p", "find"],
                ["count", "-p", "com.example.nothing"],
            ]
            try await Sandbox.with { sandbox in
                for contents in [[], Array("text\n".utf8), Payload.random(1 << 20), [0x89] + Array("PNG\r\n".utf8)] {
                    try await sandbox.require("set", "--memory", input: contents)
                    for line in lines { try await both(sandbox, line) }
                    #expect(Payload.difference(try await sandbox.require("get").output, contents) == nil)
                }
                try await sandbox.require("set", "-t", "html", "--text", "<b>x</b>", "-t", "text", "--text", "x")
                for line in lines { try await both(sandbox, line) }
                try await sandbox.require("clear")
                for line in lines { try await both(sandbox, line) }
            }
        }

        @Test("On both paths, set and add make the same contents and fail in the same way")
        func set() async throws {
            let inputs = [
                [], Array("line\n".utf8), Array("dos\r\n".utf8), [0xFF, 0, 0x0A],
                [0x89] + Array("PNG\r\n\u{1A}\n".utf8),
                Array("a\0b".utf8), Array(repeating: 0x61, count: 65_536), Array(repeating: 0x61, count: 65_537),
                Payload.random(200_000),
            ]
            try await Sandbox.with { sandbox in
                try sandbox.write(Payload.random(3_000), to: "file.png")
                try sandbox.write(Array("some text\n".utf8), to: "file.txt")
                for input in inputs {
                    for line in [["set"], ["copy", "-n"], ["set", "-t", "image/png"], ["set", "-f", "-"]] {
                        try await sameContents(sandbox, line, input: input)
                    }
                }
                for line in [
                    ["set", "two", "words"], ["set", "--", "-n", "--"], ["set", ""], ["set", "--text", "x", "-n"],
                    ["set", "-f", "file.txt"], ["set", "-n", "-f", "file.txt"], ["set", "-f", "file.png"],
                    ["set", "-t", "text/html", "-t", "public.utf8-plain-text", "x"], ["set", "-f", "missing"],
                    ["set", "-f", "."], ["set", "-t", "image/png", "-f", "/dev/null"], ["set", "-p", "find", "x"],
                    ["set", "-p", "com.example.a", "x"], ["add", "more"],
                    ["add", "-p", "com.example.a", "-f", "file.txt"],
                ] {
                    try await sameContents(sandbox, line)
                }
            }
        }

        /// Runs a line on both paths, and compares the resulting contents.
        private func sameContents(_ sandbox: Sandbox, _ line: [String], input: [UInt8] = []) async throws {
            let place = line.firstIndex(of: "-p").map { line[$0...($0 + 1)].joined(separator: " ") } ?? ""
            // One script runs all commands, because the tests take a long time to start a process.
            let script = """
                xpb set \(place) before </dev/null
                xpb "$@"; echo "changed: $?"
                xpb types --targets --sizes \(place); echo "types: $?"
                xpb items \(place); echo "items: $?"
                xpb get \(Self.ordinary.joined(separator: " ")) \(place); echo "got: $?"
                """
            func contents(after way: [String]) async throws -> Outcome {
                let words = [line[0]] + way + line.dropFirst()
                return try await sandbox.run(["/bin/sh", "-c", script, "sh"] + words, input: input)
            }
            let (plain, ordinary) = (try await contents(after: []), try await contents(after: Self.ordinary))
            #expect(plain.error == ordinary.error, "\(line)")
            #expect(Payload.difference(plain.output, ordinary.output) == nil, "\(plain); \(ordinary)")
        }

        @Test("Both paths start a bridge if necessary, and fail in the same way")
        func starts() async throws {
            try await Sandbox.with { sandbox in
                for line in [["set", "x"], ["get"], ["get", "-q"], ["add", "-q", "x"], ["count"]] {
                    let script = ["/bin/sh", "-c", "XPB_XPBD=missing xpb \"$@\"; echo $?", "sh"]
                    let plain = try await sandbox.run(script + line)
                    let ordinary = try await sandbox.run(script + [line[0]] + Self.ordinary + line.dropFirst())
                    #expect(plain.text == "4" && ordinary.text == "4", "\(line): \(plain); \(ordinary)")
                    #expect(plain.error == ordinary.error, "\(line)")
                }
                func restarted(_ line: String..., input: String = "") async throws -> Outcome {
                    try await sandbox.require("bridge", "stop")
                    return try await sandbox.run(["\(Binaries.folder)/xpb"] + line, input: Array(input.utf8))
                }
                try await sandbox.require("set", "-n", input: Array("one\n".utf8))
                #expect(try await restarted("get").text == "one")
                #expect(try await restarted("add", input: " two").status == 0)
                #expect(try await restarted("count").text == "2")
                let missing = try await restarted("get", "-t", "text/html")
                #expect(missing.status == 1 && missing.text.isEmpty && missing.error.contains("on offer"), "\(missing)")
                #expect(try await restarted("paste", "-p", "com.example.nothing").status == 1)
            }
        }

        @Test("On both paths, failures of standard output and appending to a file have the same results")
        func outputs() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "--memory", "-t", "public.data", input: Payload.random(1 << 20))
                try sandbox.write(Array("before\n".utf8), to: "log")
                for script in [
                    "xpb \"$@\" >/dev/full; echo $?", "xpb \"$@\" >&-; echo $?",
                    "{ xpb \"$@\"; echo $? >&2; } | true",
                    "trap '' PIPE; { xpb \"$@\"; echo $? >&2; } | true",
                    "cp log appended; xpb \"$@\" >>appended; echo $?; cksum <appended",
                ] {
                    let plain = try await sandbox.shell(script, "get")
                    let ordinary = try await sandbox.shell(script, "get", "--timeout", "5")
                    #expect(plain.text == ordinary.text, "\(script)")
                    #expect(plain.error == ordinary.error, "\(script)")
                }
            }
        }

        @Test("A reader of a promise waits on the ordinary path, and the command runs once")
        func promise() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "-c", "echo asked >>asked; sleep 1; echo kept")
                #expect(try await sandbox.require("get").text == "kept")
                #expect(try sandbox.read("asked") == Array("asked\n".utf8))
            }
        }

        @Test("A secret, which arrives differently from other bytes, is written")
        func secret() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "--concealed", input: Array("secret".utf8))
                #expect(try await both(sandbox, ["get"]).text == "secret")
            }
        }

        @Test("The bridge gets the authority, and a folder that others can enter is refused")
        func environment() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "x")
                let authority = try sandbox.write([], to: "authority")
                #expect(try await both(sandbox.changing(["XAUTHORITY": authority]), ["get"]).text == "x")
                #expect(try await both(sandbox.changing(["XAUTHORITY": "/tmp/a\"b"]), ["get"]).text == "x")
                try #require(await sandbox.shell("chmod 755 run/xpb").status == 0)
                #expect(try await both(sandbox, ["get"]).status == 4)
                try #require(await sandbox.shell("chmod 700 run/xpb").status == 0)
                #expect(try await both(sandbox.changing(["DISPLAY": "nothing"]), ["get"]).status == 4)
            }
        }

        /// The start of a call on the fast path. The ordinary path's encoder writes members in no fixed order.
        private static let head = #"{"method":"org.xpb.Pasteboard.Get","parameters":{"pasteboard":"general","timeout":"#

        @Test(
            "An answer that the fast path does not understand is passed on, without a second call",
            arguments: [
                [#"{"error":"org.xpb.Pasteboard.Empty","parameters":{"message":"nothing is here"}}\0"#],
                [#"{"error":"org.xpb.Pasteboard.Empty","para"#, #"meters":{"message":"nothing is here"}}\0"#],
                [#"{ "parameters" : {"message":"nothing is here"}, "error":"org.xpb.Pasteboard.Empty"}\0"#],
                ["", #"{"error":"org.xpb.Pasteboard.Empty","parameters":{"message":"nothing is here"}}\0"#],
            ])
        func answers(pieces: [String]) async throws {
            try await Sandbox.with(display: ":4242") { sandbox in
                let command = [Binaries.fixture("answering.py"), "\(sandbox.runtimeFolder)/xpb/:4242.sock"] + pieces
                _ = try await sandbox.running(command) { bridge in
                    #expect(try await bridge.line() == "ready")
                    let outcome = try await sandbox.xpb("get")
                    #expect(outcome.status == 1)
                    #expect(outcome.error == "xpb: nothing is here\n")
                    let calls = try JSONDecoder().decode([String].self, from: Data(try await bridge.line().utf8))
                    #expect(calls.count == 1)
                    #expect(calls.first?.hasPrefix(Self.head) == true, "\(calls)")
                }
            }
        }
    }
}
