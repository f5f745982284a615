import CopyingSupport
import Foundation
import TestSupport
import Testing

extension Integration {
    /// Programs on another machine that use the bridge over a link. The machine is an sshd with its own home folder.
    @Suite("xpb link")
    struct LinkTests {
        /// Runs `body` with a link to a machine named far.
        private func withLink<Result: Sendable>(
            _ arguments: [String] = [], machine: SSHHosts.Machine = .init(),
            _ body: (Sandbox, SSHHosts, Running) async throws -> Result
        ) async throws -> Result {
            try await Sandbox.with(display: nil, changes: ["XPB_MACHINE": "near"]) { sandbox in
                try await sandbox.require("bridge", "start")
                return try await sandbox.withHosts(["far": machine]) { hosts in
                    try await sandbox.running(Self.command(hosts, arguments)) { link in
                        let line = try await link.line()
                        #expect(line == Self.isUp, "\(line)")
                        let result = try await body(sandbox, hosts, link)
                        try link.terminate()
                        return result
                    }.result
                }
            }
        }

        private static let isUp = "xpb: the link to far is up; xpb there uses the pasteboard of this machine"

        private static func command(_ hosts: SSHHosts, _ arguments: [String]) -> [String] {
            ["/bin/sh", "-c", "exec xpb link far --ssh-option -F --ssh-option \"$@\" 2>&1", "sh", hosts.configuration]
                + arguments
        }

        /// Waits until the link is up again. Until then, the link may only write that it is trying again.
        private static func awaitUp(_ link: Running) async throws {
            while case let line = try await link.line(), line != isUp {
                try #require(line.contains("trying again"), "\(line)")
            }
        }

        /// Runs an `xpb link` that ends by itself.
        private func outcome(
            _ arguments: [String] = [], machine: SSHHosts.Machine = .init(),
            _ prepare: (SSHHosts) async throws -> Void = { _ in }
        ) async throws -> (status: Int32?, text: String) {
            try await Sandbox.with(display: nil) { sandbox in
                try await sandbox.require("bridge", "start")
                return try await sandbox.withHosts(["far": machine]) { hosts in
                    try await prepare(hosts)
                    let outcome = try await sandbox.run(Self.command(hosts, arguments))
                    return (outcome.status, outcome.text)
                }
            }
        }

        // MARK: Calls

        @Test("A program on the other machine can set contents of any length, and read them back")
        func setAndGet() async throws {
            try await withLink { sandbox, hosts, _ in
                let there = hosts.on("far")
                try await there.require("set", "täxt from far")
                #expect(try await sandbox.require("get").text == "täxt from far")
                #expect(try await there.require("get").text == "täxt from far")
                #expect(try await there.require("count").lines == ["1"])
                #expect(try await sandbox.require("owner").text.contains("over link: far"))
                for length in [1, 65_537, 16 << 20] {
                    let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
                    let file = try sandbox.write(bytes, to: "data")
                    try await there.require("set", "-t", "public.data", "-f", file)
                    #expect(try await sandbox.require("get", "-t", "public.data").output == bytes)
                    #expect(try await there.require("get", "-t", "public.data").output == bytes)
                }
                try await there.require("set", "-t", "public.html", "--text", "<b>b</b>", "-t", "text", "--text", "b")
                #expect(try await there.require("types").lines.prefix(2) == ["public.html", "public.utf8-plain-text"])
                try await there.require("add", "c")
                #expect(try await sandbox.require("count").lines == ["6"])
                try await there.require("clear")
                #expect(try await sandbox.run(["xpb", "get"]).status == 1)
            }
        }

        @Test("Contents that are too long are refused once, and the error names the limit")
        func tooLong() async throws {
            try await withLink { sandbox, hosts, _ in
                let path = sandbox.path("sparse")
                _ = FileManager.default.createFile(atPath: path, contents: nil)
                let file = try FileHandle(forWritingTo: URL(filePath: path))
                try file.truncate(atOffset: 300 << 20)
                try file.close()
                let outcome = try await hosts.on("far").run(["xpb", "set", "-t", "public.data", "-f", path])
                #expect(outcome.status == 6 && outcome.error.contains("256 MiB"), "\(outcome)")
            }
        }

        @Test("The other machine cannot read the contents of this machine, unless reading is allowed")
        func reading() async throws {
            try await withLink { sandbox, hosts, _ in
                try await sandbox.require("set", "of near")
                let refused = try await hosts.on("far").run(["xpb", "get"])
                #expect(refused.status == 6 && refused.error.contains("--allow get"), "\(refused)")
                #expect(try await hosts.on("far").run(["xpb", "history"]).status == 6)
                #expect(try await hosts.on("far").run(["xpb", "status"]).status == 6)
                #expect(try await hosts.on("far").run(["xpb", "undo"]).status == 6)
                #expect(try await hosts.on("far").run(["xpb", "get", "-p", "find"]).status == 6)
                #expect(try await hosts.on("far").run(["xpb", "bridge", "stop"]).status == 6)
                #expect(try await sandbox.require("get").text == "of near")
            }
            try await withLink(["--allow", "get", "--allow", "history"]) { sandbox, hosts, _ in
                try await sandbox.require("set", "of near")
                #expect(try await hosts.on("far").require("get").text == "of near")
                #expect(try await hosts.on("far").require("history", "--json").text.contains("of near"))
                try await sandbox.require("set", "--concealed", "-f", try sandbox.write([0x61], to: "secret"))
                let concealed = try await hosts.on("far").run(["xpb", "get"])
                #expect(concealed.status == 6 && concealed.error.contains("concealed"), "\(concealed)")
            }
        }

        @Test("The calls that a link has refused are counted in the list of links and in status")
        func counted() async throws {
            try await withLink { sandbox, hosts, _ in
                #expect(try await hosts.on("far").run(["xpb", "history"]).status == 6)
                for command in [["link", "--list"], ["status"]] {
                    let text = try await sandbox.require(command).text
                    #expect(text.contains(" refused; allows "), "\(text)")
                }
            }
        }

        @Test("A secret from the other machine is refused")
        func secret() async throws {
            try await withLink { sandbox, hosts, _ in
                let secret = try sandbox.write(Array("s3cret".utf8), to: "secret")
                let outcome = try await hosts.on("far").run(["xpb", "set", "--concealed", "-f", secret])
                #expect(outcome.status == 6 && outcome.error.contains("concealed"), "\(outcome)")
                #expect(try await sandbox.require("count").lines == ["0"])
            }
        }

        // MARK: Links

        @Test("The state of a link is shown, and --stop ends the link")
        func stopped() async throws {
            try await withLink { sandbox, hosts, link in
                try await hosts.on("far").require("set", "a")
                let list = try await sandbox.require("link", "--list").text
                #expect(list.hasPrefix("far: up, ") && list.contains("allows clear count set types"), "\(list)")
                #expect(try await sandbox.require("status").text.contains("link: far: up"))
                let json = try await sandbox.require("link", "--list", "--json").text
                #expect(json.hasPrefix("{\"links\":[{") && json.contains("\"name\":\"far\""), "\(json)")
                let second = try await sandbox.run(Self.command(hosts, []))
                #expect(second.status == 6 && second.text.contains("already"), "\(second)")
                try await sandbox.require("link", "far", "--stop")
                await ProcessTable.awaitEnd(of: link.processID)
                #expect(try await sandbox.run(["xpb", "link", "--list"]).status == 1)
                #expect(try await sandbox.run(["xpb", "link", "far", "--stop"]).status == 1)
                #expect(try await hosts.on("far").run(["xpb", "get"]).status == 4)
                #expect(try FileManager.default.contentsOfDirectory(atPath: sandbox.path("run/xpb/link")) == [])
            }
        }

        @Test("After a break, the link comes back, and programs on the other machine can use it again")
        func reconnected() async throws {
            try await withLink { sandbox, hosts, link in
                try await hosts.on("far").require("set", "a")
                try await hosts.stop("far")
                #expect(try await link.line().contains("trying again in"))
                #expect(try await sandbox.require("link", "--list").text.contains("far: down"))
                #expect(try await hosts.on("far").run(["xpb", "set", "b"]).status == 4)
                try await hosts.start("far")
                try await Self.awaitUp(link)
                try await hosts.on("far").require("set", "c")
                #expect(try await sandbox.require("get").text == "c")
            }
        }

        @Test("After a restart of the bridge, the link continues with the next bridge")
        func restarted() async throws {
            try await withLink { sandbox, hosts, _ in
                try await sandbox.require("bridge", "restart")
                // The link joins the next bridge a moment later.
                try await sandbox.awaitStatus { $0.text.contains("link: far: up") }
                try await hosts.on("far").require("set", "after")
                #expect(try await sandbox.require("get").text == "after")
            }
        }

        @Test("After the user has stopped the bridge, the link continues with the next bridge", .requiresXvfb)
        func stoppedBridge() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("bridge", "start")
                try await sandbox.withHosts(["far": .init()]) { hosts in
                    let there = hosts.on("far").removing("DISPLAY")
                    _ = try await sandbox.running(Self.command(hosts, [])) { link in
                        let line = try await link.line()
                        #expect(line == Self.isUp, "\(line)")
                        try await sandbox.require("bridge", "stop")
                        try await sandbox.require("bridge", "start")
                        try await sandbox.awaitStatus { $0.text.contains("link: far: up") }
                        try await there.require("set", "after")
                        try link.terminate()
                    }
                }
            }
        }

        @Test("After a break, a machine whose shell hangs is tried again", .timeLimit(.minutes(3)))
        func hanging() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                try await sandbox.require("bridge", "start")
                let (folder, mark) = (sandbox.path("bin"), sandbox.path("mark"))
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                let script = """
                    #!/bin/sh
                    if [ -e '\(mark)' ]; then exec sleep 600; fi
                    touch '\(mark)'
                    exec '\(Binaries.folder)/xpb' "$@"
                    """
                try Data(script.utf8).write(to: URL(filePath: "\(folder)/xpb"))
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(folder)/xpb")
                let machine = SSHHosts.Machine(environment: ["PATH": "\(folder):/usr/bin:/bin"])
                try await sandbox.withHosts(["far": machine]) { hosts in
                    _ = try await sandbox.running(Self.command(hosts, [])) { link in
                        let line = try await link.line()
                        #expect(line == Self.isUp, "\(line)")
                        try await hosts.stop("far")
                        #expect(try await link.line().contains("trying again"))
                        try await hosts.start("far")
                        var reason = try await link.line()
                        while reason.contains("cannot be reached") { reason = try await link.line() }
                        #expect(reason.contains("far did not answer within 60 s; trying again"), "\(reason)")
                        try FileManager.default.removeItem(atPath: mark)
                        try await Self.awaitUp(link)
                        try link.terminate()
                    }
                }
            }
        }

        @Test("If two machines have a link to a third machine, XPB_LINK chooses one of the links")
        func several() async throws {
            try await withLink { sandbox, hosts, _ in
                let there = hosts.on("far")
                // The socket of a second machine, with a listener.
                let path = hosts.path("run/xpb/link/other~1.sock", of: "far")
                _ = try await sandbox.running([Binaries.fixture("answering.py"), path, ""]) { server in
                    #expect(try await server.line() == "ready")
                    let outcome = try await there.run(["xpb", "count"])
                    #expect(outcome.status == 4 && outcome.error.contains("(near, other)"), "\(outcome)")
                    let chosen = try await there.changing(["XPB_LINK": "near"]).require("count")
                    #expect(chosen.lines == ["0"])
                    let missing = try await there.changing(["XPB_LINK": "nobody"]).run(["xpb", "count"])
                    #expect(missing.status == 4 && missing.error.contains("'nobody'"), "\(missing)")
                }
            }
        }

        @Test("An option of ssh without a value does not consume the next option")
        func options() async throws {
            try await withLink(["--ssh-option", "-4", "--ssh-option", "ConnectTimeout=30"]) { sandbox, hosts, _ in
                try await hosts.on("far").require("set", "a")
                #expect(try await sandbox.require("get").text == "a")
            }
        }

        @Test("A link uses its own connection, even if the user's configuration has a shared connection")
        func besideControlMaster() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                try await sandbox.require("bridge", "start")
                try await sandbox.withHosts(["far": .init()]) { hosts in
                    let url = URL(filePath: hosts.configuration)
                    let shared = "ControlMaster auto\nControlPath \(sandbox.path("user"))\nControlPersist 600\n"
                    try (Data(shared.utf8) + Data(contentsOf: url)).write(to: url)
                    let check = hosts.command("far", "", options: ["-O", "check"])
                    func use() async throws {
                        let ended = try await sandbox.running(Self.command(hosts, [])) { link in
                            let line = try await link.line()
                            #expect(line == Self.isUp, "\(line)")
                            try await hosts.on("far").require("set", "a")
                            try link.terminate()
                            await ProcessTable.awaitEnd(of: link.processID)
                        }
                        #expect(ended.status == 0)
                    }
                    try await use()
                    #expect(try await sandbox.run(check).status == 255)
                    #expect(try await hosts.run("far", "true").status == 0)
                    #expect(try await sandbox.run(check).status == 0)
                    try await use()
                    #expect(try await sandbox.run(check).status == 0)
                    #expect(try await hosts.run("far", "", options: ["-O", "exit"]).status == 0)
                    #expect(try await sandbox.require("count").lines == ["2"])
                }
            }
        }

        @Test("A link whose ssh does not answer a request can be ended in an orderly way")
        func endedWhileWaiting() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                try await sandbox.require("bridge", "start")
                let (folder, pipe) = (sandbox.path("bin"), sandbox.path("pipe"))
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                let path = try #require(sandbox.environment["PATH"])
                let script = """
                    #!/bin/sh
                    case " $* " in *" -O "*) echo waiting >'\(pipe)'; exec sleep 600 ;; esac
                    PATH='\(path)' exec ssh "$@"
                    """
                try Data(script.utf8).write(to: URL(filePath: "\(folder)/ssh"))
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(folder)/ssh")
                try await sandbox.withHosts(["far": .init()]) { hosts in
                    let reader = ["/bin/sh", "-c", "mkfifo \"$1\" && echo made && exec cat \"$1\"", "sh", pipe]
                    _ = try await sandbox.running(reader) { waiting in
                        #expect(try await waiting.line() == "made")
                        let near = sandbox.changing(["PATH": "\(folder):\(path)"])
                        let ended = try await near.running(Self.command(hosts, [])) { link in
                            #expect(try await waiting.line() == "waiting")
                            try link.terminate()
                            await ProcessTable.awaitEnd(of: link.processID)
                        }
                        #expect(ended.status == 0)
                    }
                }
            }
        }

        // MARK: Failures

        @Test("A changed key, a missing xpb, refused forwarding and a refused login are reported")
        func unreachable() async throws {
            let changed = try await outcome { try await $0.changeKey(of: "far") }
            #expect(changed.status == 4 && changed.text.contains("HOST IDENTIFICATION HAS CHANGED"), "\(changed)")
            let missing = try await outcome(machine: .init(environment: ["PATH": "/usr/bin:/bin"]))
            #expect(missing.status == 4 && missing.text.contains("xpb link far --install"), "\(missing)")
            let closed = try await outcome(machine: .init(options: ["AllowStreamLocalForwarding no"]))
            #expect(closed.status == 4 && closed.text.contains("AllowStreamLocalForwarding"), "\(closed)")
            let password = try await outcome(machine: .init(options: ["PubkeyAuthentication no"]))
            #expect(password.status == 4 && password.text.contains("Permission denied"), "\(password)")
        }

        @Test("A shell that greets, and an answer that is garbage, harm nothing")
        func garbage() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                try await sandbox.require("bridge", "start")
                let folder = sandbox.path("bin")
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                let script =
                    "#!/bin/sh\nhead -c 1000000 /dev/urandom\necho 'xpb-link {\"socket\":\"relative\"}'\nexit 3\n"
                try Data(script.utf8).write(to: URL(filePath: "\(folder)/xpb"))
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(folder)/xpb")
                let machine = SSHHosts.Machine(environment: ["PATH": "\(folder):/usr/bin:/bin"])
                try await sandbox.withHosts(["far": machine]) { hosts in
                    let outcome = try await sandbox.run(Self.command(hosts, []))
                    #expect(outcome.status == 4 && outcome.text.contains("status 3"), "\(outcome)")
                    #expect(!outcome.text.contains("\u{1b}"))
                }
                try await sandbox.require("set", "unharmed")
            }
        }

        @Test("A link to this machine itself is refused")
        func itself() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                try await sandbox.require("bridge", "start")
                let machine = SSHHosts.Machine(environment: ["XDG_RUNTIME_DIR": sandbox.path("run")])
                try await sandbox.withHosts(["far": machine]) { hosts in
                    let outcome = try await sandbox.run(Self.command(hosts, []))
                    #expect(outcome.status == 4 && outcome.text.contains("is this machine"), "\(outcome)")
                }
            }
        }

        @Test("Without ssh, xpb link and xpb link --install say what to install", arguments: [[], ["--install"]])
        func withoutSSH(options: [String]) async throws {
            try await Sandbox.with(display: nil) { sandbox in
                try await sandbox.require("bridge", "start")
                let outcome = try await sandbox.changing(["PATH": sandbox.folder]).run(
                    [Binaries.folder + "/xpb", "link", "far"] + options)
                #expect(outcome.status == 4 && outcome.error.contains("ssh cannot be run"), "\(outcome)")
                #expect(outcome.error.contains("install OpenSSH"))
            }
        }

        @Test(
            "Wrong command lines are usage errors",
            arguments: [
                ["link"], ["link", "--list", "far"], ["link", "-x"], ["link", "a b"],
                ["link", "far", "--stop", "--install"], ["link", "far", "--install", "--names"],
            ])
        func usage(arguments: [String]) async throws {
            try await Sandbox.with(display: nil) { sandbox in
                let outcome = try await sandbox.run(["xpb"] + arguments)
                #expect(outcome.status == 2, "\(outcome)")
            }
        }
    }
}
