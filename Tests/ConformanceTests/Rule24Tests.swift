import CopyingSupport
import TestSupport
import Testing

extension Conformance {
    /// ManagerTests and ShutdownTests test a handover during which requests are answered, the timeout, and a role that
    /// another program holds.
    @Suite("Rule 24: SAVE_TARGETS at exit (freedesktop.org clipboard-manager specification)", .requiresXvfb)
    struct Rule24 {
        @Test("Contents are handed over to the manager at exit, except secrets", arguments: [true, false])
        func secret(isSecret: Bool) async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.withPeer(named: "manager.py", []) { manager in
                    _ = try await manager.await("owned")
                    try await sandbox.require(["set"] + (isSecret ? ["--concealed"] : []), input: Array("word".utf8))
                    try await sandbox.require("bridge", "stop")
                    // If the bridge asked the manager, the manager reported this before the bridge exited.
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
