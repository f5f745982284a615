import TestSupport
import Testing

extension Peers {
    /// Tests in which a toolkit pastes contents that a command has promised.
    @Suite("Promised contents")
    struct PromiseTests {
        @Test(
            "Contents that take a second to make arrive with the first paste",
            arguments: [Toolkit.gtk3, .qt5])
        func slow(reader: Toolkit) async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "-t", "text", "-c", "sleep 1; printf late")
                let pasted = try await sandbox.pasting(reader, "text", into: "out")
                #expect(pasted.status == 0, "\(pasted)")
                #expect(String(decoding: try sandbox.read("out"), as: UTF8.self) == "late")
            }
        }
    }
}
