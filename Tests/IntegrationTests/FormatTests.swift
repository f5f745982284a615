import CopyingSupport
import FoundationEssentials
import TestSupport
import Testing

extension Integration {
    /// Formats that are derived from contents on request.
    @Suite("Derived formats", .requiresXvfb)
    struct FormatTests {
        // MARK: Text

        @Test("Copied HTML can also be read as plain text, by xpb and by X clients")
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

        @Test("Text is offered as compound text, and compound text is read")
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

        @Test("Text in a different encoding is offered as text")
        func encodings() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "-t", "text/plain;charset=koi8-r", "-f", "-", input: [0xC1, 0xC2])
                #expect(try await sandbox.xclipPastes().text == "аб")
                #expect(try await sandbox.xclipPastes("text/plain;charset=koi8-r").output == [0xC1, 0xC2])
                #expect(try await sandbox.require("get").text == "аб")
            }
        }

        // MARK: Files and colors

        @Test("A file name that is not UTF-8, with %, #, a space and a newline, is unchanged")
        func fileNames() async throws {
            try await Sandbox.with { sandbox in
                _ = try await sandbox.count()
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

        @Test("Cut files are marked for the file managers and can be read")
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

        @Test("Each file of another program is an item")
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
                let textless = try await sandbox.xpb("get", "-t", "text", "--item", "1")
                #expect(textless.status == 1 && textless.error.contains("public.file-url"), "\(textless)")
                let items = try await sandbox.require("items").lines
                #expect(items.filter { $0.hasSuffix("public.file-url") } == (0...2).map { "\($0)\tpublic.file-url" })
            }
        }

        @Test("A color is four 16-bit numbers for X clients and CSS for users")
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

        /// Runs `body` in a sandbox whose configuration has a filter from SVG to PNG that runs this script.
        private func withFilter(
            _ script: String, options: String = "", _ body: (Sandbox) async throws -> Void
        ) async throws {
            try await Sandbox.with { sandbox in
                try sandbox.write(script.utf8, to: "filter")
                let configuration = """
                    {
                      // Drawings as pictures.
                      "filters": { "public.svg-image -> public.png": ["/bin/sh", "\(sandbox.path("filter"))"] },
                      \(options)
                    }
                    """
                try sandbox.writeConfiguration(configuration)
                try await sandbox.require("set", "-t", "image/svg+xml", "--text", "<svg/>")
                try await body(sandbox)
            }
        }

        @Test("A filter runs once per version, and only when its type is requested")
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

        @Test("A failing filter is reported with its status, and X clients get a refusal")
        func failing() async throws {
            try await withFilter("echo oops >&2; echo half; exit 3") { sandbox in
                let failed = try await sandbox.xpb("get", "-t", "image/png")
                #expect(failed.status == 5 && failed.output.isEmpty)
                #expect(failed.error.contains("status 3"))
                #expect(try await sandbox.ask("--target", "image/png").event == "refused")
            }
        }

        @Test("A filter that hangs delays nobody and is terminated")
        func hanging() async throws {
            try await withFilter("echo $$ > \"$HOME/pid\"; exec sleep 1000", options: "\"filter-timeout\": 5") {
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

        @Test("A filter that writes endlessly is terminated")
        func endless() async throws {
            try await withFilter("exec yes", options: "\"filter-limit\": \"1 MiB\"") { sandbox in
                let refused = try await sandbox.xpb("get", "-t", "image/png")
                #expect(refused.status == 5 && refused.error.contains("wrote more than it may"))
            }
        }

        @Test("The log of a bridge started on demand reports faults in the settings and complaints of filters")
        func log() async throws {
            try await withFilter("echo oops >&2; exit 3", options: "\"derive\": 7") { sandbox in
                #expect(try await sandbox.xpb("get", "-t", "image/png").status == 5)
                let log = try await sandbox.shell("cat run/xpb/*.log")
                #expect(log.text.contains("config.json:4:"), "\(log)")
                #expect(log.text.contains("complains") && log.text.contains("ended with status 3"), "\(log)")
                // The filter's own message may quote the contents.
                #expect(!log.text.contains("oops"))
            }
        }

        @Test("Changed settings take effect for the current contents")
        func changed() async throws {
            try await withFilter("cat") { sandbox in
                #expect(try await sandbox.xpb("get", "-t", "image/png").status == 0)
                try sandbox.writeConfiguration("{\"derive\": false}")
                #expect(try await sandbox.xpb("get", "-t", "image/png").status == 1)
                #expect(try await sandbox.require("get", "-t", "image/svg+xml").text == "<svg/>")
            }
        }

        @Test("If a filter fails, the reader's next preference is used")
        func nextWish() async throws {
            try await withFilter("exit 3") { sandbox async throws in
                #expect(try await sandbox.require("get", "-t", "image/png", "-t", "image/svg+xml").text == "<svg/>")
            }
        }

        @Test("With deriving switched off, only the written types are offered")
        func switchedOff() async throws {
            try await withFilter("cat", options: "\"derive\": false") { sandbox async throws in
                #expect(try await sandbox.require("types").lines == ["public.svg-image"])
                #expect(try await sandbox.xpb("get", "-t", "image/png").status == 1)
            }
        }

        // MARK: Bad input

        @Test("Names of 10 KB are not offered and cannot be written")
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
