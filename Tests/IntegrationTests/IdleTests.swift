import CopyingSupport
import TestSupport
import Testing

extension Integration {
    @Suite("At rest", .requiresXvfb)
    struct IdleTests {
        @Test("No thread of an idle bridge wakes up")
        func noThreadWakesUp() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "text")
                #expect(try await sandbox.xclipPastes().text == "text")
                try await sandbox.require("get")
                let bridge = try sandbox.bridge()

                // A thread that returns from poll(2) and sleeps again has one more context switch. Work for the last
                // command may fall into the first period, but a timer's work falls into every period.
                let period = Large.isWanted ? "60" : "5"
                var isQuiet = false
                while !isQuiet {
                    let before = ProcessTable.switches(of: bridge)
                    try #require(!before.isEmpty)
                    // Only waiting can show that nothing happens.
                    _ = try await sandbox.run(["sleep", period])
                    isQuiet = ProcessTable.switches(of: bridge) == before
                }
                #expect(isQuiet)
            }
        }
    }
}
