import CopyingSupport
import TestSupport
import Testing

extension Conformance {
    /// Rule15.converges tests contents that a manager changes and claims. ManagerTests tests the bridge in the role of
    /// a clipboard manager.
    @Suite("Habit: Klipper and other clipboard managers", .requiresXvfb)
    struct HabitManagers {
        private static let former: [Offered] = [("UTF8_STRING", Array("former".utf8))]

        @Test("A clipboard that a manager refills after a clear is left to the manager, and not cleared again")
        func refilled() async throws {
            try await Conformance.withOwner(Self.former, ["--refill"]) { sandbox, peer in
                try await sandbox.require("set", "secret")
                let count = try await sandbox.count()
                let cleared = try await sandbox.xpb("clear")
                #expect(cleared.status == 0 || cleared.status == 6, "\(cleared)")
                _ = try await peer.await("owned")
                #expect(try await sandbox.require("get").text == "former")
                let end = try await sandbox.count()
                // A clear and a copy, at most twice.
                #expect(end > count && end <= count + 4)
                #expect(try await sandbox.require("owner").lines.contains { $0.hasPrefix("owner: window") })
            }
        }

        @Test("The bridge does not fight a manager over contents that both of them have captured")
        func both() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.withOwner(Self.former) { owner in
                    let count = try await sandbox.count()
                    _ = try await sandbox.awaitStatus("captured", count: count)
                    try await sandbox.withOwner(Self.former, ["--not-yet", "--reclaim", "50"]) { manager in
                        try await owner.process.kill()
                        try await manager.send("own")
                        _ = try await manager.await("owned")
                        // The bridge or the manager, whichever was first, keeps the selection.
                        #expect(try await sandbox.require("get").text == "former")
                        try await manager.send("disown")
                        var lost = 0
                        while case let event = try await manager.next(), event.event != "disowned" {
                            if event.event == "lost" { lost += 1 }
                        }
                        #expect(lost == 0)
                    }
                }
            }
        }
    }
}
