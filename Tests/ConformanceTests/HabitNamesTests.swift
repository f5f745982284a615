import CopyingSupport
import TestSupport
import Testing

extension Conformance {
    /// The limit on the number of names is tested in Rule21.endless.
    @Suite("Habit: owners that list very long names of targets", .requiresXvfb)
    struct HabitNames {
        @Test("A target whose name is too long is left out, and other targets are listed", arguments: [1_025, 60_000])
        func huge(length: Int) async throws {
            let options = ["--long-name", "\(length)"]
            try await Conformance.withOwner([("image/png", [1])], options, captures: true) { sandbox, peer in
                let count = try await sandbox.count()
                #expect(try await sandbox.require("types", "--targets").lines == ["image/png"])
                _ = try await sandbox.awaitStatus("captured", count: count)
                #expect(try await sandbox.require("get", "-t", "image/png").output == [1])
                let asked = try await peer.requestsUntilNow()
                #expect(Set(asked) == ["TARGETS", "image/png"])
            }
        }

        @Test("A name of 1,024 bytes is accepted")
        func long() async throws {
            let name = String(repeating: "x", count: 1_024)
            try await Conformance.withOwner([(name, [1])]) { sandbox, _ in
                let listed = try await sandbox.require("types", "--targets").lines
                #expect(listed == [name])
                #expect(try await sandbox.require("get", "-t", name).output == [1])
            }
        }
    }
}
