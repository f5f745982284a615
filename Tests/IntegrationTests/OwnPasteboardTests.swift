import CopyingSupport
import TestSupport
import Testing

extension Integration {
    /// `create`, `remove`, and commands for several pasteboards.
    @Suite("Pasteboards of apps", .requiresXvfb)
    struct OwnPasteboardTests {
        @Test("create makes a lasting pasteboard, prints its name, and leaves an existing one unchanged")
        func create() async throws {
            try await Sandbox.with { sandbox in
                #expect(try await sandbox.require("create", "com.example.own").text == "com.example.own")
                #expect(try await sandbox.names().contains("com.example.own"))
                try await sandbox.require("set", "-p", "com.example.own", "kept")
                #expect(try await sandbox.require("create", "com.example.own").text == "com.example.own")
                #expect(try await sandbox.require("get", "-p", "com.example.own").text == "kept")
                #expect(try await sandbox.require("create", "CLIPBOARD").text == "general")
                #expect(
                    try await sandbox.require("create", "--json", "com.example.own").text
                        == #"{"created":false,"pasteboard":"com.example.own","v":1}"#)
            }
        }

        @Test("create --unique makes pasteboards with unused names")
        func unique() async throws {
            try await Sandbox.with { sandbox in
                let names = [
                    try await sandbox.require("create", "--unique").text,
                    try await sandbox.require("create", "--unique").text,
                ]
                #expect(names[0] != names[1])
                #expect(try await Set(sandbox.names()).isSuperset(of: names))
                try await sandbox.require("set", "-p", names[0], "text")
                #expect(try await sandbox.require("get", "-p", names[0]).text == "text")
                #expect(try await sandbox.xpb("get", "-p", names[1]).status == 1)
            }
        }

        @Test("A pasteboard made with create --persistent is listed as persistent, and stays persistent")
        func persistent() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("create", "com.example.own")
                #expect(try await sandbox.row("com.example.own")?.last == "session")
                try await sandbox.require("create", "--persistent", "com.example.own")
                try await sandbox.require("create", "com.example.own")
                #expect(try await sandbox.row("com.example.own")?.last == "persistent")
            }
        }

        @Test(
            "Without a store, create --persistent is refused, and contents last until the bridge ends",
            arguments: ["unusable", "unset", "off"])
        func cannotPersist(kind: String) async throws {
            let changes: [String: String?] =
                switch kind {
                case "unusable": ["XDG_STATE_HOME": "/dev/null"]
                case "unset": ["HOME": nil]
                default: ["XPB_PERSIST": "false"]
                }
            let reason = ["unusable": "/dev/null", "unset": "XDG_STATE_HOME", "off": "'persist'"][kind] ?? ""
            try await Sandbox.with(changes: changes) { sandbox in
                try await sandbox.require("create", "com.example.session")
                for arguments in [["com.example.own"], ["com.example.session"], ["--unique"]] {
                    let outcome = try await sandbox.run(
                        ["\(Binaries.folder)/xpb", "create", "--persistent"] + arguments)
                    #expect(outcome.status == 6 && outcome.output.isEmpty, "\(outcome)")
                    #expect(outcome.error.contains("cannot be persistent"), "\(outcome)")
                    #expect(outcome.error.contains(reason), "\(outcome)")
                }
                #expect(try await sandbox.row("com.example.own") == nil)
                #expect(try await sandbox.row("com.example.session")?.last == "session")
                // System pasteboards always exist.
                try await sandbox.require("create", "--persistent", "general")
                try await sandbox.require("set", "text")
                #expect(try await sandbox.require("get").text == "text")
                let status = try await sandbox.require("status")
                #expect(status.lines.contains { $0.hasPrefix("store: none, ") && $0.contains(reason) }, "\(status)")
                // Status does not warn a user who switched the store off.
                #expect(status.error.contains("outlive the bridge") == (kind != "off"), "\(status)")
            }
        }

        @Test("remove removes existing pasteboards and reports missing pasteboards")
        func remove() async throws {
            try await Sandbox.with { sandbox in
                for name in ["com.example.a", "com.example.b"] { try await sandbox.require("create", name) }
                let outcome = try await sandbox.xpb(
                    "remove", "com.example.none", "com.example.a", "-p", "com.example.b")
                #expect(outcome.status == 1 && outcome.error.contains("com.example.none"), "\(outcome)")
                #expect(try await !sandbox.names().contains { $0.hasPrefix("com.example.") })
                #expect(try await sandbox.xpb("remove", "com.example.a").status == 1)
            }
        }

        @Test("A call that names a system pasteboard removes no pasteboard at all")
        func system() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("create", "com.example.a")
                for name in ["general", "clipboard", "find", "secondary"] {
                    let outcome = try await sandbox.xpb("remove", "com.example.a", name)
                    #expect(outcome.status == 6 && outcome.error.contains("system"), "\(outcome)")
                }
                #expect(try await sandbox.names().contains("com.example.a"))
            }
        }

        @Test("items of several pasteboards has a column for the pasteboard, and reports empty pasteboards")
        func severalItems() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "-t", ".gif", "--text", "a", "--next", "b")
                try await sandbox.require("set", "-p", "com.example.own", "-t", ".png", "--text", "c")
                let rows = [
                    "general\t0\tcom.compuserve.gif", "general\t1\tpublic.utf8-plain-text",
                    "com.example.own\t0\tpublic.png",
                ]
                #expect(try await sandbox.require("items", "-p", "general", "-p", "com.example.own").lines == rows)
                #expect(try await sandbox.require("items", "--all").lines == rows)
                let some = try await sandbox.xpb("items", "-p", "find", "-p", "com.example.own")
                #expect(some.status == 1 && some.lines == [rows[2]] && some.error.contains("find"), "\(some)")
                #expect(
                    try await sandbox.require("items").lines == ["0\tcom.compuserve.gif", "1\tpublic.utf8-plain-text"])
            }
        }

        @Test("items --all --json has every pasteboard; without contents, items --all exits with status 1")
        func allItems() async throws {
            try await Sandbox.with { sandbox in
                _ = try await sandbox.count()
                let nothing = try await sandbox.xpb("items", "--all")
                #expect(nothing.status == 1 && nothing.output.isEmpty, "\(nothing)")
                try await sandbox.require("set", "text")
                let parsed = try await sandbox.run(
                    [
                        "/usr/bin/python3", "-c",
                        """
                        import json,sys
                        for p in json.load(sys.stdin)['pasteboards']:
                            print(p['pasteboard'], p['count'], len(p['items']))
                        """,
                    ], input: try await sandbox.require("items", "--all", "--json").output)
                #expect(Set(parsed.lines) == ["general 1 1", "find 0 0", "secondary 0 0"], "\(parsed)")
            }
        }

        @Test("count, set, add and clear take several pasteboards")
        func several() async throws {
            try await Sandbox.with { sandbox in
                let both = ["-p", "general", "-p", "com.example.own"]
                try await sandbox.require(["set"] + both + ["text"])
                try await sandbox.require(["add"] + both + ["more"])
                #expect(try await sandbox.require(["count"] + both).lines == ["2", "2"])
                #expect(try await sandbox.require("get", "-p", "com.example.own", "--item", "1").text == "more")
                try await sandbox.require(["clear"] + both)
                #expect(try await sandbox.xpb("get", "-p", "com.example.own").status == 1)
            }
        }

        @Test("set, add, clear and load with --if-count change nothing if the count differs")
        func ifCount() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "text")
                let file = sandbox.path("archive")
                try await sandbox.require("dump", "-o", file)
                let count = try await sandbox.count()
                for command in [["set", "x"], ["set", "-c", "date"], ["add", "x"], ["clear"], ["load", file]] {
                    let outcome = try await sandbox.run(["xpb"] + command + ["--if-count", "\(count + 1)"])
                    #expect(outcome.status == 6 && outcome.error.contains("\(count)"), "\(outcome)")
                }
                #expect(try await sandbox.count() == count)
                try await sandbox.require("add", "x", "--if-count", "\(count)")
                try await sandbox.require("clear", "--if-count", "\(count + 1)")
                #expect(try await sandbox.count() == count + 2)
            }
        }

        @Test("add --item adds to an existing item, and replaces a representation of the same type")
        func intoItem() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "one", "--next", "two")
                try await sandbox.require("add", "--item", "1", "-t", "html", "--text", "<b>2</b>")
                try await sandbox.require("add", "--item", "0", "first")
                #expect(
                    try await sandbox.require("items").lines
                        == ["0\tpublic.utf8-plain-text", "1\tpublic.utf8-plain-text", "1\tpublic.html"])
                #expect(try await sandbox.require("get", "--item", "0").text == "first")
                #expect(try await sandbox.require("get", "--item", "1", "-t", "html").text == "<b>2</b>")
                #expect(try await sandbox.require("get", "--item", "1", "-t", "image", "-t", "text").text == "two")
                let missing = try await sandbox.xpb("add", "--item", "2", "x")
                #expect(missing.status == 1 && missing.error.contains("2 items"), "\(missing)")
                #expect(try await sandbox.xpb("get", "--item", "2").status == 1)
            }
        }

        @Test("Contents with an expiry are removed when they expire, and other contents stay")
        func expires() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "-p", "find", "--expires", "100d", "stays")
                let count = try await sandbox.count() + 2
                try await sandbox.require("set", "--expires", "0.2s", "goes")
                try await sandbox.require("wait", "--since", "\(count - 1)", "--timeout", "60")
                #expect(try await sandbox.xpb("get").status == 1)
                #expect(try await sandbox.count() == count)
                #expect(try await sandbox.require("get", "-p", "find").text == "stays")
                // An archive has no expiry, so load has an option for the expiry.
                try await sandbox.require("set", "again")
                let archive = try await sandbox.require("dump").output
                try await sandbox.require("load", "--expires", "0.2s", "--local-only", input: archive)
                try await sandbox.require("wait", "--since", "\(count + 2)", "--timeout", "60")
                #expect(try await sandbox.xpb("get").status == 1)
                try await sandbox.require("set", "--local-only", "here")
                #expect(try await sandbox.require("get").text == "here")
            }
        }
    }
}

extension Sandbox {
    /// Returns the names of the pasteboards.
    fileprivate func names() async throws -> [String] {
        try await require("list").lines.map { String($0.prefix { $0 != "\t" }) }
    }

    /// Returns the fields of a pasteboard's row in `list`, or nil if there is no such row.
    fileprivate func row(_ name: String) async throws -> [String]? {
        try await require("list").lines.map { $0.split(separator: "\t").map(String.init) }.first { $0[0] == name }
    }
}
