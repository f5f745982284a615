import FoundationEssentials
import Glibc
import LinuxSystem
import TestSupport
import Testing

extension Embedded {
    @Suite("The bridge leaves the program's state as it is", .requiresXvfb)
    struct HostStateTests {
        @Test("Signals, limits, environment, folder and mask are unchanged")
        func unchanged() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.withHost { host in
                    // Ignoring SIGCHLD gives the program a state that differs from the defaults.
                    #expect(try await host.ask("ignore 17") == "ok")
                    let before = try await host.ask("state")
                    try await host.start()
                    try await host.require("set text")
                    #expect(try await sandbox.xclipPastes() == "text")
                    #expect(try await host.ask("state") == before)
                    #expect(try await host.ask("stop") == "ok")
                    #expect(try await host.ask("state") == before)
                }
            }
        }

        @Test("The bridge's threads block all signals, even SIGPIPE, except the signals of faults")
        func threads() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.withHost { host in
                    try await host.start()
                    try await host.require("set text")
                    let folder = "/proc/\(host.process.processID)/task"
                    var blocked: [String: UInt64] = [:]
                    for thread in try FileManager.default.contentsOfDirectory(atPath: folder) {
                        // A thread of the library may end before its status is read.
                        let path = "\(folder)/\(thread)/status"
                        guard let status = try? String(contentsOfFile: path, encoding: .utf8) else { continue }
                        let lines = status.split(separator: "\n").map { $0.split(separator: "\t") }
                        let name = try #require(lines.first { $0.first == "Name:" }?.last)
                        let mask = try #require(lines.first { $0.first == "SigBlk:" }?.last)
                        let bits: UInt64 = try #require(UInt64(mask, radix: 16))
                        blocked[thread == "\(host.process.processID)" ? "main" : String(name)] = bits
                    }
                    #expect(blocked["main"] == 0)
                    for name in ["xpb-bridge", "xpb-display"] {
                        let mask = try #require(blocked[name])
                        for signal in [SIGHUP, SIGINT, SIGPIPE, SIGTERM, SIGCHLD, SIGUSR1, SIGALRM] {
                            #expect(mask >> (signal - 1) & 1 == 1, "\(name) takes signal \(signal)")
                        }
                        for signal in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT] {
                            #expect(mask >> (signal - 1) & 1 == 0, "\(name) blocks signal \(signal)")
                        }
                    }
                }
            }
        }

        @Test("A client's XAUTHORITY does not change the program's environment")
        func authority() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                try await sandbox.withHost { host in
                    let before = try await host.ask("state")
                    // The display has a unique name: the bridge would also serve a later server with the same name.
                    try await Xvfb.running { display in
                        try await host.start(display)
                        #expect(try await host.ask("set text") == "1")
                    }
                    let socket = try await socket(of: sandbox)
                    let name = socket.split(separator: "/").last?.dropLast(5) ?? ""
                    let call = """
                        {"method":"org.xpb.Pasteboard.Attach","parameters":\
                        {"display":"\(name)","authority":"\(sandbox.folder)/none","timeout":60000}}

                        """
                    let answer = try await sandbox.run(
                        [Binaries.fixture("wire.py"), socket], input: Array(call.utf8))
                    #expect(answer.text.contains("DisplayUnavailable"), "\(answer)")
                    #expect(try await host.ask("state") == before)
                    #expect(try await host.ask("get") == "text")
                }
            }
        }

        @Test("Clients that connect while the program has no descriptors left are served once descriptors are free")
        func noDescriptors() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.withHost { host in
                    try await host.start()
                    #expect(try await host.ask("set text") == "1")
                    #expect(try await host.ask("exhaust") == "ok")
                    let waiting = try UnixSocket.connect(to: try await socket(of: sandbox))
                    // The bridge has seen that connection before it takes this call.
                    #expect(try await host.ask("count") == "1")
                    #expect(try await host.ask("release") == "ok")
                    #expect(try await sandbox.require("get", "--timeout", "60").text == "text")
                    withExtendedLifetime(waiting) {}
                }
            }
        }

        private func socket(of sandbox: Sandbox) async throws -> String {
            let found = try await sandbox.shell("find run -type s")
            try #require(found.lines.count == 1, "\(found)")
            return sandbox.path(found.lines[0])
        }
    }
}
