import CopyingSupport
import TestSupport
import Testing

extension Integration {
    /// A command whose changes to the contents are undone when it ends.
    @Suite("with", .requiresXvfb)
    struct WithTests {
        @Test("with restores the contents however the command ends, and exits with the command's status")
        func with() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.setWholeContents()
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

        @Test("with clears pasteboards that were empty, and removes pasteboards that did not exist")
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

        /// A script that sets and adds more items than one call could write with ``shortCalls``.
        private static let tooMuch = """
            touch f; files() { seq $1 | sed 's/.*/f/'; }
            xpb set --timeout 60 --files $(files 2375) && xpb add --timeout 60 --files $(files 190) &&
                xpb add --timeout 60 --files $(files 190) && xpb with --timeout 60 -- touch ran; echo $?; ls ran
            """

        @Test("with does not run the command if the contents are too large to restore in one call")
        func tooMuch() async throws {
            try await Sandbox.with(changes: Sandbox.shortCalls) { sandbox in
                let outcome = try await sandbox.shell(Self.tooMuch)
                #expect(outcome.lines == ["6"] && outcome.error.contains("too many items"), "\(outcome)")
                #expect(outcome.error.contains("the command was not run"), "\(outcome)")
            }
        }

        @Test("If limit-message allows longer calls, with restores contents of that size")
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

        @Test("The command inherits the caller's input, output and folder")
        func caller() async throws {
            try await Sandbox.with { sandbox in
                let outcome = try await sandbox.shell("echo in | xpb with -- sh -c 'cat; pwd'")
                #expect(outcome.lines == ["in", sandbox.folder], "\(outcome)")
            }
        }
    }
}
