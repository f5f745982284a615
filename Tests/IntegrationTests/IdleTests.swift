import TestSupport
import Testing

extension Integration {
    @Suite("At rest", .requiresXvfb)
    struct IdleTests {
        @Test("The bridge at rest makes no system call: none of its threads wakes up")
        func noThreadWakesUp() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "text")
                #expect(try await sandbox.xclipPastes().text == "text")
                try await sandbox.require("get")
                let bridge = try sandbox.bridge()

                // A thread that returns from poll(2) and sleeps again has counted up. Work of the last command may
                // reach into the first spell; a tick reaches into all of them.
                let spell = Large.isWanted ? "60" : "5"
                var isQuiet = false
                for _ in 0..<4 where !isQuiet {
                    let before = ProcessTable.switches(of: bridge)
                    try #require(!before.isEmpty)
                    // Only time shows that nothing happens in it; no copy, no event is in here.
                    _ = try await sandbox.run(["sleep", spell])
                    isQuiet = ProcessTable.switches(of: bridge) == before
                }
                #expect(isQuiet)
            }
        }
    }
}
