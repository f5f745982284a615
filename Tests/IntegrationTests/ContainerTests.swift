import CopyingSupport
import Foundation
import TestSupport
import Testing

private enum Bubblewrap {
    /// Returns true if the kernel lets this user make a container.
    static func works() async throws -> Bool {
        try await Sandbox.with(display: nil) { sandbox in
            try await sandbox.run(["bwrap", "--ro-bind", "/", "/", "--unshare-all", "true"]).status == 0
        }
    }
}

extension Integration {
    /// Programs in a container of bubblewrap that has xpb and the folder of the bridge's sockets, but neither the home
    /// folder nor a display.
    @Suite("Containers", .enabled("user namespaces are not allowed here") { try await Bubblewrap.works() })
    struct ContainerTests {
        /// Returns the command line of a container that runs a line of sh.
        ///
        /// - Parameter programs: The programs beside xpb in the container.
        private static func command(
            _ line: String, in sandbox: Sandbox, programs: [String] = ["xpb"], options: [String] = []
        ) -> [String] {
            let mounts = programs.flatMap { ["--ro-bind", "\(Binaries.folder)/\($0)", "/tmp/bin/\($0)"] }
            let names = "for n in xclip xsel wl-copy wl-paste pbcopy pbpaste; do ln -s xpb /tmp/bin/$n; done"
            return [
                "bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--tmpfs",
                "/run",
            ]
                + [
                    "--perms", "0700", "--dir", "/run/desktop", "--bind", "\(sandbox.runtimeFolder)/xpb",
                    "/run/desktop/xpb",
                ]
                + mounts + ["--unshare-all", "--die-with-parent"]
                + ["--setenv", "XDG_RUNTIME_DIR", "/run/desktop", "--setenv", "HOME", "/tmp", "--unsetenv", "DISPLAY"]
                + ["--setenv", "PATH", "/tmp/bin:/usr/bin:/bin"] + options + ["/bin/sh", "-c", "\(names); \(line)"]
        }

        private static let probes = [
            "xclip -selection clipboard -t TARGETS -o", "xclip -selection clipboard -t image/png -o", "wl-paste -l",
            "wl-paste --type image/png", "xsel -b -o", "pbpaste", "xpb get", "xpb history --format '{preview}'",
            "xpb count",
        ]

        @Test(
            "All names give the same bytes in a container as outside, under any user number, and with another DISPLAY",
            .requiresXvfb, arguments: [[], ["--uid", "1234", "--gid", "1234"], ["--setenv", "DISPLAY", ":4999"]])
        func names(options: [String]) async throws {
            try await Sandbox.with { sandbox in
                let picture = try sandbox.write((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }, to: "a.png")
                try await sandbox.require("set", "-t", "image/png", "-f", picture, "-t", "text", "--text", "caption")
                try await sandbox.linkDropIns()
                for probe in Self.probes {
                    let outside = try await sandbox.shell("PATH=$PWD/links:$PATH; \(probe)")
                    let inside = try await sandbox.run(Self.command(probe, in: sandbox, options: options))
                    #expect(outside.status == 0 && !outside.output.isEmpty, "\(probe): \(outside.error)")
                    #expect(inside.status == 0 && inside.output == outside.output, "\(probe): \(inside.error)")
                }
                let copying = "printf inside | xclip -selection clipboard"
                let copied = try await sandbox.run(Self.command(copying, in: sandbox, options: options))
                #expect(copied.status == 0, "\(copied)")
                #expect(try await sandbox.require("get").text == "inside")
            }
        }

        @Test("A container cannot restart the bridge outside, and does not stop it", .requiresXvfb)
        func restart() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "stays")
                for programs in [["xpb"], ["xpb", "xpbd"]] {
                    let restart = Self.command("xpb bridge restart", in: sandbox, programs: programs)
                    let outcome = try await sandbox.run(restart)
                    #expect(outcome.status == 6 && outcome.error.contains("outside this container"), "\(outcome)")
                }
                #expect(try await sandbox.require("get").text == "stays")
                #expect(try await sandbox.require("count").lines == ["1"])
            }
        }

        @Test("doctor finds no fault in a container whose bridge runs outside", .requiresXvfb)
        func doctor() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "a")
                let outcome = try await sandbox.run(Self.command("xpb doctor --verbose", in: sandbox))
                #expect(outcome.status == 0 && outcome.text.contains("outside this container"), "\(outcome)")
            }
        }

        @Test(
            "A bridge in a container, which does not reach the display, does not keep the display from a bridge",
            .requiresXvfb)
        func foreign() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("bridge", "start")
                try await sandbox.require("bridge", "stop")
                let line = Self.command(
                    "xpb bridge start && echo started && cat", in: sandbox, programs: ["xpb", "xpbd"])
                _ = try await sandbox.running(line) { container in
                    #expect(try await container.line() == "started")
                    try await sandbox.require("set", "of the desktop")
                    #expect(try await sandbox.require("get").text == "of the desktop")
                    try container.terminate()
                }
            }
        }

        @Test("set says that the bridge it has started ends with the container", .requiresXvfb)
        func startedInside() async throws {
            try await Sandbox.with { sandbox in
                let display = try #require(sandbox.environment["DISPLAY"])
                let made = try await sandbox.shell("mkdir -m 700 run/xpb")
                #expect(made.status == 0)
                let copies = "touch /run/.containerenv; xpb set a; xpb set b; xpb get; xpb bridge stop"
                let options = ["--ro-bind", "/tmp/.X11-unix", "/tmp/.X11-unix", "--setenv", "DISPLAY", display]
                let outcome = try await sandbox.run(
                    Self.command(copies, in: sandbox, programs: ["xpb", "xpbd"], options: options))
                #expect(outcome.text == "b" && outcome.error.split(separator: "ends with it").count == 2, "\(outcome)")
                let without = try await sandbox.run(
                    Self.command(
                        "xpb set a; xpb bridge stop", in: sandbox, programs: ["xpb", "xpbd"], options: options))
                #expect(without.status == 0 && without.error.isEmpty, "\(without)")
            }
        }

        @Test("bridge start without DISPLAY uses the only bridge, and starts no second one", .requiresXvfb)
        func onlyBridge() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "a")
                let without = sandbox.removing("DISPLAY")
                try await without.require("bridge", "start")
                #expect(try await without.require("get").text == "a")
                #expect(sandbox.bridges().count == 1)
            }
        }

        @Test("A program xpbd without its loader is reported as such, and not as missing")
        func loader() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                let file = try sandbox.write(Array("#!/nowhere/loader\n".utf8), to: "xpbd")
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
                let broken = sandbox.changing(["XPB_XPBD": file])
                let outcome = try await broken.run(["xpb", "bridge", "start"])
                #expect(outcome.status == 4 && outcome.error.contains("its loader is missing"), "\(outcome)")
                let doctor = try await broken.run(["xpb", "doctor"])
                #expect(doctor.text.contains("its loader is missing"), "\(doctor)")
            }
        }
    }
}
