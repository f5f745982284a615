import CopyingSupport
import Foundation
import TestSupport
import Testing

extension Integration {
    /// Copied files for sandboxed programs, which exchange a key of the portal for paths of their own.
    @Suite("The portal for files", .requiresXvfb)
    struct PortalTests {
        private static let target = "application/vnd.portal.filetransfer"

        /// Runs `body` in a session with a bus and a portal.
        private func withPortal(
            _ mode: String, _ body: (Sandbox, _ portal: Running) async throws -> Void
        ) async throws {
            try await Sandbox.with { sandbox in
                try await MessageBus.running(environment: sandbox.environment) { address in
                    let session = sandbox.changing(["DBUS_SESSION_BUS_ADDRESS": address])
                    _ = try await session.running([Binaries.fixture("fake_portal.py"), mode]) { portal in
                        #expect(try await portal.line() == "ready")
                        try await body(session, portal)
                    }
                }
            }
        }

        private func pasted(_ target: String, in session: Sandbox) async throws -> Outcome {
            try await session.run(["/usr/bin/xclip", "-selection", "clipboard", "-t", target, "-o"])
        }

        /// Returns the paths that the portal gives for a key, as Python writes a list.
        private func retrieved(_ key: String, in session: Sandbox) async throws -> String {
            let call = """
                import sys
                from gi.repository import Gio, GLib
                print(Gio.bus_get_sync(Gio.BusType.SESSION).call_sync(
                    "org.freedesktop.portal.Documents", "/org/freedesktop/portal/documents",
                    "org.freedesktop.portal.FileTransfer", "RetrieveFiles",
                    GLib.Variant("(sa{sv})", (sys.argv[1], {})), None, 0, -1, None).unpack()[0])
                """
            return try await session.run(["/usr/bin/python3", "-c", call, key]).text
        }

        @Test("A key gives all files, whatever their names, and the portal is not called before it is pasted")
        func files() async throws {
            try await withPortal("good") { session, portal in
                var names = (0..<40).map { "file \($0)" }
                names += ["tab\there", "quote'\"", "ä 世界", "%41", "-f", "new\nline"]
                let files = try names.map { try session.write(Array($0.utf8), to: $0) }
                try await session.require(["set", "--files"] + files)
                try await session.require("types", "--targets")
                let list = try await pasted("text/uri-list", in: session).text
                #expect(list.split(separator: "file://").count == files.count, "\(list)")
                for _ in 1...2 {
                    let key = try await pasted(Self.target, in: session)
                    #expect(key.text == "key 1", "\(key)")
                    let paths = try await retrieved(key.text, in: session)
                    let missing = names.prefix(40).filter { !paths.contains("/\($0)'") }
                    #expect(missing.isEmpty && paths.split(separator: ", ").count == files.count, "\(paths)")
                }
                // The first call is the first paste's.
                let calls = ["StartTransfer", "AddFiles", "AddFiles", "AddFiles", "RetrieveFiles", "RetrieveFiles"]
                for call in calls { #expect(try await portal.line() == call) }
                try await session.require("set", "--files", files[0])
                #expect(try await pasted(Self.target, in: session).text == "key 2")
            }
        }

        @Test(
            "A portal that refuses, and one that does not answer, cost that paste alone", arguments: ["deny", "silent"])
        func refused(mode: String) async throws {
            try await withPortal(mode) { session, _ in
                try await session.require("set", "--files", try session.write([], to: "a"))
                let key = try await pasted(Self.target, in: session)
                #expect(key.status != 0 && key.output.isEmpty, "\(key)")
                #expect(try await pasted("text/uri-list", in: session).text.contains("/a"))
            }
        }

        @Test("A file that is gone is not left out silently")
        func gone() async throws {
            try await withPortal("good") { session, _ in
                let files = try ["a", "b"].map { try session.write([], to: $0) }
                try await session.require(["set", "--files"] + files)
                try FileManager.default.removeItem(atPath: files[1])
                let key = try await pasted(Self.target, in: session)
                #expect(key.status != 0 && key.output.isEmpty, "\(key)")
            }
        }

        @Test("Without a bus, and for contents that are no files, there is no key")
        func without() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "--files", try sandbox.write([], to: "a"))
                #expect(try await !sandbox.require("types", "--targets").text.contains(Self.target))
            }
            try await withPortal("good") { session, _ in
                try await session.require("set", "text")
                #expect(try await !session.require("types", "--targets").text.contains(Self.target))
            }
        }
    }
}
