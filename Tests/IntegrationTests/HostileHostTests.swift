import CopyingSupport
import Foundation
import TestSupport
import Testing

extension Integration {
    /// Machines with a foreign xpb, which announces whatever it likes.
    @Suite("A hostile machine at the other end of a link")
    struct HostileHostTests {
        /// Runs `body` with a machine named far, and with the path of the bridge that this machine's xpb announces.
        private func withHost(_ body: (Sandbox, SSHHosts, _ bridge: String) async throws -> Void) async throws {
            try await Sandbox.with(display: nil) { sandbox in
                try await sandbox.require("bridge", "start")
                let folder = sandbox.path("bin")
                let (socket, bridge) = (sandbox.path("h/socket"), sandbox.path("h/bridge"))
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                let script = """
                    #!/bin/sh
                    mkdir -p '\(sandbox.path("h"))'
                    echo 'xpb-link {"version":"1","socket":"\(socket)","bridge":"\(bridge)","isSameMachine":false}'
                    exec cat >/dev/null
                    """
                try Data(script.utf8).write(to: URL(filePath: "\(folder)/xpb"))
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(folder)/xpb")
                let machine = SSHHosts.Machine(environment: ["PATH": "\(folder):/usr/bin:/bin"])
                try await sandbox.withHosts(["far": machine]) { try await body(sandbox, $0, bridge) }
            }
        }

        private static func command(_ hosts: SSHHosts, _ arguments: [String]) -> [String] {
            ["/bin/sh", "-c", "exec xpb link far --ssh-option -F --ssh-option \"$@\" 2>&1", "sh", hosts.configuration]
                + arguments
        }

        @Test("A machine that announces a bridge is not given the pasteboard unless --share was given")
        func unasked() async throws {
            try await withHost { sandbox, hosts, bridge in
                _ = try await sandbox.running([Binaries.fixture("answering.py"), bridge]) { server in
                    #expect(try await server.line() == "ready")
                    _ = try await sandbox.running(Self.command(hosts, [])) { link in
                        #expect(try await link.line().hasSuffix("xpb there uses the pasteboard of this machine"))
                        try link.terminate()
                    }
                }
            }
        }

        @Test("A link does not open the forwardings of the user's configuration")
        func forwardings() async throws {
            try await withHost { sandbox, hosts, _ in
                let own = sandbox.path("own.sock")
                let arguments = ["--ssh-option", "LocalForward=\(own) /none"]
                _ = try await sandbox.running(Self.command(hosts, arguments)) { link in
                    #expect(try await link.line().contains("is up"))
                    #expect(!FileManager.default.fileExists(atPath: own))
                    try link.terminate()
                }
            }
        }

        @Test("ssh forwards neither the agent nor X11, and runs no local command, whatever the configuration says")
        func ownSettings() async throws {
            try await withHost { sandbox, hosts, _ in
                let (folder, used, mark) = (sandbox.path("wrapper"), sandbox.path("used"), sandbox.path("mark"))
                let url = URL(filePath: hosts.configuration)
                let own = "ForwardAgent yes\nForwardX11 yes\nPermitLocalCommand yes\nLocalCommand touch \(mark)\n"
                try (Data(own.utf8) + Data(contentsOf: url)).write(to: url)
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                let path = try #require(sandbox.environment["PATH"])
                // With -G, ssh writes the settings that it would use.
                let script = """
                    #!/bin/sh
                    export PATH='\(path)'
                    case " $* " in *" -O "*) ;; *) ssh -G "$@" >'\(used)' 2>/dev/null </dev/null ;; esac
                    exec ssh "$@"
                    """
                try Data(script.utf8).write(to: URL(filePath: "\(folder)/ssh"))
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(folder)/ssh")
                let near = sandbox.changing(["PATH": "\(folder):\(path)"])
                _ = try await near.running(Self.command(hosts, [])) { link in
                    #expect(try await link.line().contains("is up"))
                    let settings = String(decoding: try sandbox.read("used"), as: UTF8.self).split(separator: "\n")
                    for setting in ["forwardagent no", "forwardx11 no", "permitlocalcommand no"] {
                        #expect(settings.contains { $0 == setting }, "\(setting) is not in \(settings)")
                    }
                    #expect(!FileManager.default.fileExists(atPath: mark))
                    try link.terminate()
                }
            }
        }

        @Test("A bridge that asks for everything at once gets a limited number of threads")
        func limited() async throws {
            try await withHost { sandbox, hosts, bridge in
                let long = try sandbox.write([UInt8](repeating: 1, count: 1 << 20), to: "long")
                try await sandbox.require("set", "-t", "public.data", "-f", long)
                _ = try await sandbox.running([Binaries.fixture("hostile_bridge.py"), bridge]) { server in
                    #expect(try await server.line() == "ready")
                    _ = try await sandbox.running(Self.command(hosts, ["--share"])) { link in
                        #expect(try await link.line().contains("is up"))
                        #expect(try await server.line() == "asked")
                        let tasks = "/proc/\(link.processID)/task"
                        #expect(try FileManager.default.contentsOfDirectory(atPath: tasks).count < 80)
                        try await sandbox.require("set", "unharmed")
                        try link.terminate()
                    }
                }
            }
        }

        @Test("A bridge that sends a message of more than 8 MiB cannot share the pasteboard")
        func longMessage() async throws {
            try await withHost { sandbox, hosts, bridge in
                _ = try await sandbox.running([Binaries.fixture("hostile_bridge.py"), "--long", bridge]) { server in
                    #expect(try await server.line() == "ready")
                    let outcome = try await sandbox.run(Self.command(hosts, ["--share"]))
                    #expect(outcome.status == 4 && outcome.text.contains("cannot be shared"), "\(outcome)")
                    try await sandbox.require("set", "unharmed")
                }
            }
        }

        @Test("If a machine's clock is ahead, this is reported once as the reason why its contents do not arrive")
        func ahead() async throws {
            try await withHost { sandbox, hosts, bridge in
                _ = try await sandbox.running([Binaries.fixture("hostile_bridge.py"), "--ahead", bridge]) { server in
                    #expect(try await server.line() == "ready")
                    _ = try await sandbox.running(Self.command(hosts, ["--share"])) { link in
                        #expect(try await link.line().contains("is up"))
                        let line = try await link.line()
                        #expect(line.contains("minutes ahead"), "\(line)")
                        let list = try await sandbox.require("link", "--list").text
                        #expect(list.contains("far: up (") && list.contains("minutes ahead"), "\(list)")
                        try link.terminate()
                    }
                }
            }
        }

        @Test("The message of a bridge that refuses to share is shown without control characters")
        func message() async throws {
            try await withHost { sandbox, hosts, bridge in
                let message = "\u{1b}]0;owned\u{7}\u{202E}no\(String(repeating: "!", count: 100_000))"
                _ = try await sandbox.running([Binaries.fixture("hostile_bridge.py"), bridge, message]) { server in
                    #expect(try await server.line() == "ready")
                    _ = try await sandbox.running(Self.command(hosts, ["--share"])) { link in
                        var line = try await link.line()
                        if line.contains("is up") { line = try await link.line() }
                        let list = try await sandbox.require("link", "--list").text
                        for text in [line, list] {
                            #expect(text.contains("owned") && text.utf8.count < 20_000, "\(text.prefix(1_000))")
                            #expect(!text.unicodeScalars.contains { "\u{1b}\u{7}\u{202E}".unicodeScalars.contains($0) })
                        }
                        try link.terminate()
                    }
                }
            }
        }
    }
}
