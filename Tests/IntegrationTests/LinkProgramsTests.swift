import CopyingSupport
import Foundation
import TestSupport
import Testing

extension Integration {
    /// The programs of another machine that use a link: xpb, the drop-in names, and programs of an X display.
    @Suite("xpb link --install, --names and --xvfb")
    struct LinkProgramsTests {
        private static func command(_ hosts: SSHHosts, _ arguments: [String]) -> [String] {
            ["/bin/sh", "-c", "exec xpb link far --ssh-option -F --ssh-option \"$@\" 2>&1", "sh", hosts.configuration]
                + arguments
        }

        /// Makes an executable file in a folder of the sandbox, and returns the folder.
        private static func script(_ text: String, named name: String, in sandbox: Sandbox) throws -> String {
            let folder = sandbox.path("bin")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(folder)/\(name)")
            return folder
        }

        /// The commands by which programs in a terminal look for a picture.
        private static let probes = [
            "xclip -selection clipboard -t TARGETS -o | grep -x image/png",
            "xclip -selection clipboard -t image/png -o",
            "wl-paste -l | grep -x image/png", "wl-paste --type image/png", "xsel -b -o", "pbpaste",
        ]

        @Test("After --install, programs that call the drop-in names get the same bytes there as here")
        func installed() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                try await sandbox.require("bridge", "start")
                let machine = SSHHosts.Machine(environment: ["PATH": "/usr/bin:/bin"])
                try await sandbox.withHosts(["far": machine]) { hosts in
                    let installing = try await sandbox.run(Self.command(hosts, ["--install"]))
                    #expect(installing.status == 0, "\(installing)")
                    #expect(installing.text.contains("export PATH=\"$HOME/.local/lib/xpb/bin:$PATH\""), "\(installing)")
                    #expect(FileManager.default.isExecutableFile(atPath: hosts.path(".local/bin/xpb", of: "far")))
                    let picture = try sandbox.write(
                        (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }, to: "a.png")
                    try await sandbox.require(
                        "set", "-t", "image/png", "-f", picture, "-t", "text", "--text", "caption")
                    _ = try await sandbox.running(Self.command(hosts, ["--allow", "get", "--allow", "find"])) { link in
                        #expect(try await link.line().contains("is up"))
                        try await sandbox.linkDropIns()
                        for probe in Self.probes {
                            let here = try await sandbox.shell("PATH=$PWD/links:$PATH; \(probe)")
                            let there = try await hosts.run("far", "PATH=$HOME/.local/lib/xpb/bin:$PATH; \(probe)")
                            #expect(here.status == 0 && !here.output.isEmpty, "\(probe): \(here.error)")
                            #expect(there.status == 0 && there.output == here.output, "\(probe): \(there.error)")
                        }
                        try link.terminate()
                    }
                }
            }
        }

        @Test("--names makes links to the xpb that is there, and leaves other programs alone")
        func names() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                let folder = try Self.script("#!/bin/sh\necho own xpb\n", named: "xpb", in: sandbox)
                let machine = SSHHosts.Machine(environment: ["PATH": "\(folder):/usr/bin:/bin"])
                try await sandbox.withHosts(["far": machine]) { hosts in
                    for _ in 0..<2 {
                        let making = try await sandbox.run(Self.command(hosts, ["--names"]))
                        #expect(making.status == 0, "\(making)")
                    }
                    let own = try await hosts.run("far", "$HOME/.local/lib/xpb/bin/wl-paste")
                    #expect(own.lines == ["own xpb"], "\(own)")
                    let link = hosts.path(".local/lib/xpb/bin/xsel", of: "far")
                    try FileManager.default.removeItem(atPath: link)
                    try Data("mine".utf8).write(to: URL(filePath: link))
                    let refused = try await sandbox.run(Self.command(hosts, ["--names"]))
                    #expect(refused.status == 4 && refused.text.contains("xsel is another program"), "\(refused)")
                    #expect(try Data(contentsOf: URL(filePath: link)) == Data("mine".utf8))
                }
            }
        }

        @Test("A machine without xpb, and one whose disk is full, are reported")
        func notInstalled() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                let folder = try Self.script(
                    "#!/bin/sh\necho 'No space left on device' >&2\nexit 1\n", named: "mktemp", in: sandbox)
                let machine = SSHHosts.Machine(environment: ["PATH": "\(folder):/usr/bin:/bin"])
                try await sandbox.withHosts(["far": machine]) { hosts in
                    let without = try await sandbox.run(Self.command(hosts, ["--names"]))
                    #expect(without.status == 4 && without.text.contains("--install copies"), "\(without)")
                    let full = try await sandbox.run(Self.command(hosts, ["--install"]))
                    #expect(full.status == 4 && full.text.contains("No space left on device"), "\(full)")
                }
            }
        }

        @Test("Output of the other machine is not shown during --install, and the user's own commands are not run")
        func quietInstallation() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                let folder = try Self.script(
                    "#!/bin/sh\nprintf '\\033]0;owned\\007'\nexec /bin/mkdir \"$@\"\n", named: "mkdir", in: sandbox)
                let machine = SSHHosts.Machine(environment: ["PATH": "\(folder):/usr/bin:/bin"])
                try await sandbox.withHosts(["far": machine]) { hosts in
                    let url = URL(filePath: hosts.configuration)
                    let mark = sandbox.path("mark")
                    let own = "RemoteCommand echo own\nPermitLocalCommand yes\nLocalCommand touch \(mark)\n"
                    try (Data(own.utf8) + Data(contentsOf: url)).write(to: url)
                    let installing = try await sandbox.run(Self.command(hosts, ["--install"]))
                    #expect(installing.status == 0 && !installing.text.contains("own"), "\(installing)")
                    #expect(FileManager.default.isExecutableFile(atPath: hosts.path(".local/bin/xpb", of: "far")))
                    #expect(!FileManager.default.fileExists(atPath: mark))
                }
            }
        }

        @Test("--xvfb starts a display that shares general, survives a break, and ends with the link", .requiresXvfb)
        func display() async throws {
            try await Sandbox.with(display: nil) { near in
                try await near.require("bridge", "start")
                try await near.withHosts(["far": .init()]) { hosts in
                    let name = try await near.running(Self.command(hosts, ["--xvfb"])) { link in
                        let isUp = try await link.line()
                        #expect(isUp == "xpb: the link to far is up; both machines share general")
                        let line = try await link.line()
                        let words = line.split(separator: " ").suffix(2).map {
                            $0.split(separator: "=").map(String.init)
                        }
                        #expect(words.map(\.first) == ["DISPLAY", "XAUTHORITY"], "\(line)")
                        let variables = Dictionary(uniqueKeysWithValues: words.map { ($0[0], $0[1]) })
                        let far = hosts.on("far").changing(variables)
                        try await near.require("set", "of near")
                        try await far.require("wait", "--since", "0", "--timeout", "60")
                        #expect(
                            try await far.run(["/usr/bin/xclip", "-selection", "clipboard", "-o"]).text == "of near")
                        try await hosts.stop("far")
                        #expect(try await link.line().contains("trying again"))
                        try await hosts.start("far")
                        while case let again = try await link.line(), again != line {
                            try #require(again == isUp || again.contains("trying again"), "\(again)")
                        }
                        let copied = try await far.shell(
                            "printf 'of far' | /usr/bin/xclip -selection clipboard > /dev/null 2>&1")
                        #expect(copied.status == 0, "\(copied)")
                        #expect(try await near.require("wait", "--since", "1", "--timeout", "60").lines == ["2"])
                        #expect(try await near.require("get").text == "of far")
                        // Another user of the machine has no cookie.
                        let stranger = far.changing(["XAUTHORITY": "/dev/null"])
                        #expect(try await stranger.run(["/usr/bin/xclip", "-o"]).status != 0)
                        // The next copy ends xclip, which would keep the display.
                        try await near.require("set", "last")
                        try await far.require("wait", "--since", "2", "--timeout", "60")
                        try link.terminate()
                        try await link.finish()
                        return variables["DISPLAY"] ?? ""
                    }.result
                    // Retries, because nothing reports the end of the server.
                    while FileManager.default.fileExists(atPath: "/tmp/.X11-unix/X\(name.dropFirst())") {
                        try Task.checkCancellation()
                        await Task.yield()
                    }
                }
            }
        }

        @Test("A machine without Xvfb is told what to install")
        func withoutXvfb() async throws {
            try await Sandbox.with(display: nil) { near in
                try await near.require("bridge", "start")
                let linked = try await near.shell("mkdir bin; ln -s /bin/sh \"$(command -v xpb)\" bin")
                #expect(linked.status == 0, "\(linked)")
                let machine = SSHHosts.Machine(environment: ["PATH": near.path("bin")])
                try await near.withHosts(["far": machine]) { hosts in
                    let outcome = try await near.run(Self.command(hosts, ["--xvfb"]))
                    #expect(outcome.status == 4 && outcome.text.contains("its package is xvfb"), "\(outcome)")
                }
            }
        }
    }
}
