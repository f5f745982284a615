import CopyingSupport
import TestSupport
import Testing

extension Conformance {
    @Suite("Rule 16: MULTIPLE (ICCCM 2.6.2)", .requiresXvfb)
    struct Rule16 {
        private static func withContents(_ body: (Sandbox) async throws -> Void) async throws {
            try await Sandbox.with { sandbox in
                try sandbox.write(Payload.random(1_000_000), to: "in")
                try await sandbox.require("set", "-t", "text", "--text", "text", "-t", "image/png", "-f", "in")
                try await body(sandbox)
            }
        }

        /// Returns the pairs of the answer, and the converted values as text.
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
            "A list of any type is accepted if its format is 32",
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
            "A list that is malformed, absent or without a property is refused once",
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
            "Invalid targets and properties, repeated properties and a nested MULTIPLE are refused pair by pair")
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

        @Test("Several long values are sent by INCR at the same time, along with short values, after one notify")
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

        @Test("An empty list is answered with an empty list")
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
