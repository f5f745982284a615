import CopyingSupport
import TestSupport
import Testing

extension Conformance {
    @Suite("Rule 12: every target listed in TARGETS converts (ICCCM 2.6.2)", .requiresXvfb)
    struct Rule12 {
        /// Requests all targets at once from one client, and returns the refused targets.
        private static func refused(_ targets: [String], in sandbox: Sandbox) async throws -> [String] {
            let crowd = ["crowd"] + targets.flatMap { ["--ask", "CLIPBOARD", $0, "XPB_PEER"] }
            return try await sandbox.withPeer(crowd) { crowd in
                let names = try #require(try await crowd.await("answered").names)
                return zip(targets, names).compactMap { $1 == nil ? $0 : nil }
            }
        }

        /// Targets that programs request without seeing the list, and targets that are offered only for certain
        /// contents.
        private static let wanted = [
            "UTF8_STRING", "text/plain;charset=utf-8", "text/plain", "STRING", "TEXT", "COMPOUND_TEXT", "text/html",
            "text/rtf", "image/png", "image/jpeg", "image/bmp", "text/uri-list", "x-special/gnome-copied-files",
            "x-special/mate-copied-files", "application/x-kde-cutselection", "text/x-moz-url", "_NETSCAPE_URL",
            "application/x-color", "x-kde-passwordManagerHint", "LENGTH", "DELETE", "INSERT_SELECTION", "PIXMAP",
            "INCR",
            "ATOM", "application/x-xpb-items",
        ]

        /// Shell commands that set each kind of contents.
        private static let contents = [
            "xpb set plain", "xpb set 日本", "xpb set ''", "xpb set -t html --text '<b>日本</b>'",
            "xpb set -t html --text '<b>x</b>'", "xpb set -t image/png --text x", "xpb set one --next 日本",
            "xpb set --files a b", "xpb set --cut --files a", "xpb set -t url --text https://example.org/",
            "xpb set -t .rtf --text '{\\rtf1 x}'", "printf secret | xpb set --concealed",
            "printf sécrét日 | xpb set --concealed", "yes 日本 | head -n 20000 | xpb set",
            "yes plain | head -n 20000 | xpb set", "xpb set -t text -c 'printf 日本'; xpb get --timeout 60",
            "printf 'a\\0b' | xpb set -t text", "printf 'a\\033b' | xpb set -t text",
        ]

        @Test("Every listed target converts, and no other target does", arguments: contents)
        func list(line: String) async throws {
            try await Sandbox.with { sandbox in
                for name in ["a", "b"] { try sandbox.write([], to: name) }
                let set = try await sandbox.shell(line)
                try #require(set.status == 0, "\(set)")
                let reply = try await sandbox.ask("--target", "TARGETS")
                #expect(reply.type == "ATOM" && reply.format == 32)
                let listed = try #require(reply.names).compactMap(\.self)
                #expect(Set(listed).count == listed.count)
                #expect(Set(["TARGETS", "TIMESTAMP", "MULTIPLE"]).isSubset(of: listed))
                // MULTIPLE needs a list of its own, and SAVE_TARGETS is for the clipboard manager.
                let apart = ["MULTIPLE", "SAVE_TARGETS"]
                #expect(try await Self.refused(listed.filter { !apart.contains($0) }, in: sandbox) == [])
                let others = Self.wanted.filter { !listed.contains($0) }
                #expect(try await Self.refused(others, in: sandbox) == others)
            }
        }

        @Test("The bridge's own selection converts the targets required by ICCCM 2.6.2, and no other targets")
        func manager() async throws {
            try await Sandbox.with { sandbox in
                _ = try await sandbox.count()
                let own = ["--selection", "_XPB_S0", "--target"]
                let list = try await sandbox.ask(own + ["TARGETS"])
                #expect(list.type == "ATOM" && list.names == ["TARGETS", "TIMESTAMP", "MULTIPLE"])
                let time = try await sandbox.ask(own + ["TIMESTAMP"])
                #expect(time.type == "INTEGER" && time.format == 32 && time.length == 4)
                #expect(try await sandbox.ask(own + ["UTF8_STRING"]).event == "refused")
            }
        }
    }
}
