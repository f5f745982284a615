import CopyingSupport
import TestSupport
import Testing

extension Conformance {
    /// Handing over while still answering, the timeout, and a role held by another program are tested in ManagerTests
    /// and ShutdownTests.
    @Suite("Rule 24: SAVE_TARGETS at exit (freedesktop.org clipboard-manager specification)", .requiresXvfb)
    struct Rule24 {
        @Test("Contents are handed over to the manager at exit, except secrets", arguments: [true, false])
        func secret(isSecret: Bool) async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.withPeer(named: "manager.py", []) { manager in
                    _ = try await manager.await("owned")
                    try await sandbox.require(["set"] + (isSecret ? ["--concealed"] : []), input: Array("word".utf8))
                    try await sandbox.require("bridge", "stop")
                    // A manager that was asked has reported it before the bridge exited.
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
