import CopyingSupport
import Glibc
import TestSupport
import Testing

extension Integration {
    /// The bridge in a session of mutter without Xwayland, where it sees and offers contents over the session bus.
    @Suite("In a session of mutter without Xwayland")
    struct MutterBusTests {
        private static let text = "text/plain;charset=utf-8"

        @Test("status names the interface, and find is not a selection of the session")
        func told() async throws {
            try await Sandbox.withMutter(hasXwayland: false) { session, _ in
                let status = try await session.require("status").text
                let line = "wayland: wayland-0, org.gnome.Mutter.RemoteDesktop, without a primary selection"
                #expect(status.contains(line), "\(status)")
                try await session.require("set", "--pasteboard", "find", "needle")
                #expect(try await session.require("get", "--pasteboard", "find").text == "needle")
                #expect(try await session.run(["/usr/bin/wl-paste", "--primary"]).text.isEmpty)
            }
        }

        @Test("Wayland programs paste contents in each of their types, and the count stays the same")
        func toWayland() async throws {
            try await Sandbox.withMutter(hasXwayland: false) { session, _ in
                try session.write("<b>täxt</b>".utf8, to: "html")
                try await session.require("set", "täxt", "-t", "public.html", "-f", session.path("html"))
                let count = try await session.count()
                #expect(try await session.wlPastes("text/html") == "<b>täxt</b>")
                #expect(try await session.wlPastes(Self.text) == "täxt")
                #expect(try await session.count() == count)
            }
        }

        @Test(
            "The contents of a killed program remain with all types, and the count stays the same",
            arguments: [nil, "text/html"])
        func ended(type: String?) async throws {
            try await Sandbox.withMutter(hasXwayland: false) { session, mutter in
                try await mutter.pressKey()
                let command = ["/usr/bin/wl-copy", "--foreground"] + (type.map { ["--type", $0] } ?? []) + ["täxt"]
                let types = try await session.running(command) { program in
                    try await session.require("wait", "--since", "0")
                    _ = try await session.awaitStatus("captured", count: 1)
                    let types = try await session.wlTypes()
                    try await program.kill()
                    return types
                }.result
                try await session.awaitStatus { _ in
                    try await session.require("owner").text.hasPrefix("owner: bridge")
                }
                #expect(try await session.wlTypes() == types)
                #expect(try await session.wlPastes(type ?? Self.text) == "täxt")
                #expect(try await session.count() == 1)
            }
        }

        @Test("Contents of 9 MB pass in both directions")
        func long() async throws {
            try await Sandbox.withMutter(hasXwayland: false) { session, mutter in
                let bytes = (0..<9_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
                try session.write(bytes, to: "out")
                try await session.require("set", "-t", "application/x-own", "-f", session.path("out"))
                let pasted = try await session.run(["/usr/bin/wl-paste", "--type", "application/x-own"])
                #expect(pasted.output == bytes)
                try await mutter.pressKey()
                let count = try await session.count()
                let copied = try await session.shell(
                    "/usr/bin/wl-copy --type application/x-other < out >/dev/null 2>&1")
                #expect(copied.status == 0)
                try await session.require("wait", "--since", "\(count)")
                #expect(try await session.require("get", "-t", "application/x-other").output == bytes)
            }
        }

        @Test("A killed bridge leaves none of its secrets behind")
        func secret() async throws {
            try await Sandbox.withMutter(hasXwayland: false) { session, _ in
                try session.write("s3cret".utf8, to: "text")
                try await session.require("set", "--concealed", "-f", session.path("text"))
                #expect(try await session.wlPastes(Self.text) == "s3cret")
                try await session.killBridge()
                // The session bus may not have reported the end of the bridge to mutter yet.
                while try await session.wlTypes() != [] { try Task.checkCancellation() }
                try await session.require("bridge", "start")
                let found = try await session.run(["grep", "-rl", "s3cret", session.path(".local")])
                #expect(found.output.isEmpty, "\(found)")
            }
        }
    }
}

extension Sandbox {
    /// Ends the bridge as a crash would.
    func killBridge() async throws {
        let process = try bridge()
        #expect(kill(process, SIGKILL) == 0)
        await ProcessTable.awaitEnd(of: process)
    }
}
