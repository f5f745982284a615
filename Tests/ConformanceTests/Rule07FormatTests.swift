import CopyingSupport
import TestSupport
import Testing

extension Conformance {
    @Suite("Rule 7: an item of format 32 is a long in Xlib", .requiresXvfb)
    struct Rule07 {
        /// A pasteboard is limited to 1,024 types.
        @Test("A list of a thousand targets arrives complete and in order, and its last target converts")
        func targets() async throws {
            try await Sandbox.with { sandbox in
                let types = (0..<1_000).map { "application/x-xpb-\($0)" }
                try sandbox.write("value".utf8, to: "value")
                try await sandbox.require(
                    ["set", "--timeout", "120"] + types.flatMap { ["-t", $0] } + ["-f", "value"])
                let reply = try await sandbox.ask("--target", "TARGETS")
                #expect(reply.type == "ATOM" && reply.format == 32)
                let names = try #require(reply.names).compactMap(\.self)
                #expect(
                    names.filter { $0.hasPrefix("application/x-xpb-") && $0 != "application/x-xpb-origin" } == types)
                #expect(try await sandbox.ask("--target", try #require(types.last)).text == "value")
            }
        }

        @Test("A MULTIPLE of five hundred pairs is converted pair by pair")
        func pairs() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "text")
                let targets = (0..<500).map { $0.isMultiple(of: 2) ? "UTF8_STRING" : "XPB_NEVER_SEEN" }
                try await sandbox.withPeer(["ask", "--multiple"] + targets) { peer in
                    let pairs = try #require(try await peer.await("pairs").names)
                    let expected = (0..<500).flatMap { number -> [String?] in
                        number.isMultiple(of: 2) ? ["UTF8_STRING", "XPB_PEER_\(number)"] : ["XPB_NEVER_SEEN", nil]
                    }
                    #expect(pairs == expected)
                    for _ in 0..<250 { #expect(try await peer.await("reply").text == "text") }
                }
            }
        }

        @Test("A MULTIPLE is limited to 1,024 pairs", arguments: [1_024, 1_025])
        func longest(count: Int) async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "text")
                let targets = [String](repeating: "TIMESTAMP", count: count)
                let reply = try await sandbox.ask(["--multiple"] + targets)
                #expect(reply.event == (count == 1_024 ? "reply" : "refused"))
            }
        }
    }
}
