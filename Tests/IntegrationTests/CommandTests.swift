import CopyingSupport
import TestSupport
import Testing

extension Integration {
    /// The output of each command.
    @Suite("Commands", .requiresXvfb)
    struct CommandTests {
        @Test("types lists identifiers, MIME types or X11 targets, best first")
        func types() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "-t", "text/html", "--text", "<b>x</b>", "-t", "text", "--text", "x")
                #expect(try await sandbox.require("types").lines == ["public.html", "public.utf8-plain-text"])
                #expect(try await sandbox.require("types", "--mime").lines.first == "text/html")
                let targets = try await sandbox.require("types", "--targets").lines
                #expect(targets.first == "text/html")
                #expect(targets.contains("UTF8_STRING"))
                let sizes = try await sandbox.require("types", "--sizes").lines
                #expect(sizes == ["public.html\t8", "public.utf8-plain-text\t1"])
                #expect(try await sandbox.require("types", "-0").output.contains(0))
            }
        }

        @Test("get takes types in order of preference, by identifier, MIME type, target, extension and class")
        func preference() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "-t", "text/html", "--text", "<b>x</b>", "-t", "text", "--text", "x")
                for type in ["html", "public.html", "text/html", ".html"] {
                    #expect(try await sandbox.require("get", "-t", "image", "-t", type).text == "<b>x</b>", "\(type)")
                }
                for type in ["text", "public.utf8-plain-text", "UTF8_STRING", "STRING", "text/plain", ".txt"] {
                    #expect(try await sandbox.require("get", "-t", type).text == "x", "\(type)")
                }
                #expect(try await sandbox.require("get").text == "x")
                #expect(try await sandbox.require("paste").text == "x")
            }
        }

        /// Returns the lines of `types --sizes`, and expects the size of each type to be the number of its bytes.
        private static func checkedSizes(in sandbox: Sandbox) async throws -> [String] {
            let lines = try await sandbox.require("types", "--sizes").lines
            for line in lines {
                let fields = line.split(separator: "\t").map(String.init)
                try #require(fields.count == 2, "\(line)")
                let bytes = try await sandbox.require("get", "-t", fields[0]).output
                #expect("\(bytes.count)" == fields[1], "\(line)")
            }
            return lines
        }

        @Test("A type is listed once by types, items and watch; all X11 names are listed with --targets")
        func typesOnce() async throws {
            try await Sandbox.with { sandbox in
                let latin = try sandbox.write([0x68, 0xE9], to: "latin")
                let text = try sandbox.write(Array("hé".utf8), to: "text")
                let offers = [
                    ("_EXAMPLE_PRIVATE", text), ("STRING", latin), ("UTF8_STRING", text),
                    ("text/plain;charset=utf-8", text),
                ]
                _ = try await sandbox.count()
                try await Self.withWatchers(in: sandbox) { types, targets in
                    try await sandbox.withPeer(["own"] + offers.flatMap { ["--offer", $0, $1] }) { peer in
                        _ = try await peer.await("owned")
                        let names = offers.map(\.0)
                        #expect(try await targets.line().hasSuffix("\t\(names.joined(separator: " "))"))
                        let listed = try await types.line().split(separator: "\t").last?.split(separator: " ") ?? []
                        #expect(listed.count == Set(listed).count, "\(listed)")
                        let items = try await sandbox.require("items").lines
                        #expect(items.count == Set(items).count && items.count == listed.count, "\(items)")
                        #expect(try await sandbox.require("items", "--targets").lines == names.map { "0\t\($0)" })
                        // A dynamic type has the name of its target. The size of text is measured after the conversion.
                        let sizes = try await Self.checkedSizes(in: sandbox)
                        #expect(sizes.first == "_EXAMPLE_PRIVATE\t3", "\(sizes)")
                    }
                }
            }
        }

        private static func withWatchers(
            in sandbox: Sandbox, _ body: (_ types: Running, _ targets: Running) async throws -> Void
        ) async throws {
            let watch = ["xpb", "watch", "--initial"]
            _ = try await sandbox.running(watch) { types in
                _ = try await types.line()
                _ = try await sandbox.running(watch + ["--targets"]) { targets in
                    _ = try await targets.line()
                    try await body(types, targets)
                }
            }
        }

        @Test("A bare extension is a type, cut files need no --files, and a forgotten -f - is reported")
        func firstWords() async throws {
            try await Sandbox.with { sandbox in
                // The writer of the pipe waits until xpb has ended.
                let late = "mkfifo ended; cat ended | { xpb set -t image/png --text shot; s=$?; : >ended; exit $s; }"
                let made = try await sandbox.shell(late)
                #expect(made.status == 2 && made.error.contains("xpb set -t image/png -f - --text shot"), "\(made)")
                let loop = try await sandbox.shell("printf 'one\\ntwo\\n' | while read -r line; do xpb set $line; done")
                #expect(loop.status == 0, "\(loop)")
                #expect(try await sandbox.require("get").text == "two")
                try await sandbox.require("set", "-t", "png", "-f", "-", "--text", "shot", input: [1, 2, 3])
                #expect(try await sandbox.require("get", "-t", "png").output == [1, 2, 3])
                #expect(try await sandbox.xclipPastes("image/png").output == [1, 2, 3])
                try await sandbox.require("set", "-t", "PUBLIC.PNG", "-f", "-", input: [1])
                #expect(try await sandbox.require("types").lines == ["public.png"])
                try sandbox.write([], to: "a")
                for line in [["--files", "--cut"], ["--cut"]] {
                    try await sandbox.require(["set"] + line + [sandbox.path("a")])
                    #expect(
                        try await sandbox.xclipPastes("x-special/gnome-copied-files").text
                            == "cut\nfile://\(sandbox.folder)/a")
                }
            }
        }

        @Test("The bytes of one source can have several names")
        func severalNames() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "-t", "image/png", "-t", "image/x-example", "--text", "bytes")
                #expect(try await sandbox.xclipPastes("image/png").text == "bytes")
                #expect(try await sandbox.xclipPastes("image/x-example").text == "bytes")
            }
        }

        @Test("Words are joined into one string, -n removes a final newline, and --tee passes the input on")
        func sources() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "two", "words")
                #expect(try await sandbox.require("get").output == Array("two words".utf8))
                try await sandbox.require("set", "-n", input: Array("line\n".utf8))
                #expect(try await sandbox.require("get").output == Array("line".utf8))
                let teed = try await sandbox.require("set", "--tee", input: Array("through".utf8))
                #expect(teed.text == "through")
                #expect(try await sandbox.require("get", "--newline").output == Array("through\n".utf8))
            }
        }

        @Test("--exact adds no derived names")
        func exact() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "--exact", "-t", "UTF8_STRING", "--text", "x")
                #expect(try await sandbox.require("types", "--targets").lines == ["UTF8_STRING"])
                #expect(try await sandbox.ask("--target", "STRING").event == "refused")
            }
        }

        @Test("Several items are set in one change and can be read one by one")
        func items() async throws {
            try await Sandbox.with { sandbox in
                let before = try await sandbox.count()
                try await sandbox.require(
                    "set", "--text", "one", "--next", "--text", "two", "-t", "html", "--text", "<b>two</b>")
                #expect(try await sandbox.count() == before + 1)
                #expect(try await sandbox.require("get", "--item", "1", "-t", "text").text == "two")
                #expect(
                    try await sandbox.require("items").lines
                        == ["0\tpublic.utf8-plain-text", "1\tpublic.utf8-plain-text", "1\tpublic.html"])
                #expect(try await sandbox.require("types", "--item", "0").lines == ["public.utf8-plain-text"])
            }
        }

        @Test("add extends the current contents")
        func add() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "text")
                let count = try await sandbox.count()
                try await sandbox.require("add", "-t", "image/png", "--text", "bytes")
                #expect(try await sandbox.count() == count + 1)
                #expect(try await sandbox.xclipPastes("image/png").text == "bytes")
                #expect(try await sandbox.xclipPastes().text == "text")
            }
        }

        @Test("owner names the window and process of an owner, and the program of a client")
        func owner() async throws {
            try await Sandbox.with { sandbox in
                let file = try sandbox.write(Array("text".utf8), to: "in")
                _ = try await sandbox.count()
                let owning = ["own", "--offer", "UTF8_STRING", file]
                try await sandbox.withPeer(owning) { peer in
                    let window = try #require(try await peer.await("owned").window)
                    let owner = try await sandbox.require("owner")
                    #expect(owner.lines.contains("window: 0x\(String(window, radix: 16))"), "\(owner)")
                    #expect(owner.lines.contains("process: \(peer.process.processID)"), "\(owner)")
                }
                try await sandbox.require("set", "mine")
                let owner = try await sandbox.require("owner")
                #expect(owner.text.contains("xpb"), "\(owner)")
                #expect(owner.lines.allSatisfy { $0.contains(": ") }, "\(owner)")
            }
        }

        @Test("list has a row for each pasteboard")
        func list() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "-p", "com.example.scratch", "text")
                let rows = try await sandbox.require("list").lines.map { $0.split(separator: "\t").map(String.init) }
                #expect(rows.allSatisfy { $0.count == 6 }, "\(rows)")
                #expect(rows.first { $0[0] == "general" }?[1] == "CLIPBOARD")
                #expect(rows.first { $0[0] == "find" }?[1] == "PRIMARY")
                let own = try #require(rows.first { $0[0] == "com.example.scratch" })
                #expect(own[1...3] == ["com.example.scratch", "1", "1"])
                #expect(own[5] == "session")
            }
        }

        @Test("An owner whose process has ended, as xclip's has, is named only by its window")
        func ownerWithoutProcess() async throws {
            try await Sandbox.with { sandbox in
                try sandbox.write(Array("text".utf8), to: "in")
                try await sandbox.xclipCopies("in")
                let owner = try await sandbox.require("owner")
                #expect(owner.lines.contains { $0.hasPrefix("window: ") }, "\(owner)")
                #expect(!owner.lines.contains { $0.hasPrefix("process: ") }, "\(owner)")
            }
        }

        @Test(
            "With --json, each output is one object", arguments: ["types", "items", "count", "owner", "list", "status"])
        func json(command: String) async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "text")
                let outcome = try await sandbox.require(command, "--json")
                let parsed = try await sandbox.run(
                    ["/usr/bin/python3", "-c", "import json,sys; print(json.load(sys.stdin)['v'])"],
                    input: outcome.output)
                #expect(parsed.text == "1", "\(outcome)")
            }
        }

        @Test("Text from Emacs has the type of text, not of a file, although Emacs lists FILE_NAME")
        func emacs() async throws {
            let text = "text"
            try await Self.owning([
                ("UTF8_STRING", text), ("FILE_NAME", "/tmp/buffer"), ("CHARACTER_POSITION", ""), ("LINE_NUMBER", ""),
            ]) { (sandbox: Sandbox) async throws in
                #expect(try await sandbox.require("types").lines == ["public.utf8-plain-text"])
                #expect(try await sandbox.require("get").text == text)
            }
        }

        @Test("An image copied from a web page has no text, whether a program or the bridge owns it")
        func imageOfPage() async throws {
            let offers = [("text/html", "<img src=a.png>"), ("image/png", "png")]
            try await Self.owning(offers) { (sandbox: Sandbox) async throws in
                #expect(try await sandbox.require("get", "-t", "text", "-t", "image").text == "png")
            }
            try await Sandbox.with { sandbox in
                try await sandbox.require(
                    "set", "-t", "text/html", "--text", "<img src=a.png>", "-t", "image/x-a", "--text", "png")
                let targets = try await sandbox.run(["xclip", "-o", "-selection", "clipboard", "-t", "TARGETS"]).lines
                #expect(targets.contains("text/html") && !targets.contains("UTF8_STRING"), "\(targets)")
                #expect(try await sandbox.require("get", "-t", "text", "-t", "image/x-a").text == "png")
                #expect(try await sandbox.xpb("get", "-t", "text").status == 1)
                try await sandbox.require("set", "-t", "text/html", "--text", "<p>a")
                #expect(try await sandbox.require("get", "-t", "text").text == "a")
            }
        }

        /// Runs `body` while another program owns CLIPBOARD with these offers.
        private static func owning(
            _ offers: [(target: String, text: String)], _ body: (Sandbox) async throws -> Void
        ) async throws {
            try await Sandbox.with { sandbox in
                var arguments = ["own"]
                for (number, offer) in offers.enumerated() {
                    let file = try sandbox.write(Array(offer.text.utf8), to: "offer\(number)")
                    arguments += ["--offer", offer.target, file]
                }
                try await sandbox.withPeer(arguments) { peer in
                    _ = try await peer.await("owned")
                    try await body(sandbox)
                }
            }
        }

        @Test(
            "completions writes a script for each shell, and bash accepts the script for bash",
            arguments: ["bash", "zsh", "fish"])
        func completions(shell: String) async throws {
            try await Sandbox.with { sandbox in
                let script = try await sandbox.require("completions", shell)
                #expect(script.text.contains("xpb"))
                if shell == "bash" {
                    #expect(try await sandbox.run(["bash", "-n"], input: script.output).status == 0)
                }
            }
        }

        @Test("help and version need no display and no bridge")
        func help() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                for arguments in [["--help"], ["--version"], ["set", "--help"], ["help", "get"]] {
                    let outcome = try await sandbox.run(["xpb"] + arguments)
                    #expect(outcome.status == 0 && !outcome.output.isEmpty, "\(outcome)")
                }
                #expect(sandbox.bridges().isEmpty)
            }
        }
    }
}
