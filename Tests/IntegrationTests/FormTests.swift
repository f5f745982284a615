import FoundationEssentials
import TestSupport
import Testing

extension Integration {
    /// What is made of contents when somebody asks for it.
    @Suite("Forms", .requiresXvfb)
    struct FormTests {
        // MARK: Texts

        @Test("HTML that was copied has a plain text, for readers and for X clients")
        func html() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "-t", "text/html", "--text", "<p>Caf&eacute;<ul><li>one")
                #expect(try await sandbox.require("get", "-t", "text").text == "Café\n\n• one")
                #expect(try await sandbox.xclipPastes().text == "Café\n\n• one")
                #expect(try await sandbox.require("get").text == "<p>Caf&eacute;<ul><li>one")
                #expect(try await sandbox.require("types").lines == ["public.html", "public.utf8-plain-text"])
                #expect(try await sandbox.xpb("get", "--exact", "-t", "text/plain").status == 1)

                try sandbox.write("<p>from xclip".utf8, to: "in")
                try await sandbox.xclipCopies("in", as: "text/html")
                #expect(try await sandbox.require("get", "-t", "text").text == "from xclip")
                #expect(try await sandbox.require("get", "-t", "UTF8_STRING").text == "from xclip")
            }
        }

        @Test("A text goes out as compound text, and one that comes as such is read")
        func compoundText() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "日本 • €")
                let reply = try await sandbox.ask("--target", "COMPOUND_TEXT", "--out", sandbox.path("compound"))
                #expect(reply.type == "COMPOUND_TEXT")
                let compound = try sandbox.read("compound")
                #expect(compound.contains(0x1B))
                #expect(try await sandbox.require("get", "-t", "COMPOUND_TEXT").output == compound)

                let offer = ["own", "--offer", "COMPOUND_TEXT", sandbox.path("compound")]
                let before = try await sandbox.count()
                try await sandbox.withPeer(offer) { owner in
                    _ = try await owner.await("owned")
                    try await sandbox.require("wait", "--since", "\(before)", "--timeout", "60")
                    #expect(try await sandbox.require("get").text == "日本 • €")
                    #expect(try await sandbox.require("get", "-t", "COMPOUND_TEXT").output == compound)
                }
            }
        }

        @Test("A text in another encoding is offered as the text it is")
        func encodings() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "-t", "text/plain;charset=koi8-r", "-f", "-", input: [0xC1, 0xC2])
                #expect(try await sandbox.xclipPastes().text == "аб")
                #expect(try await sandbox.xclipPastes("text/plain;charset=koi8-r").output == [0xC1, 0xC2])
                #expect(try await sandbox.require("get").text == "аб")
            }
        }

        // MARK: Files, colours

        @Test("A file name that is not UTF-8, with %, #, a space and a newline, comes out as it is")
        func fileNames() async throws {
            try await Sandbox.with { sandbox in
                let name = Array("a %#?;é\n".utf8) + [0xE9]
                try sandbox.write(name, to: "name")
                let set = try await sandbox.shell(
                    "n=$(cat name; echo x); n=${n%x}; : > \"$n\"; exec xpb set --files \"$n\"")
                try #require(set.status == 0, "\(set)")
                let list = try await sandbox.xclipPastes("text/uri-list").output
                #expect(list == Array("file://\(sandbox.folder)/a%20%25%23%3F%3B%C3%A9%0A%E9\r\n".utf8))
                let path = try await sandbox.shell("xpb get -t files | /usr/bin/python3 -c \(Self.decoder)")
                #expect(path.output == Array("\(sandbox.folder)/".utf8) + name)
            }
        }

        private static let decoder =
            "'import sys,urllib.parse as u; sys.stdout.buffer.write(u.unquote_to_bytes(sys.stdin.read()[7:]))'"

        @Test("Files that were cut say so to the file managers, and are read back")
        func cut() async throws {
            try await Sandbox.with { sandbox in
                for name in ["a", "b"] { try sandbox.write([], to: name) }
                try await sandbox.require("set", "--cut", "--files", sandbox.path("a"), sandbox.path("b"))
                let list = "cut\nfile://\(sandbox.folder)/a\nfile://\(sandbox.folder)/b"
                #expect(try await sandbox.xclipPastes("x-special/gnome-copied-files").text == list)
                #expect(try await sandbox.xclipPastes("application/x-kde-cutselection").text == "1")
                #expect(try await sandbox.xclipPastes().text == "\(sandbox.folder)/a\n\(sandbox.folder)/b")
                #expect(try await sandbox.xpb("set", "--cut", "text").status == 2)
            }
        }

        @Test("Another program's files are an item each")
        func foreignFiles() async throws {
            try await Sandbox.with { sandbox in
                try sandbox.write("copy\nfile:///a\nfile:///b%20c\nfile:///d".utf8, to: "in")
                try await sandbox.xclipCopies("in", as: "x-special/gnome-copied-files")
                #expect(
                    try await sandbox.require("get", "-t", "files").lines == [
                        "file:///a", "file:///b%20c", "file:///d",
                    ])
                #expect(
                    try await sandbox.require("get", "-t", "public.file-url", "--item", "1").text == "file:///b%20c")
                #expect(try await sandbox.xpb("get", "-t", "files", "--item", "3").status == 1)
                #expect(try await sandbox.require("get", "-t", "text").text == "/a\n/b c\n/d")
                let items = try await sandbox.require("items").lines
                #expect(items.filter { $0.hasSuffix("public.file-url") } == (0...2).map { "\($0)\tpublic.file-url" })
            }
        }

        @Test("A colour is a list of four numbers of 16 bits for X clients, and CSS for people")
        func color() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "-t", "color", "--text", "#ff8000")
                let reply = try await sandbox.ask("--target", "application/x-color")
                #expect(reply.format == 16)
                #expect(reply.length == 8)
                #expect(try await sandbox.require("get", "-t", "color").text == "#ff8000")
                #expect(try await sandbox.xclipPastes().text == "#ff8000")
            }
        }

        // MARK: Filters

        /// A sandbox whose configuration has a filter from SVG to PNG that runs this script.
        private func withFilter(
            _ script: String, options: String = "", _ body: (Sandbox) async throws -> Void
        ) async throws {
            try await Sandbox.with { sandbox in
                try sandbox.write(script.utf8, to: "filter")
                let folder = sandbox.path(".config/xpb")
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                let configuration = """
                    {
                      // Drawings as pictures.
                      "filters": { "public.svg-image -> public.png": ["/bin/sh", "\(sandbox.path("filter"))"] },
                      \(options)
                    }
                    """
                try sandbox.write(configuration.utf8, to: ".config/xpb/config.json")
                try await sandbox.require("set", "-t", "image/svg+xml", "--text", "<svg/>")
                try await body(sandbox)
            }
        }

        @Test("A filter runs once for a version, when its type is asked for, and not before")
        func filter() async throws {
            try await withFilter("cd \"$HOME\"; echo run >> runs; printf 'made of '; cat") { sandbox async throws in
                #expect(try await sandbox.require("types").lines == ["public.svg-image", "public.png"])
                #expect(try await sandbox.ask("--target", "TARGETS").names?.contains("image/png") == true)
                #expect((try? sandbox.read("runs")) == nil)
                for _ in 0..<2 {
                    #expect(try await sandbox.require("get", "-t", "image/png").text == "made of <svg/>")
                    #expect(try await sandbox.xclipPastes("image/png").text == "made of <svg/>")
                }
                #expect(try sandbox.read("runs") == Array("run\n".utf8))
                #expect(try await sandbox.require("get", "-t", "image").text == "<svg/>")
            }
        }

        @Test("A filter that fails is an error that names it, and refused to X clients")
        func failing() async throws {
            try await withFilter("echo oops >&2; echo half; exit 3") { sandbox in
                let failed = try await sandbox.xpb("get", "-t", "image/png")
                #expect(failed.status == 5 && failed.output.isEmpty)
                #expect(failed.error.contains("status 3"))
                #expect(try await sandbox.ask("--target", "image/png").event == "refused")
            }
        }

        @Test("A filter that hangs holds up nobody, and is ended")
        func hanging() async throws {
            try await withFilter("echo $$ > \"$HOME/pid\"; exec sleep 1000", options: "\"filter-timeout\": 2") {
                sandbox in
                let late = try await sandbox.xpb("get", "--timeout", "0.5", "-t", "image/png")
                #expect(late.status == 3)
                #expect(try await sandbox.require("get", "-t", "image/svg+xml").text == "<svg/>")
                let ended = try await sandbox.xpb("get", "--timeout", "60", "-t", "image/png")
                #expect(ended.status == 5)
                let process = try #require(Int32(String(decoding: sandbox.read("pid"), as: UTF8.self).dropLast()))
                await ProcessTable.awaitEnd(of: process)
            }
        }

        @Test("A filter that writes without end is ended")
        func endless() async throws {
            try await withFilter("exec yes", options: "\"filter-limit\": \"1 MiB\"") { sandbox in
                let refused = try await sandbox.xpb("get", "-t", "image/png")
                #expect(refused.status == 5 && refused.error.contains("wrote more than it may"))
            }
        }

        @Test(
            "What is wrong in the settings, and that a filter complains, is in the log of a bridge that was started on demand"
        )
        func log() async throws {
            try await withFilter("echo oops >&2; exit 3", options: "\"derive\": 7") { sandbox in
                #expect(try await sandbox.xpb("get", "-t", "image/png").status == 5)
                let log = try await sandbox.shell("cat run/xpb/*.log")
                #expect(log.text.contains("config.json:4:"), "\(log)")
                #expect(log.text.contains("complains") && log.text.contains("ended with status 3"), "\(log)")
                // It may be of what was copied.
                #expect(!log.text.contains("oops"))
            }
        }

        @Test("What the settings say counts for what is on the pasteboard")
        func changed() async throws {
            try await withFilter("cat") { sandbox in
                #expect(try await sandbox.xpb("get", "-t", "image/png").status == 0)
                try sandbox.write("{\"derive\": false}".utf8, to: ".config/xpb/config.json")
                #expect(try await sandbox.xpb("get", "-t", "image/png").status == 1)
                #expect(try await sandbox.require("get", "-t", "image/svg+xml").text == "<svg/>")
            }
        }

        @Test("A filter that fails leaves the reader's next wish")
        func nextWish() async throws {
            try await withFilter("exit 3") { sandbox async throws in
                #expect(try await sandbox.require("get", "-t", "image/png", "-t", "image/svg+xml").text == "<svg/>")
            }
        }

        @Test("With deriving switched off, only what was written is on offer")
        func switchedOff() async throws {
            try await withFilter("cat", options: "\"derive\": false") { sandbox async throws in
                #expect(try await sandbox.require("types").lines == ["public.svg-image"])
                #expect(try await sandbox.xpb("get", "-t", "image/png").status == 1)
            }
        }

        // MARK: Bad input

        @Test("Names of 10 KB are not on offer, and cannot be written")
        func longNames() async throws {
            try await Sandbox.with { sandbox in
                let long = "application/x-" + String(repeating: "a", count: 10_000)
                try sandbox.write("short\0\(long)".utf8, to: "names")
                let before = try await sandbox.count()
                _ = try await sandbox.running([Binaries.fixture("names.py"), "own", sandbox.path("names")]) { owner in
                    #expect(try await owner.line() == "owned")
                    try await sandbox.require("wait", "--since", "\(before)", "--timeout", "60")
                    let targets = try await sandbox.require("types", "--targets")
                    #expect(targets.lines.contains("short"))
                    #expect(!targets.text.contains("aaaa"))
                }
                let refused = try await sandbox.xpb("set", "-t", long, "--text", "x")
                #expect(refused.status == 2)
            }
        }
    }
}
