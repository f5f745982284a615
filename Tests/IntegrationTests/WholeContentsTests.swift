import CopyingSupport
import TestSupport
import Testing

extension Integration {
    /// `get --all`, `dump`, `load` and `with`.
    @Suite("Whole contents", .requiresXvfb)
    struct WholeContentsTests {
        /// Sets two items with two representations each, one of them under an unknown name.
        private static func fill(_ sandbox: Sandbox, _ pasteboard: String = "general") async throws {
            try await sandbox.require(
                "set", "-p", pasteboard, "-t", "html", "--text", "<b>x</b>", "-t", "X-Kaya/Note; v=2", "--text", "note",
                "--next", "-t", "application/rtf", "--text", "{\\rtf1}", "-t", "text", "--text", "")
        }

        // MARK: get --all

        @Test("get --all writes every representation and a manifest to a new folder")
        func getAll() async throws {
            try await Sandbox.with { sandbox in
                try await Self.fill(sandbox)
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
                try await Self.fill(sandbox)
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

        @Test("Failed representations are in the manifest and the status, and the others are written")
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

        /// A limit of 256 KiB on the length of a call, a sixteenth of the default. Thousands of items exceed it; the
        /// default takes tens of thousands, and most of a minute.
        private static let shortCalls: [String: String?] = ["XPB_LIMIT_MESSAGE": "262144"]

        // MARK: dump and load

        @Test("load restores the contents of a dump, byte for byte, under the same names")
        func roundTrip() async throws {
            try await Sandbox.with { sandbox in
                try await Self.fill(sandbox)
                try await sandbox.require("dump", "-o", sandbox.path("one"))
                let items = try await sandbox.require("items").lines
                let targets = try await sandbox.require("types", "--targets").lines
                try await sandbox.require("clear")
                let loaded = try await sandbox.shell(
                    "xpb load <one && xpb load -p com.example.own one && xpb dump >two")
                #expect(loaded.status == 0, "\(loaded)")
                try await sandbox.expectSame("one", "two")
                try await sandbox.require("dump", "-p", "com.example.own", "-o", sandbox.path("three"))
                try await sandbox.expectSame("one", "three")
                #expect(try await sandbox.require("items").lines == items)
                #expect(try await sandbox.require("types", "--targets").lines == targets)
                #expect(try await sandbox.xclipPastes("X-Kaya/Note; v=2").text == "note")
            }
        }

        @Test("Representations offered under one name only stay so")
        func exact() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "--exact", "-t", "UTF8_STRING", "--text", "x")
                let archive = try await sandbox.require("dump").output
                try await sandbox.require("load", input: archive)
                #expect(try await sandbox.require("types", "--targets").lines == ["UTF8_STRING"])
            }
        }

        @Test("Contents of another program are dumped, each target once")
        func foreign() async throws {
            try await Sandbox.with { sandbox in
                let payload = Payload.random(300_000)
                try sandbox.write(payload, to: "in")
                try await sandbox.xclipCopies("in", as: "image/x-Example")
                let archive = try await sandbox.require("dump").output
                try await sandbox.require("load", "-p", "find", input: archive)
                #expect(try await sandbox.xclipPastes("image/x-Example", from: "primary").output == payload)
            }
        }

        @Test("A target that its owner refuses is left out; one that it does not answer is an error")
        func refusing() async throws {
            try await Sandbox.with { sandbox in
                let file = try sandbox.write(Array("text".utf8), to: "in")
                _ = try await sandbox.count()
                let owning = ["own", "--offer", "UTF8_STRING", file, "--offer", "X-B", file, "--refuse", "X-B"]
                try await sandbox.withPeer(owning) { peer in
                    _ = try await peer.await("owned")
                    let archive = try await sandbox.require("dump").output
                    #expect(!String(decoding: archive, as: UTF8.self).contains("X-B"))
                    try await sandbox.require("with", "--", "xpb", "set", "inner")
                    #expect(try await sandbox.require("get").text == "text")
                }
                try await sandbox.withPeer(["own", "--offer", "X-A", file, "--silent-for", "X-A"]) { peer in
                    _ = try await peer.await("owned")
                    let silent = try await sandbox.xpb("with", "--timeout", "0.5", "--", "xpb", "set", "inner")
                    #expect(silent.status != 0 && silent.error.contains("was not run"), "\(silent)")
                }
            }
        }

        @Test("A damaged, incomplete or invalid archive changes nothing")
        func damaged() async throws {
            try await Sandbox.with { sandbox in
                try await Self.fill(sandbox)
                let archive = try await sandbox.require("dump").output
                let count = try await sandbox.count()
                for (bytes, status) in [
                    (Array(archive.dropLast()), 5), (archive + [0], 5), (Array(archive.prefix(20)), 5),
                    (Array("text".utf8), 2), ([], 2), (Array("xpb-items 1\n{\"items\":[]}\n".utf8), 2),
                    (Array("xpb-items 1\n{\"items\":[{\"representations\":[]}]}\n".utf8), 2),
                ] as [([UInt8], Int32)] {
                    let outcome = try await sandbox.xpb("load", input: bytes)
                    #expect(outcome.status == status && outcome.error.contains("nothing was changed"), "\(outcome)")
                }
                #expect(try await sandbox.xpb("load", "no-file").status == 2)
                #expect(try await sandbox.count() == count)
            }
        }

        @Test("load and set refuse more items than a call can have, and change nothing")
        func tooMany() async throws {
            try await Sandbox.with(changes: Self.shortCalls) { sandbox in
                try await sandbox.require("set", "kept")
                let item = #"{"representations":[{"type":"public.utf8-plain-text","length":0}]}"#
                let archive =
                    #"xpb-items 1\#n{"items":["# + Array(repeating: item, count: 3_750).joined(separator: ",")
                let outcomes = [
                    try await sandbox.xpb("load", "--timeout", "60", input: Array((archive + "]}\n").utf8)),
                    try await sandbox.shell("touch f; xpb set --timeout 60 --files $(seq 3750 | sed 's/.*/f/')"),
                    try await sandbox.shell("xpb set --timeout 60 -c date --next --files $(seq 3750 | sed 's/.*/f/')"),
                ]
                for outcome in outcomes {
                    #expect(outcome.status == 6, "\(outcome)")
                    #expect(outcome.error.contains("too many items for one call"), "\(outcome)")
                }
                #expect(try await sandbox.require("get").text == "kept")
            }
        }

        @Test("A reader that closes its pipe ends dump as SIGPIPE does, and a full disk makes it fail")
        func brokenOutput() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "-t", ".png", "-f", "-", input: Payload.random(4 << 20))
                let script = "{ xpb dump; echo $? >status; } | head -c 10 >/dev/null; cat status"
                #expect(try await sandbox.shell(script).text == "141")
                #expect(try await sandbox.shell("xpb dump >/dev/full").status == 5)
                #expect(try await sandbox.xpb("dump", "-o", sandbox.path("no/file")).status == 2)
                #expect(try await sandbox.xpb("dump", "-p", "find").status == 1)
            }
        }

        @Test(
            "A large archive passes through a pipe without a copy in memory",
            .enabled(if: !Binaries.areSanitized, "a sanitizer maps terabytes"))
        func large() async throws {
            try await Sandbox.with { sandbox in
                let size = Large.isWanted ? 1 << 30 : 64 << 20
                try await sandbox.writeRandom(size, to: "big")
                try await sandbox.require("set", "-t", ".png", "-f", sandbox.path("big"))
                let script = """
                    /usr/bin/env bash -c 'ulimit -v 2000000; xpb dump' | xpb load -p find &&
                        xpb get -p find -t .png | cmp - big
                    """
                let outcome = try await sandbox.shell(script)
                #expect(outcome.status == 0, "\(outcome)")
            }
        }

        // MARK: with

        @Test("with restores the contents however the command ends, and has its status")
        func with() async throws {
            try await Sandbox.with { sandbox in
                try await Self.fill(sandbox)
                let before = try await sandbox.require("dump").output
                for (command, status) in [
                    ("xpb set inner && xpb get", 0), ("xpb set inner; exit 7", 7), ("xpb clear", 0),
                    ("xpb set inner; kill -TERM $$", 143),
                ] as [(String, Int32)] {
                    let outcome = try await sandbox.xpb("with", "--", "sh", "-c", command)
                    #expect(outcome.status == status && outcome.error.isEmpty, "\(outcome)")
                    #expect(try await sandbox.require("dump").output == before, "\(command)")
                }
            }
        }

        @Test("with changes nothing after a command that changed nothing, and restores foreign contents")
        func unchanged() async throws {
            try await Sandbox.with { sandbox in
                try sandbox.write(Array("foreign".utf8), to: "in")
                try await sandbox.xclipCopies("in")
                let count = try await sandbox.count()
                #expect(try await sandbox.require("with", "--", "xpb", "get").text == "foreign")
                #expect(try await sandbox.count() == count)
                #expect(try await sandbox.require("owner").text.contains("window"))
                try await sandbox.require("with", "--", "xpb", "set", "inner")
                #expect(try await sandbox.xclipPastes().text == "foreign")
            }
        }

        @Test("with clears pasteboards that were empty, and removes those that did not exist")
        func nothingThere() async throws {
            try await Sandbox.with { sandbox in
                let own = ["-p", "general", "-p", "com.example.own"]
                let script = "xpb set a; xpb set -p com.example.own b"
                try await sandbox.require(["with"] + own + ["--", "sh", "-c", script])
                #expect(try await sandbox.xpb("get").status == 1)
                #expect(try await !sandbox.require("list").text.contains("com.example.own"))
            }
        }

        @Test(
            "with passes signals to the command, and then restores the contents",
            arguments: ["INT", "TERM", "HUP", "QUIT"])
        func interrupted(signal: String) async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "kept")
                // Python starts the command, because a shell makes background commands ignore SIGINT.
                let script = """
                    import os, signal, subprocess, sys
                    reading, writing = os.pipe()
                    child = subprocess.Popen(
                        ['xpb', 'with', '--', 'sh', '-c', 'xpb set inner; echo >&%d; exec sleep 1000' % writing],
                        pass_fds=[writing])
                    os.close(writing)
                    os.read(reading, 1)
                    child.send_signal(getattr(signal, 'SIG' + sys.argv[1]))
                    print(child.wait())
                    """
                let outcome = try await sandbox.run(["/usr/bin/python3", "-c", script, signal])
                let number = ["HUP": 1, "INT": 2, "QUIT": 3, "TERM": 15][signal] ?? 0
                #expect(outcome.text == "\(128 + number)", "\(outcome)")
                #expect(try await sandbox.require("get").text == "kept")
            }
        }

        @Test("An interrupt from the keyboard reaches the command once, and other signals are passed on")
        func keyboard() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "kept")
                try sandbox.write(
                    """
                    import os, signal
                    os.system('xpb set inner')
                    # sigwait instead of a handler: a signal could arrive between the check and pause().
                    signals = {signal.SIGINT, signal.SIGTERM}
                    signal.pthread_sigmask(signal.SIG_BLOCK, signals)
                    print('ready', flush=True)
                    count = 0
                    while signal.sigwait(signals) == signal.SIGINT:
                        count += 1
                        print('interrupted', flush=True)
                    print('interrupts:', count, flush=True)
                    os._exit(4)
                    """.utf8, to: "command.py")
                let script = """
                    import os, pty, signal
                    child, terminal = pty.fork()
                    if child == 0: os.execvp('xpb', ['xpb', 'with', '--', '/usr/bin/python3', 'command.py'])
                    said = b''
                    def hear(word):
                        global said
                        while word not in said:
                            piece = os.read(terminal, 1000)
                            if not piece: raise SystemExit('ended: %r' % said)
                            said += piece
                    hear(b'ready')
                    os.write(terminal, b'\\x03')
                    hear(b'interrupted')
                    os.kill(child, signal.SIGTERM)
                    hear(b'interrupts: 1')
                    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
                    """
                let outcome = try await sandbox.run(["/usr/bin/python3", "-c", script])
                #expect(outcome.text == "4", "\(outcome)")
                #expect(try await sandbox.require("get").text == "kept")
            }
        }

        /// A script that sets and adds more items than one of the ``shortCalls`` could write.
        private static let tooMuch = """
            touch f; files() { seq $1 | sed 's/.*/f/'; }
            xpb set --timeout 60 --files $(files 2375) && xpb add --timeout 60 --files $(files 190) &&
                xpb add --timeout 60 --files $(files 190) && xpb with --timeout 60 -- touch ran; echo $?; ls ran
            """

        @Test("with does not run the command if the contents are too large to restore in one call")
        func tooMuch() async throws {
            try await Sandbox.with(changes: Self.shortCalls) { sandbox in
                let outcome = try await sandbox.shell(Self.tooMuch)
                #expect(outcome.lines == ["6"] && outcome.error.contains("too many items"), "\(outcome)")
                #expect(outcome.error.contains("the command was not run"), "\(outcome)")
            }
        }

        @Test("If the setting allows longer calls, with restores as much")
        func longerCalls() async throws {
            try await Sandbox.with(changes: ["XPB_LIMIT_MESSAGE": "1048576"]) { sandbox in
                let outcome = try await sandbox.shell(Self.tooMuch)
                #expect(outcome.lines == ["0", "ran"], "\(outcome)")
                let counted = "xpb items --json | grep -o '\"public.file-url\"' | wc -l"
                #expect(try await sandbox.shell(counted).number == 2_755)
            }
        }

        @Test("with reports that it could not restore the contents")
        func notRestored() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "kept")
                let outcome = try await sandbox.shell("DISPLAY= xpb with -- xpb bridge stop")
                #expect(outcome.status == 5 && outcome.error.contains("could not be restored"), "\(outcome)")
                let missing = try await sandbox.xpb("with", "--", "no-such-command")
                #expect(missing.status == 2 && missing.error.contains("no-such-command"), "\(missing)")
            }
        }

        @Test("The command has the input, the output and the folder of its caller")
        func caller() async throws {
            try await Sandbox.with { sandbox in
                let outcome = try await sandbox.shell("echo in | xpb with -- sh -c 'cat; pwd'")
                #expect(outcome.lines == ["in", sandbox.folder], "\(outcome)")
            }
        }
    }
}
