import CopyingSupport
import Foundation
import Glibc
import TestSupport
import Testing

extension Integration {
    /// Start and end of the bridge. Each user has one bridge per display.
    @Suite("The bridge", .requiresXvfb)
    struct StartTests {
        @Test("xpb bridge starts and stops the bridge, and status describes it")
        func startAndStop() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("bridge", "start")
                let bridge = try sandbox.bridge()
                let status = try await sandbox.require("status")
                #expect(status.text.contains("\(bridge)"), "\(status)")
                #expect(status.lines.allSatisfy { $0.contains(": ") }, "\(status)")
                try await sandbox.require("bridge", "start")
                #expect(sandbox.bridges() == [bridge])

                try await sandbox.require("bridge", "stop")
                #expect(sandbox.bridges().isEmpty)
            }
        }

        @Test("xpb bridge restart replaces the bridge")
        func restart() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("bridge", "start")
                let first = try sandbox.bridge()
                try await sandbox.require("bridge", "restart")
                #expect(try sandbox.bridge() != first)
                try await sandbox.require("set", "text")
                #expect(try await sandbox.xclipPastes().text == "text")
            }
        }

        @Test("A hanging bridge is reported, and killed with --force; its contents are restored")
        func hanging() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "kept")
                let first = try sandbox.bridge()
                kill(first, SIGSTOP)
                for command in ["stop", "restart"] {
                    let outcome = try await sandbox.xpb("bridge", command, "--timeout", "0.5")
                    #expect(outcome.status == 3, "\(outcome)")
                    #expect(outcome.error.contains("process \(first), is stopped"), "\(outcome)")
                    #expect(outcome.error.contains("kill -CONT \(first)"), "\(outcome)")
                    #expect(outcome.error.contains("--force"), "\(outcome)")
                }
                #expect(sandbox.bridges() == [first])
                let forced = try await sandbox.require("bridge", "restart", "--force", "-v", "--timeout", "0.5")
                #expect(forced.error.contains("process \(first), was killed"), "\(forced)")
                let second = try sandbox.bridge()
                #expect(second != first)
                #expect(try await sandbox.require("get").text == "kept")
                // A bridge that answers ends in an orderly way even with --force.
                try await sandbox.require("bridge", "stop", "--force", "--timeout", "60")
                #expect(try await sandbox.shell("find run -type s").output.isEmpty)
            }
        }

        @Test("Another program that listens at the bridge's socket is not killed")
        func noBridge() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("bridge", "start")
                let path = "\(sandbox.runtimeFolder)/xpb/\(try #require(Xvfb.display)).sock"
                try await sandbox.require("bridge", "stop")
                let script = """
                    import socket, sys
                    listener = socket.socket(socket.AF_UNIX)
                    listener.bind(sys.argv[1])
                    listener.listen()
                    print("ready", flush=True)
                    for line in sys.stdin:
                        print(line, end="", flush=True)
                    """
                _ = try await sandbox.running(["/usr/bin/python3", "-c", script, path]) { listener in
                    #expect(try await listener.line() == "ready")
                    let outcome = try await sandbox.xpb("bridge", "stop", "--force", "--timeout", "0.5")
                    #expect(outcome.status == 6, "\(outcome)")
                    #expect(outcome.error.contains("process \(listener.processID)"), "\(outcome)")
                    try await listener.send("alive")
                    #expect(try await listener.line() == "alive")
                }
            }
        }

        @Test("A second bridge names the first one and exits")
        func second() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "text")
                let bridge = try sandbox.bridge()
                let second = try await sandbox.run(["xpbd"])
                #expect(second.status != 0)
                #expect(second.error.contains("\(bridge)"), "\(second)")
                #expect(sandbox.bridges() == [bridge])
                #expect(try await sandbox.require("get").text == "text")
            }
        }

        @Test("A command with a different runtime folder, or none, uses the bridge of the display, even for a secret")
        func commandFromElsewhere() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "text")
                _ = try await sandbox.shell("mkdir -m 700 other")
                let other = sandbox.changing(["XDG_RUNTIME_DIR": sandbox.path("other")])
                for elsewhere in [other, sandbox.removing("XDG_RUNTIME_DIR")] {
                    #expect(try await elsewhere.require("get").text == "text")
                    try await elsewhere.require("set", "--concealed", input: Array("secret".utf8))
                    #expect(try await sandbox.require("get").text == "secret")
                    #expect(try await elsewhere.require("get").text == "secret")
                    try await elsewhere.require("set", "text")
                }
            }
        }

        @Test("A bridge of another runtime folder finds the display in use, names the running bridge and exits")
        func secondFromElsewhere() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "text")
                let bridge = try sandbox.bridge()
                try await Sandbox.with { elsewhere in
                    let second = try await elsewhere.run(["xpbd"])
                    #expect(second.status != 0)
                    #expect(second.error.contains("\(bridge)"), "\(second)")
                }
                #expect(sandbox.bridges() == [bridge])
                #expect(try await sandbox.xclipPastes().text == "text")
            }
        }

        @Test("With --replace, a bridge takes over from a running bridge")
        func replace() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("bridge", "start")
                let first = try sandbox.bridge()
                let replacing = ["/bin/sh", "-c", "exec xpbd --replace --ready-fd 3 3>&1"]
                _ = try await sandbox.running(replacing) { second in
                    await ProcessTable.awaitEnd(of: first)
                    // A call before this line would start another bridge, which would then be replaced, too.
                    #expect(try await second.line() == "ready")
                    try await sandbox.require("set", "text")
                    #expect(sandbox.bridges() == [second.processID])
                    #expect(try await sandbox.xclipPastes().text == "text")
                }
            }
        }

        @Test("With --replace, a bridge waits for a bridge that is starting or ending and has no socket")
        func replaceWithoutSocket() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                _ = try await sandbox.shell("mkdir -m 700 run/xpb")
                let lock = "\(sandbox.runtimeFolder)/xpb/none.lock"
                _ = try await sandbox.running(["flock", "-F", lock, "sh", "-c", "echo locked; cat"]) { other in
                    #expect(try await other.line() == "locked")
                    _ = try await sandbox.running([Binaries.fixture("opened.py"), lock]) { opened in
                        #expect(try await opened.line() == "watching")
                        let replacing = ["/bin/sh", "-c", "exec xpbd --no-display --replace --ready-fd 3 3>&1"]
                        _ = try await sandbox.running(replacing) { second in
                            // The bridge tries the lock, waits for a socket, and tries the lock again.
                            for _ in 1...2 { #expect(try await opened.line() == "opened") }
                            try await other.finish()
                            #expect(try await second.line() == "ready")
                            #expect(sandbox.bridges() == [second.processID])
                        }
                    }
                }
            }
        }

        @Test("With --replace, a bridge takes over the display and the store from another runtime folder")
        func replaceFromElsewhere() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "kept")
                let count = try await sandbox.count()
                let first = try sandbox.bridge()
                _ = try await sandbox.shell("mkdir -m 700 elsewhere")
                let elsewhere = sandbox.changing(["XDG_RUNTIME_DIR": sandbox.path("elsewhere")])
                let replacing = ["/bin/sh", "-c", "exec xpbd --replace --ready-fd 3 3>&1"]
                _ = try await elsewhere.running(replacing) { second in
                    #expect(try await second.line() == "ready")
                    await ProcessTable.awaitEnd(of: first)
                    #expect(try await elsewhere.require("get").text == "kept")
                    #expect(try await elsewhere.count() == count)
                    #expect(try await elsewhere.xclipPastes().text == "kept")
                    let status = try await elsewhere.require("status")
                    #expect(
                        status.lines.contains { $0.hasPrefix("store: \(sandbox.path(".local/state/xpb"))") },
                        "\(status)")
                    let doctor = try await elsewhere.xpb("doctor", "--timeout", "60")
                    #expect(doctor.status == 0, "\(doctor)")
                    // The new bridge stores contents.
                    try await elsewhere.require("set", "later")
                    try await second.kill()
                    #expect(try await elsewhere.require("get").text == "later")
                }
            }
        }

        @Test("After SIGTERM, the bridge exits in an orderly way and leaves no socket")
        func terminated() async throws {
            try await Sandbox.with { sandbox in
                // A command before the bridge is ready would start another bridge.
                let starting = ["/bin/sh", "-c", "exec xpbd --ready-fd 3 3>&1"]
                let status = try await sandbox.running(starting) { bridge in
                    #expect(try await bridge.line() == "ready")
                    let before = try await sandbox.count()
                    try await sandbox.require("set", "text")
                    #expect(try await sandbox.count() == before + 1)
                    try bridge.terminate()
                    try await bridge.finish()
                    await ProcessTable.awaitEnd(of: bridge.processID)
                }.status
                #expect(status == 0)
                let left = try await sandbox.shell("find run -type s")
                #expect(left.output.isEmpty, "\(left)")
            }
        }

        /// Returns a loop that runs a command until the file `go` is gone, and prints each failure.
        private static func loop(_ command: String) -> String {
            "(n=0; while [ -e go ]; do n=$((n+1)); \(command) >out.$n 2>&1 || cat out.$n; rm -f out.$n; done) &"
        }

        @Test("Right after a bridge is killed, a command waits for the next bridge", arguments: ["get", "types"])
        func killed(command: String) async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "kept")
                let script = """
                    for round in $(seq 60); do
                        kill -9 $(cat "$XDG_RUNTIME_DIR"/xpb/*.lock)
                        xpb \(command) >/dev/null || echo failed
                        xpb set kept || echo failed
                    done 2>&1
                    """
                let outcome = try await sandbox.shell(script)
                #expect(outcome.text.isEmpty, "\(outcome)")
                #expect(try await sandbox.require("get").text == "kept")
            }
        }

        @Test("Commands during a restart of the bridge wait for the next bridge")
        func restarts() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "kept")
                let commands = ["xpb get", "xpb set text", "xpb types", "xpb count"]
                // Each loop runs in its own folder.
                let loops = commands.enumerated().map { index, command in
                    "mkdir \(index); touch \(index)/go; cd \(index); \(Self.loop(command)) cd .."
                }
                let script = """
                    \(loops.joined(separator: "\n"))
                    for round in $(seq 40); do xpb bridge restart || echo restart failed; done
                    rm */go; wait
                    """
                let outcome = try await sandbox.shell(script)
                #expect(outcome.text.isEmpty, "\(outcome)")
            }
        }

        @Test("A bridge started on demand has its own limits and priorities, not the caller's")
        func attributes() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                let script = """
                    ulimit -S -f 4000; ulimit -S -t 1000; ulimit -S -n 100; ulimit -S -v 40000000; umask 777
                    exec taskset -c "$1" nice -n 5 chrt --batch 0 ionice -c 3 choom -n 300 -- xpb bridge start
                    """
                let processors = try await sandbox.shell("taskset -cp $$ | sed 's/.*: //'").lines[0]
                let first = String(processors.prefix { $0.isNumber })
                let started = try await sandbox.shell(script, first)
                try #require(started.status == 0, "\(started)")
                let bridge = try #require(sandbox.bridges().first)
                let limits = try String(contentsOfFile: "/proc/\(bridge)/limits", encoding: .utf8)
                for name in ["Max cpu time", "Max file size", "Max address space"] {
                    let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix(name) })
                    let values = line.dropFirst(name.count).split(separator: " ")
                    #expect(values[0] == values[1], "\(line)")
                }
                let descriptors = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max open files") })
                #expect(try #require(Int(descriptors.split(separator: " ")[3])) > 100)
                let status = try String(contentsOfFile: "/proc/\(bridge)/status", encoding: .utf8)
                #expect(status.contains("Umask:\t0077"), "\(status)")
                let state = try await sandbox.shell(
                    "taskset -cp \(bridge) | sed 's/.*: //'; ionice -p \(bridge); chrt -p \(bridge) | head -1; "
                        + "cat /proc/\(bridge)/oom_score_adj; ps -o ni= -p \(bridge)"
                ).lines
                try #require(state.count == 5, "\(state)")
                #expect(state[0] == processors)
                #expect(!state[1].contains("idle") && state[2].contains("SCHED_OTHER"), "\(state)")
                #expect(try #require(Int(state[3])) <= 200)
                // Without privileges, a nice value stays, and the doctor reports it.
                if getuid() == 0 {
                    #expect(state[4].split(separator: " ") == ["0"])
                } else {
                    let report = try await sandbox.xpb("doctor", "--json", "--timeout", "60")
                    #expect(report.text.contains("nice value (5)"))
                }
            }
        }

        @Test("Sockets, logs, locks and the store are closed to other users, whatever the caller's umask is")
        func modes() async throws {
            try await Sandbox.with { sandbox in
                let set = try await sandbox.shell("umask 0; xpb set --timeout 60 text")
                try #require(set.status == 0, "\(set)")
                let files = try await sandbox.shell("find run/xpb .local/state/xpb ! -type d")
                for name in [".sock", ".log", ".lock", "/store.sqlite"] {
                    #expect(files.lines.contains { $0.hasSuffix(name) }, "\(name) is not in: \(files)")
                }
                let open = try await sandbox.shell("find run/xpb .local/state/xpb ! -type l -perm /077")
                #expect(open.status == 0 && open.output.isEmpty, "\(open)")
            }
        }

        @Test("The bridge listens on no network: all of its sockets are local")
        func network() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "text")
                let bridge = try sandbox.bridge()
                let sockets = ProcessTable.descriptors(of: bridge).values.filter { $0.hasPrefix("socket:") }
                #expect(!sockets.isEmpty)
                // The inode is the tenth field of a line. See proc_pid_net(5).
                let script = "cat /proc/$1/net/tcp /proc/$1/net/tcp6 /proc/$1/net/udp /proc/$1/net/udp6 2>/dev/null"
                let lines = try await sandbox.shell(script, "\(bridge)").lines
                let inodes = lines.map { $0.split(separator: " ") }.filter { $0.count > 9 }.map { $0[9] }
                #expect(lines.contains { $0.contains("inode") }, "\(lines)")
                #expect(Set(inodes.map { "socket:[\($0)]" }).isDisjoint(with: sockets))
            }
        }

        @Test("Limits that cannot be reset are reported in the log and by the doctor")
        func hardLimits() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                let started = try await sandbox.shell("ulimit -t 36000; ulimit -f 40000000; exec xpb bridge start")
                try #require(started.status == 0, "\(started)")
                let report = try await sandbox.xpb("doctor", "--json", "--timeout", "60").text
                for phrase in ["processor time (36000 s)", "the size of files ("] {
                    #expect(report.contains(phrase), "\(report)")
                    #expect(try await sandbox.shell("cat \"$XDG_RUNTIME_DIR\"/xpb/*.log").text.contains(phrase))
                }
            }
        }

        @Test("The socket of a killed bridge does not prevent a new bridge")
        func afterAKill() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "text")
                await ProcessTable.end(try sandbox.bridge())
                try await sandbox.require("set", "again")
                #expect(try await sandbox.xclipPastes().text == "again")
            }
        }

        @Test(
            "Without XDG_RUNTIME_DIR, the bridge is found in the session's folder, or else in a folder of mode 0700",
            .enabled(if: Sandbox.canMount))
        func withoutRuntimeFolder() async throws {
            try await Sandbox.with(changes: ["XDG_RUNTIME_DIR": nil]) { sandbox in
                let script = """
                    mount -t tmpfs xpb /run/user
                    "$1" set text
                    echo $("$1" get) $(find "$TMPDIR" /run/user -type s -printf '%h\\n' | xargs -r stat -c %a)
                    "$1" bridge stop
                    session=/run/user/$(id -u)
                    mkdir -m 700 "$session"
                    XDG_RUNTIME_DIR=$session "$1" set again
                    echo $("$1" get) $(find "$TMPDIR" /run/user -type s -printf '%h\\n')
                    "$1" bridge stop
                    """
                let namespace = ["unshare", "--map-root-user", "--mount"]
                let outcome = try await sandbox.run(
                    namespace + ["sh", "-ec", script, "sh", "\(Binaries.folder)/xpb"])
                #expect(outcome.lines == ["text 700", "again /run/user/0/xpb"], "\(outcome)")
            }
        }
    }
}
