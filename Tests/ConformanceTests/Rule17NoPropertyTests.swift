import CopyingSupport
import TestSupport
import Testing

extension Conformance {
    @Suite("Rule 17: requests of obsolete clients without a property (ICCCM 2.2)", .requiresXvfb)
    struct Rule17 {
        @Test(
            "The answer is in a property with the name of the target, whatever the length of the answer",
            arguments: [("UTF8_STRING", 4), ("TARGETS", nil), ("TIMESTAMP", 4), ("image/png", 1_000_000)])
        func answered(target: String, length: Int?) async throws {
            try await Sandbox.with { sandbox in
                try sandbox.write(Payload.random(1_000_000), to: "in")
                try await sandbox.require("set", "-t", "text", "--text", "text", "-t", "image/png", "-f", "in")
                try await sandbox.withPeer(["ask", "--property", "none", "--target", target]) { peer in
                    let notify = try await peer.await("notify")
                    #expect(notify.property == target && notify.target == target)
                    let reply = try await peer.await("reply")
                    if let length { #expect(reply.length == length) }
                }
            }
        }

        @Test("Targets that are not offered are refused, and so is MULTIPLE, which has no list without a property")
        func refused() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "text")
                for target in ["XPB_NEVER_SEEN", "MULTIPLE"] {
                    let reply = try await sandbox.ask("--property", "none", "--target", target)
                    #expect(reply.event == "refused", "\(target)")
                }
                #expect(try await sandbox.xclipPastes().text == "text")
            }
        }
    }
}
