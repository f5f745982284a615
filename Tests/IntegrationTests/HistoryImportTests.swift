import CopyingSupport
import Foundation
import TestSupport
import Testing

extension Integration {
    /// The commands `history import` and `history export`.
    @Suite("History import", .requiresXvfb)
    struct HistoryImportTests {
        @Test("An exported history can be imported unchanged")
        func roundTrip() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "one")
                try await sandbox.require("set", "-t", "html", "--text", "<b>two</b>", "-t", "text", "--text", "two")
                _ = try sandbox.write(0...255, to: "bytes")
                try await sandbox.require("set", "-t", "com.example.a", "-f", sandbox.path("bytes"))
                try await sandbox.require("set", "-p", "find", "four")
                try await sandbox.require("set", "--concealed", input: Array("s3cret".utf8))
                try await sandbox.require("history", "pin", "2")
                try await sandbox.require("history", "export", "-o", sandbox.path("one.jsonl"))
                let exported = try await sandbox.require("history", "export")
                #expect(exported.output == (try sandbox.read("one.jsonl")))
                #expect(exported.lines.count == 4 && !exported.text.contains("s3cret"))
                try await sandbox.require("history", "delete", "2")
                try await sandbox.require("history", "clear", "--all")
                let imported = try await sandbox.xpb("history", "import", "jsonl", input: exported.output)
                #expect(imported.error == "xpb: 4 entries imported\n")
                #expect(try await sandbox.require("history", "export").output == exported.output)
                let again = try await sandbox.xpb("history", "import", "jsonl", sandbox.path("one.jsonl"), "--json")
                #expect(again.text == #"{"added":0,"known":4,"old":0,"secret":0,"v":1}"#)
                let bytes = try #require(
                    try await sandbox.require("history", "search", "type:com.example.a").lines.first)
                let entry = try #require(bytes.split(separator: "\t").first.map(String.init))
                try await sandbox.require("history", "restore", entry)
                #expect(try await sandbox.require("get", "-t", "com.example.a").output == Array(0...255))
            }
        }

        @Test("If there is a fault anywhere, nothing is imported, and the error says what to do")
        func faults() async throws {
            try await Sandbox.with(changes: ["XPB_HISTORY_LIMIT": "1000"]) { sandbox in
                let lines = String(repeating: #"{"text":"a"}"# + "\n", count: 100) + "x\n"
                let bad = try await sandbox.xpb("history", "import", "jsonl", input: Array(lines.utf8))
                #expect(bad.status == 2 && bad.error.contains("line 101 is not an entry"))
                #expect(bad.error.contains("nothing was imported"))
                let many = (1...1_001).map { #"{"text":"entry \#($0)"}"# + "\n" }.joined()
                let tooMany = try await sandbox.xpb("history", "import", "jsonl", input: Array(many.utf8))
                #expect(tooMany.status == 6 && tooMany.error.contains("raise the setting 'history-limit'"))
                #expect(try await sandbox.xpb("history").error == "xpb: the history is empty\n")
                for (format, reason) in [
                    ("gpaste", "gpaste/history.xml cannot be read"), ("cliphist", "not installed"),
                ] {
                    let outcome = try await sandbox.changing(["PATH": sandbox.folder]).run(
                        [Binaries.folder + "/xpb", "history", "import", format])
                    #expect(outcome.status == 2 && outcome.error.contains(reason), "\(outcome)")
                }
                let empty = try await sandbox.xpb("history", "import", "jsonl")
                #expect(empty.status == 1 && empty.error == "xpb: there are no entries to import\n")
                #expect(try await sandbox.xpb("history", "import", "maccy").error.contains("'maccy'"))
            }
        }

        @Test("The histories of cliphist and CopyQ are imported by running these programs")
        func programs() async throws {
            try await Sandbox.with { sandbox in
                _ = try sandbox.write(
                    Array(
                        #"""
                        #!/bin/sh
                        case $1 in
                            list) printf '12\tthe new\n2\t[[ binary data ]]\n' ;;
                            decode) IFS='	' read -r id _; case $id in 12) printf 'the new\n' ;; *) printf '\211PNG\r\n\032\n' ;; esac ;;
                        esac
                        """#.utf8), to: "cliphist")
                _ = try sandbox.write(
                    Array(
                        #"""
                        #!/bin/sh
                        [ "$1 $2" = 'eval --' ] || exit 1
                        echo '{"types":{"text/html":"PGI+YTwvYj4=","text/plain":"YQ=="},"pinned":true}'
                        echo '{"types":{},"pinned":false}'
                        """#.utf8), to: "copyq")
                for name in ["cliphist", "copyq"] {
                    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: sandbox.path(name))
                }
                let path = "\(sandbox.folder):\(sandbox.environment["PATH"] ?? "/usr/bin:/bin")"
                let changed = sandbox.changing(["PATH": path])
                #expect(try await changed.xpb("history", "import", "cliphist").error == "xpb: 2 entries imported\n")
                #expect(try await changed.xpb("history", "import", "copyq").error == "xpb: 1 entry imported\n")
                let lines = try await changed.require("history", "--format", "{preview}|{type}|{pinned}").lines
                #expect(
                    lines.map { $0.split(separator: "|", omittingEmptySubsequences: false)[1] } == [
                        "html", "text", "image",
                    ])
                #expect(lines.first?.hasSuffix("|pinned") == true)
            }
        }

        @Test("Klipper's database is read, with its pictures, stars and times")
        func klipper() async throws {
            try await Sandbox.with { sandbox in
                let script = """
                    import os, sqlite3, sys
                    folder = sys.argv[1] + '/klipper'
                    os.makedirs(folder + '/data/b')
                    open(folder + '/data/b/1', 'wb').write(b'\\x89PNG\\r\\n\\x1a\\n')
                    base = sqlite3.connect(folder + '/history3.sqlite')
                    base.executescript('''
                        CREATE TABLE main (uuid char(40) PRIMARY KEY, added_time REAL, last_used_time REAL, mimetypes TEXT,
                            text NTEXT, starred BOOLEAN);
                        CREATE TABLE aux (uuid char(40), mimetype TEXT, data_uuid char(40), PRIMARY KEY (uuid, mimetype));
                        INSERT INTO main VALUES ('a', 1700000000.5, NULL, 'text/plain', 'old', NULL);
                        INSERT INTO main VALUES ('b', 1700000001, 1700000002, 'image/png', NULL, 1);
                        INSERT INTO main VALUES ('c', 1700000003, NULL, 'image/png', NULL, NULL);
                        INSERT INTO aux VALUES ('b', 'image/png', '1'), ('c', 'image/png', 'missing');
                        ''')
                    base.commit()
                    """
                let data = sandbox.path("data")
                let made = try await sandbox.run(["/usr/bin/python3", "-c", script, data])
                #expect(made.status == 0, "\(made)")
                let changed = sandbox.changing(["XDG_DATA_HOME": data])
                let outcome = try await changed.xpb("history", "import", "klipper")
                #expect(
                    outcome.error
                        == "xpb: 1 picture left out because of missing files\nxpb: 2 entries imported\n")
                let exported = try await changed.require("history", "export").lines
                #expect(exported.first == #"{"text":"old","time":"2023-11-14T22:13:20.500Z"}"#)
                #expect(exported.last?.contains(#""pinned":true,"time":"2023-11-14T22:13:22.000Z""#) == true)
            }
        }
    }
}
