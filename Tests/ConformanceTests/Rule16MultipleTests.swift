import TestSupport
import Testing

extension Conformance {
    @Suite("Rule 16: MULTIPLE", .requiresXvfb)
    struct Rule16 {
        private static func withContents(_ body: (Sandbox) async throws -> Void) async throws {
            try await Sandbox.with { sandbox in
                try sandbox.write(Payload.random(1_000_000), to: "in")
                try await sandbox.require("set", "-t", "text", "--text", "text", "-t", "image/png", "-f", "in")
                try await body(sandbox)
            }
        }

        /// The pairs of the answer, and what was converted.
        private static func answer(_ arguments: [String], in sandbox: Sandbox) async throws -> ([String?], [String?]) {
            try await sandbox.withPeer(["ask"] + arguments) { peer in
                let pairs = try #require(try await peer.await("pairs").names)
                var texts: [String?] = []
                for property in stride(from: 1, to: pairs.count, by: 2) where pairs[property] != nil {
                    texts.append(try await peer.await("reply").text)
                }
                return (pairs, texts)
            }
        }

        @Test(
            "A list of any type is taken if its values have 32 bits",
            arguments: ["ATOM_PAIR", "ATOM", "INTEGER", "XPB"])
        func type(type: String) async throws {
            try await Self.withContents { sandbox in
                let (pairs, texts) = try await Self.answer(
                    ["--pairs-type", type, "--multiple", "UTF8_STRING", "XPB_NEVER_SEEN", "TEXT"], in: sandbox)
                #expect(pairs == ["UTF8_STRING", "XPB_PEER_0", "XPB_NEVER_SEEN", nil, "TEXT", "XPB_PEER_2"])
                #expect(texts == ["text", "text"])
            }
        }

        @Test(
            "A list that is none is refused, once: of other formats, odd, absent, or without a property",
            arguments: [
                ["--pairs-format", "8"], ["--pairs-format", "16"], ["--odd"], ["--no-list"], ["--property", "none"],
            ])
        func noList(fault: [String]) async throws {
            try await Self.withContents { sandbox in
                try await sandbox.withPeer(["ask", "--multiple", "UTF8_STRING", "TEXT"] + fault) { peer async throws in
                    #expect(try await peer.await("notify").property == nil)
                    #expect(try await peer.next().event == "refused")
                }
                #expect(try await sandbox.ask("--multiple", "UTF8_STRING").text == "text")
            }
        }

        @Test(
            "None for a target or a property, a property named twice, and a MULTIPLE within are refused in their place")
        func pairs() async throws {
            try await Self.withContents { sandbox in
                let list = [
                    ("UTF8_STRING", "A"), ("STRING", "A"), ("none", "B"), ("TEXT", "none"), ("MULTIPLE", "C"),
                    ("none", "none"), ("UTF8_STRING", "XPB_PEER_PAIRS"), ("TEXT", "#5000000"), ("#5000000", "E"),
                    ("TEXT", "D"),
                ]
                let (pairs, texts) = try await Self.answer(list.flatMap { ["--pair", $0, $1] }, in: sandbox)
                #expect(
                    pairs == [
                        "UTF8_STRING", "A", "STRING", nil, nil, nil, "TEXT", nil, "MULTIPLE", nil, nil, nil,
                        "UTF8_STRING", nil, "TEXT", nil, "#5000000", nil, "TEXT", "D",
                    ])
                #expect(texts == ["text", "text"])
            }
        }

        @Test("Long ones go by INCR beside each other and beside short ones, after one notify")
        func incremental() async throws {
            try await Self.withContents { sandbox in
                let arguments = ["ask", "--multiple", "image/png", "UTF8_STRING", "image/png", "TIMESTAMP"]
                try await sandbox.withPeer(arguments) { peer in
                    var lengths: [Int] = []
                    var notices = 0
                    while lengths.count < 4 {
                        let event = try await peer.next()
                        if event.event == "notify" { notices += 1 }
                        if event.event == "reply" { lengths.append(try #require(event.length)) }
                    }
                    #expect(lengths.sorted() == [4, 4, 1_000_000, 1_000_000])
                    #expect(notices == 1)
                }
            }
        }

        @Test("An empty list is answered with an empty one")
        func empty() async throws {
            try await Self.withContents { sandbox in
                try await sandbox.withPeer(["ask", "--multiple", "UTF8_STRING", "--empty"]) { peer async throws in
                    #expect(try await peer.await("notify").property == "XPB_PEER_PAIRS")
                    #expect(try await peer.await("pairs").names == [])
                }
            }
        }
    }
}
