import CopyingSupport
import TestSupport
import Testing

extension Integration {
    /// The bridge as the owner of a selection, with a peer as the requestor. See ICCCM, section 2.
    @Suite("As owner", .requiresXvfb)
    struct OwnerTests {
        @Test("TARGETS is a list of atoms, and each of them converts")
        func everyTargetConverts() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "-t", "text/html", "--text", "<b>x</b>", "-t", "text", "--text", "x")
                let targets = try await sandbox.ask("--target", "TARGETS")
                #expect(targets.type == "ATOM")
                #expect(targets.format == 32)
                let names = (targets.names ?? []).compactMap { $0 }
                #expect(Set(["TARGETS", "TIMESTAMP", "MULTIPLE", "text/html", "UTF8_STRING"]).isSubset(of: names))
                #expect(Set(names).count == names.count)
                // MULTIPLE needs a list, and SAVE_TARGETS is a request and not a format.
                for target in names where target != "MULTIPLE" && target != "SAVE_TARGETS" {
                    #expect(try await sandbox.ask("--target", target).event == "reply", "\(target)")
                }
            }
        }

        @Test("A target that is not offered is refused")
        func unknownTargetIsRefused() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "text")
                #expect(try await sandbox.ask("--target", "image/png").event == "refused")
                #expect(try await sandbox.ask("--target", "XPB_NEVER_SEEN").event == "refused")
            }
        }

        @Test("TIMESTAMP is the time of the acquisition, as XFixes reports it")
        func timestamp() async throws {
            try await Sandbox.with { sandbox in
                _ = try await sandbox.count()
                let acquired = try await sandbox.withPeer(["watch"]) { watch in
                    _ = try await watch.await("watching")
                    try await sandbox.require("set", "text")
                    var owner = try await watch.await("owner")
                    while owner.window == 0 { owner = try await watch.await("owner") }
                    return try #require(owner.time)
                }
                let single = try await sandbox.ask("--target", "TIMESTAMP")
                #expect(single.type == "INTEGER")
                #expect(single.format == 32)
                #expect(single.values == [acquired])
                let multiple = try await sandbox.ask("--multiple", "TIMESTAMP")
                #expect(multiple.values == [acquired])
            }
        }

        @Test("MULTIPLE is answered as a whole, with failures marked in place", arguments: ["ATOM_PAIR", "ATOM"])
        func multiple(type: String) async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "text")
                let arguments = ["ask", "--pairs-type", type, "--multiple", "UTF8_STRING", "XPB_NEVER_SEEN", "TARGETS"]
                try await sandbox.withPeer(arguments) { peer in
                    let pairs = try await peer.await("pairs")
                    #expect(
                        pairs.names == ["UTF8_STRING", "XPB_PEER_0", "XPB_NEVER_SEEN", nil, "TARGETS", "XPB_PEER_2"])
                    #expect(try await peer.await("reply").text == "text")
                    #expect(try await peer.await("reply").type == "ATOM")
                }
            }
        }

        @Test("A requestor that names no property is answered in the property named after the target")
        func propertyNone() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "text")
                try await sandbox.withPeer(["ask", "--property", "none"]) { peer in
                    let notify = try await peer.await("notify")
                    #expect(notify.property == "UTF8_STRING")
                    #expect(try await peer.await("reply").text == "text")
                }
            }
        }

        @Test(
            "A request with any time is served, and the answer has the same time",
            arguments: ["current", "1", "4294967295"])
        func timeIsEchoed(time: String) async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "text")
                try await sandbox.withPeer(["ask", "--time", time]) { peer in
                    let asked = try await peer.await("asked").time
                    #expect(try await peer.await("notify").time == asked)
                    #expect(try await peer.await("reply").text == "text")
                }
            }
        }

        @Test("Long contents are sent in chunks of up to 262,144 bytes, announced with their exact length")
        func incrementalTransfer() async throws {
            try await Sandbox.with { sandbox in
                let bytes = Payload.random(1_000_000)
                try await sandbox.require("set", "-t", "image/png", "-f", "-", input: bytes)
                let arguments = ["ask", "--target", "image/png", "--out", sandbox.path("out")]
                try await sandbox.withPeer(arguments) { peer in
                    #expect(try await peer.await("incr").values == [bytes.count])
                    var event = try await peer.next()
                    while event.event == "chunk" {
                        #expect(event.type == "image/png")
                        #expect((1...262_144).contains(event.length ?? 0))
                        event = try await peer.next()
                    }
                    #expect(event.event == "reply")
                    #expect(event.type == "image/png")
                }
                #expect(Payload.difference(try sandbox.read("out"), bytes) == nil)
            }
        }
    }
}
