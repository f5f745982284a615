import TestSupport
import Testing

extension Conformance {
    /// What comes back changed: Rule15.converges. The role of the manager: ManagerTests.
    @Suite("Habit: Klipper and other managers", .requiresXvfb)
    struct HabitManagers {
        private static let former: [Offered] = [("UTF8_STRING", Array("former".utf8))]

        @Test("An empty clipboard that a manager fills again is its, and we do not empty it once more")
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

        @Test("A manager that takes over what its owner left is not fought by us, who captured it as well")
        func both() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.withOwner(Self.former) { owner in
                    let count = try await sandbox.count()
                    _ = try await sandbox.awaitStatus("captured", count: count)
                    try await sandbox.withOwner(Self.former, ["--not-yet", "--reclaim", "50"]) { manager in
                        try await owner.process.kill()
                        try await manager.send("own")
                        _ = try await manager.await("owned")
                        // Whoever was first, one of the two has it, and it stays so.
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
