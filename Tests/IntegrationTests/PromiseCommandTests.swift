import CopyingSupport
import TestSupport
import Testing

extension Integration {
    /// `set -c COMMAND`: a promise that a helper process fulfills.
    @Suite("Promised commands", .requiresXvfb)
    struct PromiseCommandTests {
        @Test("The command runs once, on the first request, in the environment of its caller")
        func once() async throws {
            try await Sandbox.with { sandbox in
                _ = try await sandbox.count()
                let script = """
                    mkdir sub; cd sub; umask 027; WORD=seen xpb set -c 'echo run >>../runs; pwd; umask; echo $WORD'
                    """
                try await sandbox.shellRequire(script)
                #expect(try await sandbox.require("items").lines == ["0\tpublic.utf8-plain-text"])
                #expect(try await sandbox.shell("ls runs").status != 0)
                for _ in 1...2 {
                    #expect(try await sandbox.require("get").lines == [sandbox.path("sub"), "0027", "seen"])
                }
                #expect(try await sandbox.xclipPastes().lines.last == "seen")
                #expect(try sandbox.read("runs") == Array("run\n".utf8))
            }
        }

        @Test("A command substitution around set -c ends, and the helper has no descriptor of the caller")
        func substitution() async throws {
            try await Sandbox.with { sandbox in
                let outcome = try await sandbox.shell("x=$(xpb set -c 'echo a' 2>&1); echo \"$? [$x]\"")
                #expect(outcome.text == "0 []")
                _ = try await sandbox.run([
                    "/bin/bash", "-c", "exec 9>nine 200>high; xpb set -c 'echo a' >out 2>err <&-",
                ])
                let helper = try #require(try await sandbox.helper())
                let open = ProcessTable.descriptors(of: helper)
                #expect((0...2).allSatisfy { open[$0] == "/dev/null" }, "\(open)")
                #expect(!open.values.contains { $0.hasPrefix("pipe:") || $0.hasPrefix(sandbox.folder) }, "\(open)")
                #expect(ProcessTable.session(of: helper) == helper)
                #expect(ProcessTable.workingDirectory(of: helper) == sandbox.folder)
            }
        }

        @Test("The helper exits when its contents are removed, and when all promises are fulfilled")
        func ends() async throws {
            try await Sandbox.with { sandbox in
                for end in ["set other", "clear", "get", "bridge stop"] {
                    try await sandbox.require("set", "-c", "echo a")
                    let helper = try #require(try await sandbox.helper())
                    #expect(try await sandbox.shell("xpb \(end)").status == 0)
                    await ProcessTable.awaitEnd(of: helper)
                }
            }
        }

        @Test("A running command serves its reader even after newer contents arrive, and no other command starts")
        func replaced() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.shellRequire("mkfifo begun go")
                try await sandbox.require(
                    "set", "-t", "html", "-c", "echo >begun; read line <go; echo $line", "-t", "text", "-c",
                    "echo >>runs")
                let helper = try #require(try await sandbox.helper())
                // The fifo is opened for both directions, so that the script cannot wait for a missing command.
                let script = """
                    xpb get -t html --timeout 60 >slow & read line <begun
                    xpb set other; xpb get; echo; exec 8<>go; echo done >&8; wait $!; echo $?; cat slow
                    """
                #expect(try await sandbox.shell(script).lines == ["other", "0", "done"])
                await ProcessTable.awaitEnd(of: helper)
                #expect(try await sandbox.shell("ls runs").status != 0)
            }
        }

        @Test("A command may write to the pasteboard, and its reader still gets its output")
        func inner() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "-c", "xpb set inner; xpb get; echo; echo outer")
                #expect(try await sandbox.require("get").lines == ["inner", "outer"])
                #expect(try await sandbox.require("get").text == "inner")
            }
        }

        @Test("A command that is running when the bridge exits is terminated", arguments: ["", "xpb set other;"])
        func bridgeEnds(before: String) async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.shellRequire("mkfifo fifo")
                try await sandbox.require("set", "-c", "echo $$ >fifo; exec sleep 1000")
                let helper = try #require(try await sandbox.helper())
                let script = """
                    xpb get --timeout 60 >/dev/null 2>&1 & read pid <fifo; \(before) xpb bridge stop; wait; echo $pid
                    """
                let outcome = try await sandbox.shell(script)
                let command = try #require(outcome.lines.last.flatMap { Int32($0) }, "\(outcome)")
                await ProcessTable.awaitEnd(of: helper)
                await ProcessTable.awaitEnd(of: command)
            }
        }

        @Test("Several types can share a promise, and several commands and other sources can be combined")
        func several() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require(
                    "set", "-t", "image/png", "-t", "image/x-example", "-c",
                    "cd '\(sandbox.folder)'; echo >>runs; echo one",
                    "-t", "html", "-c", "echo two", "-t", "text", "--text", "three")
                #expect(try await sandbox.require("get").text == "three")
                #expect(try await sandbox.xclipPastes("image/x-example").text == "one")
                #expect(try await sandbox.xclipPastes("image/png").text == "one")
                #expect(try sandbox.read("runs") == Array("\n".utf8))
                #expect(try await sandbox.require("get", "-t", "html").text == "two")
            }
        }

        @Test("A slow command does not delay readers of other types")
        func slow() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.shellRequire("mkfifo fifo begun")
                try await sandbox.require(
                    "set", "-t", "html", "-c", "echo >begun; cat fifo", "-t", "text", "-c", "echo quick", "-t", ".png",
                    "--text", "held")
                // The slow command has started and waits for the fifo while the other types are read.
                let script = """
                    xpb get -t html --timeout 60 >slow & read line <begun
                    xpb get -t text; xpb get -t .png; echo; echo done >fifo; wait; cat slow
                    """
                #expect(try await sandbox.shell(script).lines == ["quick", "held", "done"])
            }
        }

        @Test("A failing command breaks the promise, and its last line is in the reader's error")
        func fails() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "-c", "echo half; echo first >&2; echo the reason >&2; exit 3")
                let outcome = try await sandbox.xpb("get")
                #expect(outcome.status == 5 && outcome.output.isEmpty, "\(outcome)")
                #expect(
                    outcome.error.contains("status 3: the reason") && !outcome.error.contains("first"), "\(outcome)")
                try await sandbox.require("set", "-c", "printf '\\377'")
                #expect(try await sandbox.xpb("get").error.contains("-t"))
            }
        }

        @Test("-n removes one newline from the end of the output")
        func trim() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "-n", "-c", "printf 'a\\n\\n'")
                #expect(try await sandbox.require("get").output == Array("a\n".utf8))
            }
        }

        @Test("A large output is pasted byte for byte")
        func large() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.writeRandom(20_000_000, to: "big")
                try await sandbox.shellRequire("xpb set -t .png -c 'cat big' && xpb get -t .png | cmp - big")
            }
        }

        @Test("A killed helper breaks its promises")
        func killed() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "-c", "echo a")
                await ProcessTable.end(try #require(try await sandbox.helper()))
                #expect(try await sandbox.xpb("get").status == 5)
            }
        }

        @Test("A failure is reported to the caller, and leaves no process")
        func failures() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "kept")
                let refused = try await sandbox.xpb("set", "--if-count", "7", "-c", "date")
                #expect(refused.status == 6 && refused.error.contains("nothing was changed"), "\(refused)")
                let display = try await sandbox.changing(["DISPLAY": ":9999"]).xpb("set", "-c", "date")
                #expect(display.status == 4 && display.error.contains(":9999"), "\(display)")
                #expect(try await sandbox.require("get").text == "kept")
                // A helper that was started exits by itself, perhaps after its caller.
                for process in sandbox.processes() where ProcessTable.executable(of: process) == "xpb" {
                    await ProcessTable.awaitEnd(of: process)
                }
            }
        }

        @Test("Two simultaneous promises on two pasteboards are both fulfilled")
        func two() async throws {
            try await Sandbox.with { sandbox in
                _ = try await sandbox.count()
                let outcome = try await sandbox.shell(
                    "xpb set -c 'echo a' & xpb set -p find -c 'echo b' & wait; xpb get; xpb get -p find")
                #expect(outcome.lines == ["a", "b"], "\(outcome)")
            }
        }

        @Test("add -c promises one more item, and prints the counts")
        func add() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "one")
                #expect(
                    try await sandbox.require("add", "--json", "-c", "echo two").text
                        == #"{"counts":{"general":2},"v":1}"#)
                #expect(try await sandbox.require("get", "--item", "1").text == "two")
            }
        }
    }
}

extension Sandbox {
    /// Returns the helper process of the current contents.
    fileprivate func helper() async throws -> Int32? {
        try await require("owner").lines.first { $0.hasPrefix("process: ") }.flatMap { Int32($0.dropFirst(9)) }
    }

    /// Runs a script and requires success.
    fileprivate func shellRequire(_ script: String) async throws {
        let outcome = try await shell(script)
        try #require(outcome.status == 0, "\(outcome)")
    }
}
