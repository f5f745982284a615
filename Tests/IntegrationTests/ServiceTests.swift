import CopyingSupport
import Foundation
import TestSupport
import Testing

extension Integration {
    /// The bridge as a service of systemd: socket activation, notifications, and the journal.
    @Suite("As a service")
    struct ServiceTests {
        /// A script that listens at a path, and then runs a program that gets the socket as sd_listen_fds(3) describes.
        private static let handing = """
            import os, socket, sys
            path, command = sys.argv[1], sys.argv[2:]
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(path)
            listener.listen()
            os.dup2(listener.fileno(), 3)
            os.set_inheritable(3, True)
            os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1", LISTEN_FDNAMES="xpbd.socket")
            print("listening", flush=True)
            if sys.stdin.readline() == "go\\n":
                os.execvp(command[0], command)
            """

        /// A script that prints the datagrams that arrive at an address.
        private static let listening = """
            import os, socket, sys
            address = sys.argv[1]
            receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            receiver.bind(address.replace("@", "\\0", 1))
            print("listening", flush=True)
            while True:
                print(receiver.recv(4096).decode(), flush=True)
            """

        private static func python(_ script: String, _ arguments: String...) -> [String] {
            ["/usr/bin/python3", "-c", script] + arguments
        }

        @Test("The bridge serves a client that connected before its start, and leaves the socket in place")
        func activation() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                let path = "\(sandbox.runtimeFolder)/xpb/none.sock"
                let handing = Self.python(Self.handing, path, "xpbd", "--no-display")
                let status = try await sandbox.running(handing) { bridge in
                    #expect(try await bridge.line() == "listening")
                    async let early = sandbox.xpb("set", "--text", "early", "--timeout", "60")
                    try await bridge.send("go")
                    #expect(try await early.status == 0)
                    #expect(try await sandbox.require("get").text == "early")
                    let status = try await sandbox.require("status")
                    #expect(status.lines.contains("process: \(bridge.processID)"), "\(status)")
                    let second = try await sandbox.run(["xpbd", "--no-display"])
                    #expect(second.status == 6 && second.error.contains("\(bridge.processID)"), "\(second)")
                    try bridge.terminate()
                    try await bridge.finish()
                }.status
                #expect(status == 0)
                #expect(try await sandbox.shell("test -S \"$1\"", path).status == 0)
            }
        }

        @Test("A bridge started by its socket is found with and without DISPLAY if it has a display", .requiresXvfb)
        func activationWithDisplay() async throws {
            try await Sandbox.with { sandbox in
                let path = "\(sandbox.runtimeFolder)/xpb/none.sock"
                _ = try await sandbox.running(Self.python(Self.handing, path, "xpbd")) { bridge in
                    #expect(try await bridge.line() == "listening")
                    try await bridge.send("go")
                    try await sandbox.require("set", "--text", "text", "--timeout", "60")
                    #expect(try await sandbox.xclipPastes().text == "text")
                    #expect(try await sandbox.removing("DISPLAY").require("get").text == "text")
                    #expect(sandbox.bridges() == [bridge.processID])
                }
            }
        }

        @Test("A socket at another path is refused, with the right path in the message")
        func strangeSocket() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                let command = ["sh", "-c", "exec xpbd --no-display 2>&1"]
                let handing = Self.python(Self.handing, sandbox.path("other/xpb.sock")) + command
                let status = try await sandbox.running(handing) { bridge in
                    #expect(try await bridge.line() == "listening")
                    try await bridge.send("go")
                    let line = try await bridge.line()
                    #expect(line.contains("\(sandbox.runtimeFolder)/xpb/none.sock"), "\(line)")
                    try await bridge.finish()
                }.status
                #expect(status == 2)
            }
        }

        @Test("The bridge notifies the service manager of its start and end", arguments: [false, true])
        func notices(isAbstract: Bool) async throws {
            try await Sandbox.with(display: nil) { sandbox in
                let address = isAbstract ? "@\(sandbox.folder)/notice" : sandbox.path("notice")
                _ = try await sandbox.running(Self.python(Self.listening, address)) { manager in
                    #expect(try await manager.line() == "listening")
                    let service = sandbox.changing(["NOTIFY_SOCKET": address])
                    _ = try await service.running(["xpbd", "--no-display"]) { bridge in
                        #expect(try await manager.line() == "READY=1")
                        #expect(try await sandbox.xpb("get", "-p", "find").status == 1)
                        try bridge.terminate()
                        #expect(try await manager.line() == "STOPPING=1")
                        try await bridge.finish()
                    }
                }
            }
        }

        @Test("The unit of the service has the restrictions that SECURITY.md names")
        func restrictions() throws {
            let path = "\(Binaries.package)/Scripts/packaging/systemd/xpbd.service"
            let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
            for line in [
                "NoNewPrivileges=yes", "SystemCallFilter=@system-service @mount", "UMask=0077", "LimitCORE=0",
                "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK",
            ] { #expect(lines.contains(line), "\(line)") }
        }

        @Test("Filters do not inherit the variables of the service")
        func environment() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                let configuration = #"{"filters": {"public.svg-image -> public.png": ["env"]}}"#
                try sandbox.writeConfiguration(configuration)
                let path = "\(sandbox.runtimeFolder)/xpb/none.sock"
                let service = sandbox.changing(["NOTIFY_SOCKET": sandbox.path("nobody"), "SEEN": "yes"])
                _ = try await service.running(Self.python(Self.handing, path, "xpbd", "--no-display")) { bridge in
                    #expect(try await bridge.line() == "listening")
                    try await bridge.send("go")
                    try await sandbox.require("set", "-t", "image/svg+xml", "--text", "<svg/>", "--timeout", "60")
                    let seen = try await sandbox.require("get", "-t", "image/png").text
                    #expect(seen.contains("SEEN=yes"))
                    #expect(!seen.contains("NOTIFY_SOCKET") && !seen.contains("LISTEN_"), "\(seen)")
                }
            }
        }

        @Test("Log lines start with a priority for the journal, and with the time otherwise")
        func journal() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                for stream in ["$(stat -L -c %d:%i log)", "1:2"] {
                    let script =
                        "cd \"$HOME\" && : >log; "
                        + "JOURNAL_STREAM=\(stream) exec xpbd --no-display --log-level debug 2>>log"
                    _ = try await sandbox.running(Self.python(Self.listening, "@\(sandbox.folder)")) { manager in
                        #expect(try await manager.line() == "listening")
                        let service = sandbox.changing(["NOTIFY_SOCKET": "@\(sandbox.folder)"])
                        _ = try await service.running(["/bin/sh", "-c", script]) { bridge in
                            #expect(try await manager.line() == "READY=1")
                            try await sandbox.require("set", "--text", "text")
                            try bridge.terminate()
                            try await bridge.finish()
                        }
                    }
                    let lines = String(decoding: try sandbox.read("log"), as: UTF8.self).split(separator: "\n")
                    let isJournal = stream != "1:2"
                    #expect(lines.contains("<5>serving without a display") == isJournal, "\(lines)")
                    let changes = lines.filter { $0.hasPrefix("<7>general changed count=") }
                    #expect(changes.isEmpty != isJournal, "\(lines)")
                    let marked = lines.filter { $0.hasPrefix("<") }
                    #expect(marked.count == (isJournal ? lines.count : 0), "\(lines)")
                }
            }
        }
    }
}
