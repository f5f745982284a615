import TestSupport
import Testing

extension Conformance {
    /// Handing over while still serving, with a deadline; the role that another has: ManagerTests, LeavingTests.
    @Suite("Rule 24: SAVE_TARGETS, as client at exit", .requiresXvfb)
    struct Rule24 {
        @Test("A secret is never handed over, and what is none is", arguments: [true, false])
        func secret(isSecret: Bool) async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.withPeer(named: "manager.py", []) { manager in
                    _ = try await manager.await("owned")
                    try await sandbox.require(["set"] + (isSecret ? ["--concealed"] : []), input: Array("word".utf8))
                    try await sandbox.require("bridge", "stop")
                    // A manager that was asked has said so before the bridge ended.
                    let pasted = try await sandbox.xclipPastes()
                    try await manager.send("quit")
                    var saved = false
                    while let event = try? await manager.next() { saved = saved || event.event == "save" }
                    #expect(saved != isSecret)
                    #expect((pasted.text == "word") != isSecret)
                }
            }
        }
    }
}
