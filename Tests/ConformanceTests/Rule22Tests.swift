import CopyingSupport
import TestSupport
import Testing

extension Conformance {
    @Suite("Rule 22: empty, refused and absent are different results", .requiresXvfb)
    struct Rule22 {
        @Test("Empty contents exist, with no bytes", arguments: [[], ["--incr", "-1"]])
        func empty(options: [String]) async throws {
            try await Conformance.withOwner([("UTF8_STRING", [])], options) { sandbox, _ in
                let pasted = try await sandbox.require("get")
                #expect(pasted.output.isEmpty)
                #expect(try await sandbox.require("types", "--targets").lines == ["UTF8_STRING"])
            }
        }

        @Test("Empty contents that the bridge owns can be pasted by other programs, with their type")
        func ours() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "")
                let reply = try await sandbox.ask()
                #expect(reply.event == "reply" && reply.length == 0 && reply.type == "UTF8_STRING")
                #expect(try await sandbox.require("get").output.isEmpty)
            }
        }

        @Test("A refusal is reported, whichever way the owner refuses", arguments: ["--refuse", "--no-property"])
        func refused(option: String) async throws {
            try await Conformance.withOwner([("image/png", [1])], [option, "image/png"]) { sandbox, _ in
                let pasted = try await sandbox.xpb("get", "-t", "image/png")
                #expect(pasted.status == 1 && pasted.output.isEmpty)
                #expect(pasted.error.contains("refuses"), "\(pasted)")
            }
        }

        @Test("A type that is not offered is reported with the offered types; an empty selection is reported at once")
        func absent() async throws {
            try await Conformance.withOwner([("image/png", [1])]) { sandbox, peer in
                let other = try await sandbox.xpb("get", "-t", "text/html")
                #expect(other.status == 1 && other.error.contains("public.png"), "\(other)")
                #expect(!other.error.contains("refuses"))
                try await peer.send("disown")
                _ = try await peer.await("disowned")
                // A wait for a timeout would exceed the time limit of the test.
                let nothing = try await sandbox.xpb("get", "--timeout", "600")
                #expect(nothing.status == 1 && nothing.error.contains("nothing is on"), "\(nothing)")
            }
        }
    }
}
