import CopyingSupport
import TestSupport
import Testing

extension Conformance {
    /// Bytes that change without an event are tested in RequestorTests.changesWithoutEvent.
    @Suite("Rule 9: contents and targets change without an event", .requiresXvfb)
    struct Rule09 {
        @Test(
            "A type that the owner adds is available to the next command",
            arguments: [true, false])
        func added(captures: Bool) async throws {
            let image: Offered = ("image/png", [1, 2, 3])
            try await Conformance.withOwner([image], captures: captures) { sandbox, peer in
                let count = try await sandbox.count()
                if captures { _ = try await sandbox.awaitStatus("captured", count: count) }
                #expect(try await sandbox.require("types", "--targets").lines == ["image/png"])
                #expect(try await sandbox.xpb("get", "-t", "text/plain").status == 1)
                try await peer.send("offer text/plain \(try sandbox.write(Array("added".utf8), to: "added"))")
                _ = try await peer.await("offered")
                #expect(try await sandbox.require("get", "-t", "text/plain").text == "added")
                #expect(try await sandbox.require("types", "--targets").lines.contains("text/plain"))
                #expect(try await sandbox.count() == count)
            }
        }

        @Test("Bytes that change after the capture are read again while their owner lives")
        func swapped() async throws {
            try await Conformance.withOwner([("UTF8_STRING", Array("before".utf8))], captures: true) { sandbox, peer in
                let count = try await sandbox.count()
                _ = try await sandbox.awaitStatus("captured", count: count)
                try await peer.send("offer UTF8_STRING \(try sandbox.write(Array("after".utf8), to: "after"))")
                _ = try await peer.await("offered")
                #expect(try await sandbox.require("get").text == "after")
            }
        }
    }
}
