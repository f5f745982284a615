import CopyingSupport
import FoundationEssentials
import Glibc
import TestSupport
import Testing

extension Integration {
    /// Reports of `xpb doctor` about real faults.
    @Suite("Doctor")
    struct DoctorTests {
        private struct Report: Decodable, CustomStringConvertible {
            struct Finding: Decodable {
                let check: String
                let finding: String
                let message: String
                let advice: String?
            }
            let findings: [Finding]
            let healthy: Bool

            var description: String {
                findings.map { "\($0.finding) \($0.check): \($0.message); \($0.advice ?? "")" }.joined(separator: "\n")
            }
        }

        /// Runs the doctor, and checks that its status agrees with its report.
        private static func report(_ sandbox: Sandbox, _ arguments: String...) async throws -> Report {
            let command = ["\(Binaries.folder)/xpb", "doctor", "--json"] + arguments
            let outcome = try await sandbox.run(command + (arguments.contains("--timeout") ? [] : ["--timeout", "60"]))
            let report = try #require(try? JSONDecoder().decode(Report.self, from: Data(outcome.output)), "\(outcome)")
            #expect(outcome.status == (report.healthy ? 0 : 1), "\(outcome)")
            let isWrong = report.findings.contains { ["fault", "warning"].contains($0.finding) }
            #expect(report.healthy == !isWrong)
            return report
        }

        /// Expects a finding with all of the words in its message or its advice.
        private static func expect(
            _ finding: String, _ check: String, _ words: String..., in report: Report,
            sourceLocation: SourceLocation = #_sourceLocation
        ) {
            let isThere = report.findings.contains { found in
                let text = "\(found.message); \(found.advice ?? "")"
                return found.finding == finding && found.check == check && words.allSatisfy { text.contains($0) }
            }
            #expect(isThere, "\(finding) \(check) \(words) is not in:\n\(report)", sourceLocation: sourceLocation)
        }

        @Test("If nothing is wrong, the doctor says so and exits with status 0", .requiresXvfb)
        func healthy() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "text")
                let report = try await Self.report(sandbox)
                #expect(report.healthy, "\(report)")
                for check in ["folder", "display", "session", "program", "bridge", "owner", "store", "settings"] {
                    Self.expect("ok", check, in: report)
                }
                let text = try await sandbox.require("doctor", "--timeout", "60")
                #expect(text.lines.last == "ok\tall\tnothing is wrong", "\(text)")
                let verbose = try await sandbox.require("doctor", "--verbose", "--timeout", "60")
                #expect(verbose.lines.contains { $0.hasPrefix("ok\tbridge\tprocess ") }, "\(verbose)")
                #expect(try await sandbox.xpb("doctor", "-p", "find").status == 2)
            }
        }

        @Test("The doctor names a persistent pasteboard whose maker is gone, also after a restart", .requiresXvfb)
        func abandoned() async throws {
            try await Sandbox.with { sandbox in
                let folder = sandbox.path("app")
                let copied = try await sandbox.shell(
                    "mkdir \"$1\" && cp \"$2\" \"$1\"", folder, "\(Binaries.folder)/xpb")
                try #require(copied.status == 0)
                try await sandbox.require("create", "com.example.kept", "--persistent")
                let made = try await sandbox.run(["\(folder)/xpb", "create", "com.example.left", "--persistent"])
                try #require(made.status == 0, "\(made)")
                #expect(try await !Self.report(sandbox).findings.contains { $0.check == "pasteboards" })
                try await sandbox.require("bridge", "restart")
                try FileManager.default.removeItem(atPath: folder)
                let report = try await Self.report(sandbox)
                Self.expect(
                    "note", "pasteboards", "com.example.left", folder, "xpb remove com.example.left", in: report)
                #expect(report.healthy && report.findings.count { $0.check == "pasteboards" } == 1, "\(report)")
                try await sandbox.require("remove", "com.example.left")
                #expect(try await !Self.report(sandbox).findings.contains { $0.check == "pasteboards" })
            }
        }

        @Test("The doctor starts no bridge and makes no folder", .requiresXvfb)
        func changesNothing() async throws {
            try await Sandbox.with { sandbox in
                let report = try await Self.report(sandbox)
                #expect(report.healthy, "\(report)")
                Self.expect("ok", "bridge", "no bridge is running", in: report)
                #expect(sandbox.bridges() == [])
                #expect(try await sandbox.shell("ls -A run").output.isEmpty)
            }
        }

        // MARK: The display

        @Test("The doctor reports an unset, an invalid and a stale DISPLAY")
        func noDisplay() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                let report = try await Self.report(sandbox)
                Self.expect("warning", "display", "DISPLAY is not set", "set it", in: report)
                try await sandbox.require("bridge", "start")
                Self.expect("note", "display", "has no display either", in: try await Self.report(sandbox))
                let impossible = try await Self.report(sandbox.changing(["DISPLAY": "nonsense"]))
                Self.expect("fault", "display", "'nonsense'", "is not a display's name", in: impossible)
                let stale = try await Self.report(sandbox.changing(["DISPLAY": ":59999"]))
                Self.expect("fault", "display", "':59999'", "stale", "/tmp/.X11-unix/X59999", in: stale)
            }
        }

        @Test("The doctor distinguishes a dead socket, a silent socket and the socket of another service")
        func sockets() async throws {
            let script = """
                import socket, sys
                listener = socket.socket(socket.AF_UNIX)
                listener.bind(sys.argv[1])
                if sys.argv[2] == "dead":
                    listener.close()
                else:
                    listener.listen()
                print("ready", flush=True)
                while sys.argv[2] == "strange":
                    connection, _ = listener.accept()
                    connection.sendall(b"220 mail.example ESMTP ready to serve whoever comes along here\\r\\n")
                    connection.close()
                sys.stdin.read()
                """
            for (kind, word) in [
                ("dead", "no X server listens"), ("silent", "does not answer"), ("strange", "is not an X server"),
            ] {
                try await Sandbox.with(display: nil) { sandbox in
                    let path = sandbox.path("X")
                    _ = try await sandbox.running(["/usr/bin/python3", "-c", script, path, kind]) { listener in
                        #expect(try await listener.line() == "ready")
                        let display = sandbox.changing(["DISPLAY": path])
                        let report = try await Self.report(display, "--timeout", kind == "silent" ? "1" : "60")
                        Self.expect("fault", "display", path, word, in: report)
                    }
                }
            }
        }

        @Test("The doctor reports a stopped X server")
        func stoppedServer() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                _ = try await sandbox.running(Xvfb.command(Xvfb.nameToKeep())) { server in
                    let display = ":" + (try await server.line())
                    try server.suspend()
                    let report = try await Self.report(sandbox, "--display", display, "--timeout", "1")
                    Self.expect("fault", "display", "the display '\(display)'", "does not answer", in: report)
                }
            }
        }

        @Test("The doctor reports an X server without XFixes", .requiresXvfb("-extension", "XFIXES"))
        func noXFixes() async throws {
            try await Sandbox.with { sandbox in
                Self.expect("fault", "display", "no XFixes", in: try await Self.report(sandbox))
            }
        }

        @Test("The doctor distinguishes a missing cookie, another display's cookie and another server's cookie")
        func authority() async throws {
            func file(_ number: String, _ cookie: UInt8) -> [UInt8] {
                Authority.file(number: number, cookie: Array(repeating: cookie, count: 16))
            }
            try await Sandbox.with(display: nil) { sandbox in
                let good = try sandbox.write(file("", 1), to: "good")
                try await Xvfb.running(["-auth", good]) { display in
                    func report(_ authority: String?) async throws -> Report {
                        try await Self.report(sandbox.changing(["DISPLAY": display, "XAUTHORITY": authority ?? ""]))
                    }
                    Self.expect("ok", "display", in: try await report(good))
                    Self.expect(
                        "fault", "display", "refuses access", "XAUTHORITY is not set", in: try await report(nil))
                    let missing = sandbox.path("missing")
                    Self.expect(
                        "fault", "display", "refuses access", "XAUTHORITY, which is '\(missing)', cannot be read",
                        in: try await report(missing))
                    let elsewhere = try sandbox.write(file("59999", 1), to: "elsewhere")
                    Self.expect("fault", "display", "has no cookie for it", in: try await report(elsewhere))
                    let stale = try sandbox.write(file("", 2), to: "stale")
                    Self.expect("fault", "display", "the cookie of another X server", in: try await report(stale))
                }
            }
        }

        @Test("The doctor notes a display that is forwarded from another machine", .requiresXvfb)
        func forwarded() async throws {
            let display = try #require(Xvfb.display)
            try await Sandbox.with { sandbox in
                _ = try await sandbox.running([Binaries.fixture("forward.py"), display]) { forwarder in
                    let forwarded = sandbox.changing(["DISPLAY": try await forwarder.line()])
                    try await forwarded.require("set", "text")
                    let report = try await Self.report(forwarded)
                    Self.expect("note", "display", "forwarded", "stores nothing", in: report)
                    #expect(report.healthy, "\(report)")
                }
            }
        }

        @Test("The doctor distinguishes a silent display over TCP and a port where nothing listens")
        func silentRemote() async throws {
            let script = """
                import socket, sys
                listener = socket.create_server(("127.0.0.1", 0))
                print(listener.getsockname()[1] - 6000, flush=True)
                sys.stdin.readline()
                listener.close()
                print("closed", flush=True)
                sys.stdin.read()
                """
            try await Sandbox.with(display: nil) { sandbox in
                _ = try await sandbox.running(["/usr/bin/python3", "-c", script]) { listener in
                    let display = "127.0.0.1:\(try await listener.line())"
                    let remote = sandbox.changing(["DISPLAY": display])
                    let silent = try await Self.report(remote, "--timeout", "1")
                    Self.expect("fault", "display", display, "does not answer", in: silent)
                    try await listener.send("close")
                    #expect(try await listener.line() == "closed")
                    let stale = try await Self.report(remote)
                    Self.expect("fault", "display", display, "stale", "TCP port", in: stale)
                }
                let unknown = try await Self.report(sandbox.changing(["DISPLAY": "no..such..name:0"]))
                Self.expect("fault", "display", "no..such..name:0", "not known", in: unknown)
            }
        }

        @Test("The doctor notes a Wayland session", .requiresXvfb)
        func wayland() async throws {
            try await Sandbox.with(changes: ["XDG_SESSION_TYPE": "wayland", "XDG_CURRENT_DESKTOP": "KDE"]) { sandbox in
                let report = try await Self.report(sandbox)
                Self.expect("note", "session", "KWin", "wl-paste", in: report)
                #expect(report.healthy, "\(report)")
            }
        }

        // MARK: The bridge

        @Test("The doctor reports a runtime folder that is missing, open to others, too long, or not set")
        func folders() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                func report(_ folder: String) async throws -> Report {
                    try await Self.report(sandbox.changing(["XDG_RUNTIME_DIR": folder]))
                }
                let missing = try await report(sandbox.path("missing"))
                Self.expect("fault", "folder", sandbox.path("missing"), "XDG_RUNTIME_DIR", in: missing)
                _ = try await sandbox.shell("mkdir -m 0777 open && mkdir -m 0700 \"$1\"", Self.long)
                Self.expect(
                    "fault", "folder", "chmod 700 '\(sandbox.path("open"))'", in: try await report(sandbox.path("open"))
                )
                Self.expect("fault", "folder", "longer than 107", in: try await report(sandbox.path(Self.long)))
                Self.expect("note", "folder", "XDG_RUNTIME_DIR is not set", in: try await report(""))
                Self.expect("warning", "folder", "is not an absolute path", in: try await report("run"))
                if geteuid() == 0 {
                    _ = try await sandbox.shell("mkdir -m 0700 other && chown 65534 other")
                    Self.expect("note", "folder", "to another user", in: try await report(sandbox.path("other")))
                }
            }
        }

        private static let long = String(repeating: "x", count: 100)

        @Test(
            "The doctor names the process of a stopped bridge, and reports another program on the socket", .requiresXvfb
        )
        func stoppedBridge() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "text")
                let bridge = try sandbox.bridge()
                kill(bridge, SIGSTOP)
                let report = try await Self.report(sandbox, "--timeout", "10")
                kill(bridge, SIGCONT)
                Self.expect(
                    "fault", "bridge", "process \(bridge), is stopped", "kill -CONT \(bridge)", in: report)
                try await sandbox.require("bridge", "stop")

                let path = "\(sandbox.runtimeFolder)/xpb/\(try #require(Xvfb.display)).sock"
                let script = """
                    import socket, sys
                    listener = socket.socket(socket.AF_UNIX)
                    listener.bind(sys.argv[1])
                    listener.listen()
                    print("ready", flush=True)
                    connection, _ = listener.accept()
                    connection.recv(1000)
                    connection.sendall(b'{"parameters": {"version": "99"}}\\0')
                    sys.stdin.read()
                    """
                _ = try await sandbox.running(["/usr/bin/python3", "-c", script, path]) { listener in
                    #expect(try await listener.line() == "ready")
                    let report = try await Self.report(sandbox)
                    Self.expect("fault", "bridge", path, "is not a bridge of this version", in: report)
                }
            }
        }

        @Test(
            "If a bridge of another runtime folder has the display, the doctor names its process and folder",
            .requiresXvfb)
        func elsewhere() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "text")
                let bridge = try sandbox.bridge()
                try await Sandbox.with { elsewhere in
                    let here = "\(elsewhere.runtimeFolder)/xpb"
                    let report = try await Self.report(elsewhere)
                    Self.expect(
                        "warning", "bridge", "process \(bridge)", "\(sandbox.runtimeFolder)/xpb", here,
                        "set XDG_RUNTIME_DIR to \(sandbox.runtimeFolder)", in: report)
                    // A bridge without a display in this folder does not change the finding.
                    try await elsewhere.removing("DISPLAY").require("bridge", "start")
                    Self.expect("warning", "bridge", "process \(bridge)", here, in: try await Self.report(elsewhere))
                }
                #expect(try await Self.report(sandbox).healthy)
                _ = try await sandbox.shell("rm -r run/xpb")
                try await Sandbox.with { elsewhere in
                    // The error of a command refers to the doctor.
                    let outcome = try await elsewhere.xpb("get")
                    let end = "and is not found in this XDG_RUNTIME_DIR; 'xpb doctor' finds the cause\n"
                    #expect(outcome.status == 4 && outcome.error.hasSuffix(end), "\(outcome)")
                }
                Self.expect(
                    "fault", "bridge", "process \(bridge)", "is gone", "kill \(bridge)",
                    in: try await Self.report(sandbox))
            }
        }

        @Test("The doctor reports a bridge whose program was replaced, and a missing program", .requiresXvfb)
        func program() async throws {
            try await Sandbox.with { sandbox in
                let copied = try await sandbox.shell("install -m 755 \"$(command -v xpbd)\" xpbd")
                try #require(copied.status == 0, "\(copied)")
                let own = sandbox.changing(["XPB_XPBD": sandbox.path("xpbd")])
                try await own.require("bridge", "start")
                Self.expect("ok", "bridge", in: try await Self.report(own))
                // install(1) replaces the file with a new file.
                let replaced = try await sandbox.shell("install -m 755 \"$(command -v xpbd)\" xpbd")
                try #require(replaced.status == 0, "\(replaced)")
                Self.expect("warning", "bridge", "has been replaced", "restart", in: try await Self.report(own))
                let missing = sandbox.changing(["XPB_XPBD": sandbox.path("missing")])
                Self.expect("fault", "program", sandbox.path("missing"), in: try await Self.report(missing))
            }
        }

        @Test("The doctor lists several copies of the programs, with the copy that shells run", .requiresXvfb)
        func copies() async throws {
            try await Sandbox.with { sandbox in
                let one = sandbox.changing(["PATH": Binaries.folder])
                Self.expect("ok", "copies", in: try await Self.report(one, "--verbose"))
                let copied = try await sandbox.shell(
                    "mkdir bin; install -m 755 \"$(command -v xpb)\" \"$(command -v xpbd)\" bin; ln -s bin link")
                try #require(copied.status == 0, "\(copied)")
                let folders = [sandbox.path("bin"), sandbox.path("link"), Binaries.folder]
                let both = sandbox.changing(["PATH": folders.joined(separator: ":")])
                Self.expect(
                    "note", "copies", "2 copies",
                    "\(sandbox.path("bin"))/xpb, which shells run, and \(Binaries.folder)/xpb",
                    in: try await Self.report(both))
                let started = try await both.run([sandbox.path("bin/xpb"), "bridge", "start"])
                try #require(started.status == 0, "\(started)")
                Self.expect(
                    "warning", "copies", "bridge is \(sandbox.path("bin/xpbd"))", "belongs to \(Binaries.folder)/xpbd",
                    in: try await Self.report(both))
            }
        }

        @Test("The doctor reports warnings in the bridge's log", .requiresXvfb)
        func log() async throws {
            try await Sandbox.with(changes: ["XPB_LOG_LEVEL": "loud"]) { sandbox in
                try await sandbox.require("set", "text")
                let report = try await Self.report(sandbox)
                Self.expect("note", "log", "one warning", "XPB_LOG_LEVEL", "\(sandbox.runtimeFolder)/xpb/", in: report)
                Self.expect("warning", "settings", "XPB_LOG_LEVEL", "notice", in: report)
            }
        }

        @Test("The doctor reports a display that the bridge has lost")
        func lostDisplay() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                let display = Xvfb.nameToKeep()
                let gone = sandbox.changing(["DISPLAY": display])
                _ = try await sandbox.running(Xvfb.command(display)) { server in
                    _ = try await server.line()
                    try await gone.require("set", "text")
                    try await server.kill()
                }
                // Until the event of the loss arrives, the bridge reports that it is attached.
                try await gone.awaitLog("lost display")
                let report = try await Self.report(gone)
                Self.expect("fault", "display", "stale", in: report)
                Self.expect("fault", "bridge", "has lost display \(display)", in: report)
            }
        }

        // MARK: The pasteboards

        @Test("The doctor names the window, process and program of a stopped and of a silent owner", .requiresXvfb)
        func stuckOwners() async throws {
            try await Sandbox.with { sandbox in
                let file = try sandbox.write(Array("text".utf8), to: "in")
                try await sandbox.require("bridge", "start")
                try await sandbox.withPeer(["own", "--offer", "UTF8_STRING", file]) { stopped in
                    let window = String(try #require(try await stopped.await("owned").window), radix: 16)
                    Self.expect("ok", "owner", in: try await Self.report(sandbox))
                    try stopped.process.suspend()
                    let idleTimeout = ["own", "--selection", "PRIMARY", "--offer", "UTF8_STRING", file, "--silent"]
                    try await sandbox.withPeer(idleTimeout) { silent in
                        _ = try await silent.await("owned")
                        let report = try await Self.report(sandbox, "--timeout", "10")
                        let process = stopped.process.processID
                        Self.expect(
                            "fault", "owner", "peer.py", "process \(process)", "window 0x\(window)", "general",
                            "is stopped", "kill -CONT \(process)", "xpb get --stale", in: report)
                        Self.expect(
                            "fault", "owner", "process \(silent.process.processID)", "find", "does not answer",
                            "kill \(silent.process.processID)", "xpb get -p find --stale", in: report)
                    }
                }
            }
        }

        @Test(
            "The doctor distinguishes a clipboard manager that has the role and one that is only running", .requiresXvfb
        )
        func managers() async throws {
            try await Sandbox.with { sandbox in
                // The doctor recognizes the program by its name.
                _ = try await sandbox.shell("cp \"$(command -v sleep)\" copyq")
                _ = try await sandbox.running([sandbox.path("copyq"), "600"]) { manager in
                    let report = try await Self.report(sandbox)
                    Self.expect("note", "manager", "copyq (process \(manager.processID))", in: report)
                    // Each program is named once.
                    _ = try await sandbox.running([sandbox.path("copyq"), "600"]) { other in
                        let numbers = [manager.processID, other.processID].compactMap { Int("\($0)") }.sorted().map(
                            String.init)
                        let found = "copyq (processes \(numbers.joined(separator: ", ")))"
                        Self.expect("note", "manager", found, in: try await Self.report(sandbox))
                    }
                    // A manager on another display does not count for this display.
                    let elsewhere = sandbox.changing(["DISPLAY": ":4711"])
                    _ = try await elsewhere.running([sandbox.path("copyq"), "600"]) { _ in
                        let found = "copyq (process \(manager.processID))"
                        Self.expect("note", "manager", found, in: try await Self.report(sandbox))
                    }
                }
                try await sandbox.withPeer(named: "manager.py", []) { manager in
                    _ = try await manager.await("owned")
                    try await sandbox.require("bridge", "start")
                    let report = try await Self.report(sandbox)
                    Self.expect(
                        "note", "manager", "(process \(manager.process.processID))", "the display's clipboard manager",
                        in: report)
                    #expect(report.healthy, "\(report)")
                }
            }
        }

        @Test(
            "The doctor names the folder on a full or read-only disk, with and without a bridge",
            .enabled(if: Sandbox.canMount, "a small file system cannot be mounted here"))
        func fullDisk() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                // Only these commands see the file system, which is unmounted when the last of them, the bridge, exits.
                let script = """
                    mkdir state && mount -t tmpfs -o size=4m xpb state || exit 9
                    export XDG_STATE_HOME=$PWD/state
                    xpb bridge start
                    # The bridge frees some of its files, so the disk is filled before each report.
                    fill() { head -c 8000000 /dev/zero >>state/filler 2>/dev/null; }
                    fill
                    head -c 3000000 /dev/zero | xpb set -t image/png -f - && exit 8
                    fill
                    xpb doctor --json --timeout 60
                    xpb bridge stop
                    fill
                    xpb doctor --json --timeout 60
                    mount -o remount,ro state
                    xpb doctor --json --timeout 60
                    """
                let outcome = try await sandbox.run(["unshare", "--map-root-user", "--mount", "sh", "-c", script])
                let reports = try outcome.lines.map { try JSONDecoder().decode(Report.self, from: Data($0.utf8)) }
                try #require(reports.count == 3, "\(outcome)")
                for report in reports.prefix(2) {
                    Self.expect("fault", "store", sandbox.path("state/xpb"), "is full", "make room", in: report)
                }
                Self.expect("fault", "store", sandbox.path("state/xpb"), "Read-only", "restart", in: reports[2])
            }
        }

        @Test("The doctor reports a failed write to the store, with its reason, until a write succeeds", .requiresXvfb)
        func notStored() async throws {
            try await Sandbox.with { sandbox in
                // A limit on the size of files has the effect of a full disk, and the doctor cannot see it from
                // outside.
                let daemon = ["/bin/bash", "-c", "ulimit -f 2048; exec \(Binaries.folder)/xpbd --ready-fd 3 3>&1"]
                _ = try await sandbox.running(daemon) { bridge in
                    #expect(try await bridge.line() == "ready")
                    try sandbox.write(Payload.random(8_000_000), to: "large.png")
                    #expect(try await sandbox.xpb("set", "-f", "large.png").status == 6)
                    let folder = sandbox.path(".local/state/xpb")
                    let report = try await Self.report(sandbox)
                    Self.expect("fault", "store", "could not be", folder, in: report)
                    #expect(try await sandbox.require("status").text.contains("could not be"))
                    try await sandbox.require("set", "small")
                    #expect(try await Self.report(sandbox).healthy)
                }
            }
        }

        @Test("The doctor reports an unusable store, and notes a store that is switched off", .requiresXvfb)
        func store() async throws {
            try await Sandbox.with { sandbox in
                _ = try await sandbox.shell("mkdir -p .local/state && : >.local/state/xpb")
                try await sandbox.require("bridge", "start")
                let folder = ".local/state/xpb/\(try #require(Xvfb.display))"
                Self.expect("fault", "store", sandbox.path(folder), "restart", in: try await Self.report(sandbox))
                let status = try await sandbox.require("status")
                #expect(status.error.contains("copied contents do not outlive the bridge"), "\(status)")
            }
            try await Sandbox.with(changes: ["XPB_PERSIST": "false"]) { sandbox in
                try await sandbox.require("set", "text")
                let report = try await Self.report(sandbox)
                Self.expect("note", "store", "'persist'", in: report)
                #expect(report.healthy, "\(report)")
            }
        }

        @Test("The doctor reports faults in the settings and the types, with their lines", .requiresXvfb)
        func settings() async throws {
            try await Sandbox.with { sandbox in
                try sandbox.writeConfiguration("{\n\"derive\": 7}")
                try sandbox.writeConfiguration("nonsense", to: "types.json")
                let report = try await Self.report(sandbox)
                Self.expect("warning", "settings", "config.json:2: ", in: report)
                Self.expect("warning", "settings", "types.json:1: ", in: report)
            }
        }
    }
}
