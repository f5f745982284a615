import CopyingSupport
import Foundation
import TestSupport
import Testing

extension Integration {
    /// Two machines, each with its own bridge, share the pasteboard general.
    @Suite("xpb link --share")
    struct SharingTests {
        private static let isUp = "xpb: the link to far is up; both machines share general"

        private static func command(_ hosts: SSHHosts, _ arguments: [String]) -> [String] {
            ["/bin/sh", "-c", "exec xpb link far --share --ssh-option -F --ssh-option \"$@\" 2>&1", "sh"]
                + [hosts.configuration] + arguments
        }

        /// Runs `body` with two machines that share general.
        private func withSharing(
            _ arguments: [String] = [], proxy: ((Sandbox) -> [String])? = nil,
            _ body: (Sandbox, Sandbox, SSHHosts, Running) async throws -> Void
        ) async throws {
            try await Sandbox.with(display: nil, changes: ["XPB_MACHINE": "near"]) { near in
                try await near.require("bridge", "start")
                let machine = SSHHosts.Machine(proxy: proxy?(near))
                try await near.withHosts(["far": machine]) { hosts in
                    let far = hosts.on("far")
                    try await far.require("bridge", "start")
                    _ = try await near.running(Self.command(hosts, arguments)) { link in
                        let line = try await link.line()
                        #expect(line == Self.isUp, "\(line)")
                        try await body(near, far, hosts, link)
                        try link.terminate()
                    }
                    try await far.require("bridge", "stop")
                }
            }
        }

        /// Waits until a machine reaches a count, and expects no higher count.
        private static func await(_ count: Int, on machine: Sandbox) async throws {
            let outcome = try await machine.require("wait", "--since", "\(count - 1)", "--timeout", "60")
            #expect(outcome.lines == ["\(count)"], "\(outcome)")
        }

        /// Pastes as soon as the promise of the contents has been renewed after a break. Retries, because nothing
        /// reports the renewal.
        private static func pasted(on machine: Sandbox) async throws -> [UInt8] {
            while true {
                let outcome = try await machine.run(["xpb", "get", "-t", "public.data", "--timeout", "60"])
                if outcome.status == 0 { return outcome.output }
                try Task.checkCancellation()
            }
        }

        @Test("A copy on either machine is pasted on the other, in all its types, as one change")
        func bothWays() async throws {
            try await withSharing { near, far, _, _ in
                try await near.require("set", "-t", "public.html", "--text", "<b>a</b>", "-t", "text", "--text", "a")
                try await Self.await(1, on: far)
                #expect(try await far.require("get").text == "a")
                #expect(try await far.require("get", "-t", "html").text == "<b>a</b>")
                let owner = try await far.require("owner").text
                #expect(owner.contains("over link: near"), "\(owner)")
                try await far.require("set", "b")
                try await Self.await(2, on: near)
                #expect(try await near.require("get").text == "b")
                #expect(try await far.require("count").lines == ["2"])
                try await near.require("undo")
                try await Self.await(3, on: far)
                #expect(try await far.require("get").text == "a")
                try await far.require("clear")
                try await Self.await(4, on: near)
                #expect(try await near.run(["xpb", "get"]).status == 1)
            }
        }

        @Test("Long contents cross the link unchanged when they are pasted")
        func long() async throws {
            try await withSharing { near, far, _, _ in
                let bytes = (0..<16 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 12) }
                let file = try near.write(bytes, to: "long")
                try await near.require("set", "-t", "public.data", "-f", file)
                try await Self.await(1, on: far)
                #expect(try await far.require("get", "-t", "public.data").output == bytes)
                try await far.require("set", "-t", "public.png", "-f", file, "-t", "text", "--text", "caption")
                try await Self.await(2, on: near)
                #expect(try await near.require("get").text == "caption")
                #expect(try await near.require("get", "-t", "public.png").output == bytes)
            }
        }

        @Test("Secrets and local contents stay on their machine, and older contents do not replace them")
        func withheld() async throws {
            try await withSharing { near, far, _, _ in
                try await near.require("set", "a")
                try await Self.await(1, on: far)
                try await near.require("set", "--concealed", "-f", try near.write([0x61], to: "secret"))
                try await near.require("set", "--local-only", "local")
                try await far.require("set", "b")
                try await Self.await(4, on: near)
                #expect(try await near.require("get").text == "b")
                #expect(try await far.require("count").lines == ["2"])
                #expect(try await far.require("history").lines.count == 2)
            }
        }

        @Test("After a break, the newer copy wins, and promises can be kept again")
        func broken() async throws {
            try await withSharing { near, far, hosts, link in
                let bytes = [UInt8](repeating: 0x61, count: 1 << 20)
                try await near.require("set", "-t", "public.data", "-f", try near.write(bytes, to: "long"))
                try await Self.await(1, on: far)
                try await hosts.stop("far")
                #expect(try await link.line().contains("trying again"))
                // The promise is broken with the connection.
                let missing = try await far.run(["xpb", "get", "-t", "public.data"])
                #expect(missing.status == 5, "\(missing)")
                try await hosts.start("far")
                while case let line = try await link.line(), line != Self.isUp {}
                #expect(try await Self.pasted(on: far) == bytes)
                #expect(try await far.require("count").lines == ["1"])
                // Promises on this side are broken, too.
                try await far.require("set", "-t", "public.data", "-f", near.path("long"))
                try await Self.await(2, on: near)
                try await hosts.stop("far")
                #expect(try await link.line().contains("trying again"))
                #expect(try await near.run(["xpb", "get", "-t", "public.data"]).status == 5)
                try await hosts.start("far")
                while case let line = try await link.line(), line != Self.isUp {}
                #expect(try await Self.pasted(on: near) == bytes)
                #expect(try await near.require("count").lines == ["2"])

                try await hosts.stop("far")
                #expect(try await link.line().contains("trying again"))
                try await near.require("set", "older")
                try await far.require("set", "newer")
                try await hosts.start("far")
                while case let line = try await link.line(), line != Self.isUp {}
                try await Self.await(4, on: near)
                #expect(try await near.require("get").text == "newer")
                #expect(try await far.require("count").lines == ["3"])
                #expect(try await near.require("history").text.contains("older"))
            }
        }

        @Test("The threads and connections that share the pasteboard end with the link's connection")
        func ended() async throws {
            try await withSharing { near, far, hosts, link in
                func use() throws -> Int {
                    try ["task", "fd"].map {
                        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(link.processID)/\($0)").count
                    }.reduce(0, +)
                }
                let long = try far.write([UInt8](repeating: 0x61, count: 1 << 20), to: "long")
                try await far.require("set", "-t", "public.data", "-f", long)
                try await Self.await(1, on: near)
                let first = try use()
                for _ in 0..<3 {
                    try await hosts.stop("far")
                    #expect(try await link.line().contains("trying again"))
                    try await hosts.start("far")
                    while case let line = try await link.line(), line != Self.isUp {}
                }
                // Nothing reports the ends of threads.
                try await near.awaitStatus { _ in try use() <= first }
            }
        }

        @Test("With --keep, contents can be pasted even after a break")
        func kept() async throws {
            try await withSharing(["--keep", "2000000"]) { near, far, hosts, link in
                let bytes = [UInt8](repeating: 0x61, count: 1 << 20)
                try await near.require("set", "-t", "public.data", "-f", try near.write(bytes, to: "long"))
                try await Self.await(1, on: far)
                try await hosts.stop("far")
                #expect(try await link.line().contains("trying again"))
                #expect(try await far.require("get", "-t", "public.data").output == bytes)
            }
        }

        @Test(
            "After a link is killed, its ssh and its endpoint exit, and the next list removes its sockets",
            .timeLimit(.minutes(3)))
        func killed() async throws {
            try await withSharing { near, far, hosts, link in
                let folder = near.path("run/xpb/link")
                let sockets = try FileManager.default.contentsOfDirectory(atPath: folder)
                #expect(sockets.allSatisfy { $0.hasSuffix(".shared") || $0.hasSuffix(".ssh") }, "\(sockets)")
                func processes(_ name: String, of machine: Sandbox) throws -> [Int32] {
                    let home = try #require(machine.environment["XDG_RUNTIME_DIR"])
                    return ProcessTable.processes(withEnvironmentContaining: home).filter {
                        ProcessTable.executable(of: $0) == name && $0 != link.processID
                    }
                }
                let others = try processes("ssh", of: near) + processes("xpb", of: far)
                #expect(others.count == 2)
                try await near.require("set", "-t", "public.data", "-f", try near.write([0x61], to: "a"))
                try await Self.await(1, on: far)
                try await link.kill()
                for process in others { await ProcessTable.awaitEnd(of: process) }
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
                #expect(try await near.run(["xpb", "link", "--list"]).status == 1)
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
                #expect(try await far.run(["xpb", "link", "--list"]).status == 1)
                let remains = try FileManager.default.contentsOfDirectory(atPath: hosts.path("run/xpb/link", of: "far"))
                #expect(remains == [])
            }
        }

        @Test("A machine does not share with itself")
        func itself() async throws {
            try await Sandbox.with(display: nil) { near in
                try await near.require("bridge", "start")
                let machine = SSHHosts.Machine(environment: ["XDG_RUNTIME_DIR": near.path("run")])
                try await near.withHosts(["far": machine]) { hosts in
                    let outcome = try await near.run(Self.command(hosts, []))
                    #expect(outcome.status == 4 && outcome.text.contains("is this machine"), "\(outcome)")
                }
            }
        }

        @Test("Sharing with a machine that has its own link to this machine fails at once")
        func refused() async throws {
            try await Sandbox.with(display: nil, changes: ["XPB_MACHINE": "near"]) { near in
                try await near.require("bridge", "start")
                let machine = SSHHosts.Machine(environment: ["XDG_RUNTIME_DIR": near.path("run")])
                try await near.withHosts(["far": .init(), "near": machine]) { hosts in
                    let far = hosts.on("far")
                    try await far.require("bridge", "start")
                    let own = [
                        "/bin/sh", "-c", "exec xpb link near --ssh-option -F --ssh-option \"$@\" 2>&1", "sh",
                        hosts.configuration,
                    ]
                    _ = try await far.running(own) { link in
                        #expect(try await link.line().contains("is up"))
                        let outcome = try await near.run(Self.command(hosts, []))
                        #expect(outcome.status == 4 && outcome.text.contains("already"), "\(outcome)")
                        try link.terminate()
                    }
                    try await far.require("bridge", "stop")
                }
            }
        }

        @Test("Contents of a program that does not answer reach the other machine as promises", .requiresXvfb)
        func silentOwner() async throws {
            try await Sandbox.with(changes: ["XPB_MACHINE": "near"]) { near in
                try await near.require("bridge", "start")
                try await near.withHosts(["far": .init()]) { hosts in
                    let far = hosts.on("far").removing("DISPLAY")
                    try await far.require("bridge", "start")
                    let file = try near.write([0x61], to: "text")
                    try await near.withPeer(["own", "--offer", "UTF8_STRING", file, "--silent-for", "UTF8_STRING"]) {
                        peer in
                        _ = try await peer.await("owned")
                        let arguments = Self.command(hosts, ["--timeout", "1"])
                        _ = try await near.running(arguments) { link in
                            let line = try await link.line()
                            #expect(line == Self.isUp, "\(line)")
                            try await Self.await(1, on: far)
                            try link.terminate()
                        }
                    }
                    try await far.require("bridge", "stop")
                }
            }
        }

        @Test("A machine without a bridge cannot share")
        func noBridge() async throws {
            try await Sandbox.with(display: nil) { near in
                try await near.require("bridge", "start")
                try await near.withHosts(["far": .init()]) { hosts in
                    let outcome = try await near.run(Self.command(hosts, []))
                    #expect(outcome.status == 4 && outcome.text.contains("no bridge is running"), "\(outcome)")
                }
            }
        }

        @Test("A machine without a bridge does not share the bridge of a third machine that has a link to it")
        func thirdBridge() async throws {
            try await Sandbox.with(display: nil) { near in
                try await near.require("bridge", "start")
                try await near.withHosts(["far": .init()]) { hosts in
                    try FileManager.default.createDirectory(
                        atPath: hosts.path("run/xpb", of: "far"), withIntermediateDirectories: false,
                        attributes: [.posixPermissions: 0o700])
                    let path = hosts.path("run/xpb/link/other~1.sock", of: "far")
                    _ = try await near.running([Binaries.fixture("answering.py"), path, ""]) { server in
                        #expect(try await server.line() == "ready")
                        let outcome = try await near.run(Self.command(hosts, []))
                        #expect(outcome.status == 4 && outcome.text.contains("no bridge is running"), "\(outcome)")
                    }
                }
            }
        }
    }
}
