import CopyingSupport
import TestSupport
import Testing

extension Integration {
    /// All representations, and a manifest, in a folder.
    @Suite("get --all", .requiresXvfb)
    struct GetAllTests {
        @Test("get --all writes every representation and a manifest to a new folder")
        func getAll() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.setWholeContents()
                try await sandbox.require("get", "--all", sandbox.path("all"))
                let listed = try await sandbox.run([
                    "/usr/bin/python3", "-c",
                    """
                    import json,os
                    m=json.load(open('all/manifest.json'))
                    assert m['v'] == 1 and m['pasteboard'] == 'general' and m['count'] == 1
                    for r in m['representations']:
                        b=open('all/'+r['file']).read()
                        assert len(b) == r['length']
                        print(r['item'], r.get('target'), r['exact'], b)
                    files=['manifest.json']+[r['file'] for r in m['representations']]
                    print(sorted(os.listdir('all')) == sorted(files))
                    """,
                ])
                #expect(
                    listed.lines == [
                        "0 None False <b>x</b>", "0 X-Kaya/Note; v=2 False note", "1 application/rtf False {\\rtf1}",
                        "1 None False ", "True",
                    ], "\(listed)")
            }
        }

        @Test("get --all writes only to an empty folder")
        func folders() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.setWholeContents()
                let inside = try await sandbox.shell("mkdir e && cd e && xpb get --all . && ls -A | wc -l")
                #expect(inside.text == "5", "\(inside)")
                for path in ["e", "e/manifest.json", "no/folder"] {
                    let outcome = try await sandbox.xpb("get", "--all", sandbox.path(path))
                    #expect(outcome.status == 2 && outcome.error.contains(path), "\(outcome)")
                }
                #expect(try await sandbox.shell("ls -A e | wc -l").text == "5")
                #expect(try await sandbox.xpb("get", "-p", "find", "--all", sandbox.path("none")).status == 1)
                #expect(try await sandbox.shell("ls -A | grep -v -e run -e '^.local$' -e '^e$'").text == "")
            }
        }

        @Test("get --all leaves nothing on a full disk")
        func fullDisk() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "-t", ".png", "-f", "-", input: Payload.random(4 << 20))
                let outcome = try await sandbox.run(
                    ["/bin/bash", "-c", "trap '' XFSZ; ulimit -f 1024; xpb get --all out"])
                #expect(outcome.status == 5 && outcome.error.contains("out"), "\(outcome)")
                #expect(try await sandbox.shell("ls -A | grep -v -e run -e '^.local$'").text == "")
            }
        }

        @Test("Failed representations show in the manifest and the status, and other representations are written")
        func missing() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "-t", ".png", "-c", "echo no >&2; exit 3", "-t", "text", "--text", "x")
                let outcome = try await sandbox.xpb("get", "--all", sandbox.path("all"))
                #expect(outcome.status == 5 && outcome.error.contains("public.png"), "\(outcome)")
                #expect(try sandbox.read("all/0-utf8-plain-text.txt") == Array("x".utf8))
                let missing = try await sandbox.shell("grep missing all/manifest.json")
                #expect(missing.text.contains("status 3: no"), "\(missing)")
                let dump = try await sandbox.xpb("dump")
                #expect(dump.status == 5 && dump.output.isEmpty, "\(dump)")
            }
        }
    }
}
