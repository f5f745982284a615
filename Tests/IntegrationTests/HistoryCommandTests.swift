import CopyingSupport
import Foundation
import TestSupport
import Testing

extension Integration {
    /// The command `history`.
    @Suite("History", .requiresXvfb)
    struct HistoryCommandTests {
        /// The header of an image with 1920 by 1080 pixels.
        private static let png: [UInt8] =
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
            + [0, 0, 7, 0x80, 0, 0, 4, 0x38, 8, 6, 0, 0, 0]

        /// Returns the fields of each line.
        private static func rows(_ outcome: Outcome) -> [[String]] {
            outcome.lines.map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
        }

        /// Returns the ID of the latest entry.
        private static func latest(_ sandbox: Sandbox) async throws -> String {
            try #require(rows(try await sandbox.require("history", "-n", "1")).first?.first)
        }

        /// Returns the IDs of the entries, oldest first.
        private static func identifiers(_ sandbox: Sandbox) async throws -> [String] {
            rows(try await sandbox.require("history")).reversed().map { $0[0] }
        }

        @Test("Copies are listed latest first, with their counts, and equal contents once")
        func list() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "one")
                try await sandbox.require("set", "-t", "html", "--text", "<b>two</b>")
                try await sandbox.require("set", "three\nlines\u{1B}[2J")
                try await sandbox.require("set", "one")
                let count = try await sandbox.count()
                let rows = Self.rows(try await sandbox.require("history"))
                #expect(rows.allSatisfy { $0.count == 5 && Int($0[0]) != nil }, "\(rows)")
                #expect(rows.map { $0[1] } == ["one", #"three\nlines\u{1b}[2J"#, "two"])
                #expect(rows.map { $0[2] } == ["text", "text", "html"])
                #expect(rows.allSatisfy { $0[3].last?.isLetter ?? false })
                #expect(rows.map { $0[4] } == ["\(count)", "\(count - 1)", "\(count - 2)"])
                #expect(try await sandbox.require("history", "list", "-n", "2").lines.count == 2)
                #expect(try await sandbox.require("history", "-0").output.count { $0 == 0 } == 3)
            }
        }

        @Test("The entries of several pasteboards form one list, latest first, and the limit applies to that list")
        func severalPasteboards() async throws {
            try await Sandbox.with { sandbox in
                for (name, text) in [("general", "a"), ("find", "b"), ("general", "c")] {
                    try await sandbox.require("set", "-p", name, text)
                }
                let several = ["history", "list", "-p", "find", "-p", "general"]
                let all = Self.rows(try await sandbox.run(["xpb"] + several))
                #expect(all.map { $0[1] } == ["c", "b", "a"])
                let latest = Self.rows(try await sandbox.run(["xpb"] + several + ["-n", "1"]))
                #expect(latest.map { $0[1] } == ["c"])
            }
        }

        @Test("Several entries are restored as one text, in the given order, with newlines or another separator")
        func join() async throws {
            try await Sandbox.with { sandbox in
                for text in ["one", "two\n", "three"] { try await sandbox.require("set", "--text", text) }
                try await sandbox.require("set", "-t", "html", "--text", "<b>four</b>")
                let ids = try await Self.identifiers(sandbox)
                try await sandbox.require("history", "restore", ids[2], ids[1], ids[0], ids[3])
                #expect(try await sandbox.require("get").text == "three\ntwo\none\nfour")
                #expect(try await sandbox.require("history", "-n", "1").text.contains("three"))
                try await sandbox.require("history", "restore", ids[0], ids[2], "--join", " + ")
                #expect(try await sandbox.require("get").text == "one + three")
                let chosen = "\(ids[1])\n\(ids[2])\n"
                try await sandbox.require("history", "restore", "-p", "find", "--join", "", input: Array(chosen.utf8))
                #expect(try await sandbox.require("get", "-p", "find").text == "two\nthree")
            }
        }

        @Test("All items of an entry are joined, and blank texts keep their lines")
        func joinItems() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "x1")
                try await sandbox.require("add", "x2")
                try await sandbox.require("set", "--text", "\n")
                try await sandbox.require("set", "tail")
                let ids = try await Self.identifiers(sandbox).suffix(3)
                try await sandbox.require(["history", "restore"] + ids)
                #expect(try await sandbox.require("get").text == "x1\nx2\n\ntail")
            }
        }

        @Test("Several entries that are files are restored as one list of files, and with --join as their paths")
        func joinFiles() async throws {
            try await Sandbox.with { sandbox in
                for name in ["a", "b", "c"] { try sandbox.write(name.utf8, to: name) }
                try await sandbox.require("set", "--files", sandbox.path("a"), sandbox.path("b"))
                try await sandbox.require("set", "--files", sandbox.path("c"))
                let ids = try await Self.identifiers(sandbox)
                try await sandbox.require("history", "restore", ids[1], ids[0])
                let urls = try await sandbox.xclipPastes("text/uri-list").text.split(whereSeparator: \.isNewline)
                #expect(urls.map { $0.suffix(2) } == ["/c", "/a", "/b"], "\(urls)")
                try await sandbox.require("history", "restore", ids[1], ids[0], "--join", " ")
                #expect(try await sandbox.require("get").text.hasPrefix(sandbox.path("c") + " "))
            }
        }

        @Test("If an entry has no text or does not exist, nothing is joined, and nothing changes")
        func joinFails() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "one")
                try await sandbox.require("set", "-t", "image/png", input: Self.png)
                let (ids, count) = (try await Self.identifiers(sandbox), try await sandbox.count())
                let outcome = try await sandbox.xpb("history", "restore", ids[0], ids[1])
                #expect(outcome.status == 1 && outcome.error.contains("entry \(ids[1]) has no text"), "\(outcome)")
                let missing = try await sandbox.xpb("history", "restore", ids[0], "99")
                #expect(missing.status == 1 && missing.error.contains("99"), "\(missing)")
                #expect(try await sandbox.count() == count)
            }
        }

        @Test("Images are listed by size, files by name, and expiring contents not at all")
        func previews() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "-t", "image/png", "-f", "-", input: Self.png)
                for name in ["a b", "c"] { try sandbox.write([1], to: name) }
                try await sandbox.require("set", "--files", sandbox.path("a b"), sandbox.path("c"))
                try await sandbox.require("set", "--expires", "1h", "for an hour")
                let rows = Self.rows(try await sandbox.require("history"))
                #expect(rows.map { $0[1] } == ["a b, c", "[PNG 1920×1080, \(Self.png.count) bytes]"])
            }
        }

        @Test("An empty history and a search without results give status 1 and a message")
        func nothing() async throws {
            try await Sandbox.with { sandbox in
                _ = try await sandbox.count()
                let empty = try await sandbox.xpb("history")
                #expect(empty.status == 1 && empty.output.isEmpty && !empty.error.isEmpty, "\(empty)")
                try await sandbox.require("set", "one")
                let none = try await sandbox.xpb("history", "search", "nowhere")
                #expect(none.status == 1 && none.output.isEmpty && none.error.contains("nowhere"), "\(none)")
                for line in [["restore"], ["show"], ["delete"], ["pin"]] {
                    let outcome = try await sandbox.run(["xpb", "history"] + line + ["4711"])
                    #expect(outcome.status == 1 && outcome.error.contains("xpb history"), "\(outcome)")
                }
            }
        }

        @Test("Restoring an entry is a change like any other, on its own pasteboard or another")
        func restore() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "-t", "html", "--text", "<b>one</b>", "-t", "text", "--text", "one")
                let entry = try await Self.latest(sandbox)
                try await sandbox.require("set", "two")
                let count = try await sandbox.count()
                #expect(try await sandbox.xpb("history", "restore", "--if-count", "\(count - 1)", entry).status == 6)
                let restored = try await sandbox.require("history", "restore", entry)
                #expect(restored.output.isEmpty && restored.error.isEmpty, "\(restored)")
                #expect(try await sandbox.count() == count + 1)
                #expect(try await sandbox.xclipPastes().text == "one")
                #expect(try await sandbox.xclipPastes("text/html").text == "<b>one</b>")
                try await sandbox.require("history", "restore", "-p", "find", entry)
                #expect(try await sandbox.require("get", "-p", "find").text == "one")
                #expect(try await sandbox.xclipPastes(from: "primary").text == "one")
            }
        }

        @Test("A restored entry moves to the top, pinned as before and with its program, unless it is very long")
        func moved() async throws {
            try await Sandbox.with { sandbox in
                _ = try await sandbox.count()
                try await sandbox.withPeer([
                    "own", "--offer", "UTF8_STRING", sandbox.write(Array("one".utf8), to: "in"),
                ]) {
                    _ = try await $0.await("owned")
                    _ = try await sandbox.awaitStatus("captured", count: 1)
                }
                let (entry, program) = (try await Self.latest(sandbox), try await Self.program(sandbox))
                try await sandbox.require("history", "pin", entry)
                _ = try sandbox.write(Payload.random(17 << 20), to: "long")
                try await sandbox.require("set", "-t", "public.data", "--file", "long")
                let long = try await Self.latest(sandbox)
                try await sandbox.require("set", "four")
                for restored in [entry, long, entry] { try await sandbox.require("history", "restore", restored) }
                let lines = try await sandbox.require("history", "--format", "{length}").lines
                #expect(lines == ["3", "4", "\(17 << 20)"])
                #expect(try await Self.program(sandbox) == program)
                #expect(try await sandbox.require("history", "--pinned").lines.count == 1)
            }
        }

        @Test("With --stack, each paste brings the next entry, and the last entry stays")
        func stack() async throws {
            try await Sandbox.with { sandbox in
                for text in ["one", "two", "three"] { try await sandbox.require("set", text) }
                let ids = try await sandbox.require("history", "--format", "{id}").lines
                let count = try await sandbox.count()
                try await sandbox.require("history", "restore", ids[2], ids[0], ids[1], "--stack")
                #expect(try await sandbox.xclipPastes().text == "one")
                try await sandbox.require("wait", "--since", "\(count + 1)", "--timeout", "60")
                try await sandbox.require("history", "delete", ids[1])
                #expect(try await sandbox.require("get").text == "three")
                try await sandbox.require("history", "restore", ids[2], ids[0], ids[2], "--stack")
                for (text, step) in [("one", 4), ("three", 5)] {
                    #expect(try await sandbox.xclipPastes().text == text)
                    try await sandbox.require("wait", "--since", "\(count + step - 1)", "--timeout", "60")
                }
                #expect(try await sandbox.require("get").text == "one")
                try await sandbox.require("history", "restore", ids[0], ids[2], "--stack")
                try await sandbox.require("bridge", "restart")
                #expect(try await sandbox.require("get").text == "three")
                for option in ["--join=", "--paste"] {
                    let refused = try await sandbox.xpb("history", "restore", ids[2], ids[0], "--stack", option)
                    #expect(refused.status == 2 && refused.error.contains("exclude each other"), "\(refused)")
                }
                let missing = try await sandbox.xpb("history", "restore", ids[0], "99", "--stack")
                #expect(missing.status != 0 && missing.error.contains("99"), "\(missing)")
                #expect(try await sandbox.count() == count + 6)
            }
        }

        @Test("The ID of an entry lasts, however often the entry is restored")
        func lastingID() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "one")
                let entry = try await Self.latest(sandbox)
                let script = "for i in $(seq 80); do xpb history restore \(entry) || exit 1; done"
                #expect(try await sandbox.shell(script).status == 0)
                #expect(try await sandbox.require("history").lines.count == 1)
            }
        }

        /// Returns the program of the latest entry.
        private static func program(_ sandbox: Sandbox) async throws -> String {
            try await sandbox.require("history", "-n", "1", "--format", "{program}").text
        }

        @Test("IDs can come from lines that another program selected, and without IDs nothing changes")
        func pipelines() async throws {
            try await Sandbox.with { sandbox in
                for text in ["one", "two", "three"] { try await sandbox.require("set", text) }
                let chosen = try await sandbox.shell("xpb history | grep two | xpb history restore")
                #expect(chosen.status == 0, "\(chosen)")
                #expect(try await sandbox.require("get").text == "two")
                let count = try await sandbox.count()
                for script in ["xpb history | grep nothing | xpb history restore", "xpb history restore </dev/null"] {
                    let none = try await sandbox.shell(script)
                    #expect(none.status == 1 && none.output.isEmpty && none.error.isEmpty, "\(none)")
                }
                #expect(try await sandbox.shell("xpb history | xpb history restore").status == 2)
                #expect(try await sandbox.count() == count)
                #expect(try await sandbox.shell("xpb history -0 | grep -z three | xpb history delete").status == 0)
                #expect(Self.rows(try await sandbox.require("history")).map { $0[1] } == ["two", "one"])
            }
        }

        @Test("The pictures of a listing are removed by the next listing and by a deletion", arguments: [true, false])
        func iconsRemoved(byListing: Bool) async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "-t", "image/png", "-f", "-", input: Self.png)
                let icon = try await sandbox.require("history", "--format", "{icon}").lines[0]
                #expect(try await sandbox.shell("xpb get -t image | cmp - '\(icon)'").status == 0)
                try await sandbox.require("set", "text")
                if byListing {
                    try await sandbox.require("history", "-n", "1", "--format", "{icon}")
                } else {
                    try await sandbox.require("history", "delete", "1")
                }
                #expect(try await sandbox.shell("ls '\(icon)'").status != 0)
            }
        }

        @Test("A template makes rows for pickers, with the images themselves as icons in rofi")
        func format() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "-t", "image/png", "-f", "-", input: Self.png)
                try await sandbox.require("set", "text")
                // Like rofi -dmenu, the script shows each row up to NUL, and writes the chosen row without its icon.
                try sandbox.write(
                    Array(
                        """
                        #!/bin/sh
                        tee shown | tr '\\000' '\\t' | grep PNG | cut -f 1,2
                        """.utf8), to: "rofi")
                let listing = #"xpb history --format '{id}\t{preview}\0icon\x1f{icon}'"#
                let chosen = try await sandbox.shell("\(listing) | sh ./rofi | xpb history restore")
                #expect(chosen.status == 0 && chosen.error.isEmpty, "\(chosen)")
                #expect(try await sandbox.require("get", "-t", "image").output == Self.png)
                let rows = String(decoding: try sandbox.read("shown"), as: UTF8.self).split(separator: "\n")
                #expect(rows.first == "2\ttext\0icon\u{1F}", "\(rows)")
                let row = try #require(rows.last)
                #expect(row.hasPrefix("1\t[PNG 1920×1080, \(Self.png.count) bytes]\0icon\u{1F}/"), "\(row)")
                let icon = String(try #require(row.split(separator: "\u{1F}").last))
                // rofi takes a name without an extension for the name of an icon in a theme.
                #expect(icon.hasSuffix(".png"))
                #expect(
                    try await sandbox.shell("stat -c %a '\(icon)'; cat '\(icon)'").output == Array("600\n".utf8)
                        + Self.png)
                for line in [["--format", "{nothing}"], ["--format", "{id}", "--json"]] {
                    #expect(try await sandbox.run(["xpb", "history"] + line).status == 2)
                }
            }
        }

        @Test("A search finds entries that have all of its words, or that match its pattern")
        func search() async throws {
            try await Sandbox.with { sandbox in
                for text in ["a red apple", "a red car", "green apples"] { try await sandbox.require("set", text) }
                func found(_ words: String...) async throws -> [String] {
                    Self.rows(try await sandbox.require(["history", "search"] + words)).map { $0[1] }
                }
                #expect(try await found("appl") == ["green apples", "a red apple"])
                #expect(try await found("pple", "red") == ["a red apple"])
                #expect(try await found("red apple") == ["a red apple"])
                #expect(try await found("--regex", "re[de] ") == ["a red car", "a red apple"])
                #expect(try await found("\"red car\"", "after:1d", "type:text") == ["a red car"])
                #expect(try await sandbox.xpb("history", "search", "APPLE").status == 1)
                let invalid = try await sandbox.xpb("history", "search", "--regex", "(")
                #expect(invalid.status != 0 && invalid.error.contains("not a regular expression"), "\(invalid)")
                #expect(try await sandbox.xpb("history", "search", "before:soon").error.contains("2026-11-28"))
            }
        }

        @Test("A pinned entry stays in a cleared history until it is deleted")
        func pins() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "one")
                let entry = try await Self.latest(sandbox)
                for text in ["two", "three"] { try await sandbox.require("set", text) }
                #expect(try await sandbox.xpb("history", "--pinned").status == 1)
                try await sandbox.require("history", "pin", entry)
                #expect(Self.rows(try await sandbox.require("history", "--pinned")).map { $0[0] } == [entry])
                let cleared = try await sandbox.require("history", "clear", "-v")
                #expect(cleared.error.contains("deleted 2"), "\(cleared)")
                #expect(Self.rows(try await sandbox.require("history")).map { $0[1] } == ["one"])
                #expect(try await sandbox.require("get").text == "three")
                #expect(try await sandbox.xpb("undo").status == 1)
                try await sandbox.require("history", "unpin", entry)
                #expect(try await sandbox.xpb("history", "--pinned").status == 1)
                try await sandbox.require("history", "delete", entry)
                #expect(try await sandbox.xpb("history").status == 1)
            }
        }

        @Test("history clear --all deletes all entries that are not pinned, on all pasteboards")
        func clearsAll() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "pinned one")
                try await sandbox.require("history", "pin", Self.latest(sandbox))
                try await sandbox.require("set", "-p", "find", "of find")
                try await sandbox.require("set", "of general")
                try await sandbox.require("history", "clear")
                let kept = try await sandbox.require("history", "--all").text
                #expect(kept.contains("of find") && kept.contains("pinned one") && !kept.contains("of general"))
                try await sandbox.require("history", "clear", "--all")
                let left = try await sandbox.require("history", "--all")
                #expect(left.lines.count == 1 && left.text.contains("pinned one"), "\(left)")
            }
        }

        @Test("If one of several entries does not exist, none is deleted")
        func deletesAllOrNone() async throws {
            try await Sandbox.with { sandbox in
                for text in ["one", "two"] { try await sandbox.require("set", text) }
                let entry = try await Self.latest(sandbox)
                #expect(try await sandbox.xpb("history", "delete", entry, "4711").status == 1)
                #expect(try await sandbox.require("history").lines.count == 2)
            }
        }

        @Test(
            "A deleted entry stays on the pasteboard, and undo does not restore it later",
            arguments: [true, false])
        func deletesPresent(clearing: Bool) async throws {
            try await Sandbox.with { sandbox in
                for text in ["one", "two"] { try await sandbox.require("set", text) }
                if clearing {
                    try await sandbox.require("history", "clear")
                } else {
                    try await sandbox.require("history", "delete", Self.latest(sandbox))
                }
                #expect(try await sandbox.require("get").text == "two")
                try await sandbox.require("set", "three")
                // Undo reaches the contents before the deleted entry, unless all entries were deleted.
                #expect(try await sandbox.xpb("undo").status == (clearing ? 1 : 0))
                #expect(try await sandbox.require("get").text == (clearing ? "three" : "one"))
                // A new copy of the deleted text is an entry like any other.
                try await sandbox.require("set", "two")
                try await sandbox.require("set", "four")
                try await sandbox.require("undo")
                #expect(try await sandbox.require("get").text == "two")
            }
        }

        @Test("A paused history gets no entries, but undo still works")
        func pause() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "one")
                let paused = try await sandbox.require("history", "pause", "--json")
                #expect(paused.text == #"{"paused":true,"v":1}"#)
                try await sandbox.require("set", "two")
                try await sandbox.require("set", "three")
                try await sandbox.require("undo")
                #expect(try await sandbox.require("get").text == "two")
                let resumed = try await sandbox.require("history", "resume", "--json")
                #expect(resumed.text == #"{"paused":false,"v":1}"#)
                try await sandbox.require("set", "four")
                #expect(Self.rows(try await sandbox.require("history")).map { $0[1] } == ["four", "one"])
            }
        }

        @Test("A surplus word after history list and an unknown command are refused")
        func words() async throws {
            try await Sandbox.with { sandbox in
                let listed = try await sandbox.xpb("history", "list", "extra")
                #expect(listed.status == 2 && listed.error.contains("xpb history search extra"), "\(listed)")
                let command = try await sandbox.xpb("history", "extra")
                #expect(command.status == 2 && command.error.contains("no command 'extra'"), "\(command)")
            }
        }

        @Test("An entry can be shown byte for byte, and listed, without changing the pasteboard")
        func show() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require(
                    "set", "-t", "image/png", "-f", "-", "--text", "beside it", "--next", "--text", "second",
                    input: Self.png)
                let entry = try await Self.latest(sandbox)
                try await sandbox.require("set", "other")
                let count = try await sandbox.count()
                #expect(try await sandbox.require("history", "show", entry, "-t", "image").output == Self.png)
                #expect(try await sandbox.require("history", "show", entry, "-t", "text").text == "beside it")
                #expect(try await sandbox.require("history", "show", entry, "--item", "1").text == "second")
                try await sandbox.require("history", "show", entry, "-o", sandbox.path("shown.png"))
                #expect(try sandbox.read("shown.png") == Self.png)
                let items = try await sandbox.require(
                    "history", "show", "--items", input: Array("\(entry)\tx\n".utf8))
                let written = ["0\tpublic.png", "0\tpublic.utf8-plain-text", "1\tpublic.utf8-plain-text"]
                #expect(items.lines.filter(written.contains) == written)
                #expect(try await sandbox.xpb("history", "show", entry, "-t", "audio").status == 1)
                #expect(try await sandbox.count() == count)
            }
        }

        @Test("--json writes one object with all properties of each entry")
        func json() async throws {
            try await Sandbox.with { sandbox in
                for _ in 1...2 { try await sandbox.require("set", "-t", "image/png", "-f", "-", input: Self.png) }
                func object(_ arguments: String...) async throws -> [String: Any] {
                    let output = try await sandbox.require(arguments + ["--json"]).output
                    return try #require(try JSONSerialization.jsonObject(with: Data(output)) as? [String: Any])
                }
                let list = try await object("history")
                let entry = try #require((list["entries"] as? [[String: Any]])?.first)
                #expect(list["v"] as? Int == 1 && (list["entries"] as? [Any])?.count == 1)
                #expect(entry["copies"] as? Int == 2 && entry["type"] as? String == "public.png")
                #expect(entry["width"] as? Int == 1920 && entry["height"] as? Int == 1080)
                let id = try #require(entry["id"] as? Int)
                let shown = try await object("history", "show", "\(id)")
                #expect(shown["id"] as? Int == id && (shown["items"] as? [Any])?.count == 1)
                #expect(try await object("history", "delete", "\(id)")["deleted"] as? Int == 1)
            }
        }

        @Test("A reader that closes its pipe ends the listing silently")
        func closedPipe() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "one")
                // Nothing reads the other end of descriptor 4.
                let outcome = try await sandbox.shell("mkfifo p; exec 3<>p 4>p 3<&-; xpb history >&4; echo $?")
                #expect(outcome.text == "141" && outcome.error.isEmpty, "\(outcome)")
            }
        }
    }
}
