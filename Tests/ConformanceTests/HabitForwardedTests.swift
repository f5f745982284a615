import CopyingSupport
import TestSupport
import Testing

extension Conformance {
    /// The bridge's own shutdown on a forwarded display is tested in ForwardedTests and IdleShutdownTests.
    @Suite("Habit: a forwarded display", .requiresXvfb)
    struct HabitForwarded {
        @Test("On another machine's display nothing is captured or taken over, and the bridge exits")
        func nothingTaken() async throws {
            let display = try #require(Xvfb.display)
            try await Sandbox.with { sandbox in
                _ = try await sandbox.running([Binaries.fixture("forward.py"), display]) { forwarder in
                    let far = sandbox.changing(["DISPLAY": try await forwarder.line()])
                    try await far.withOwner([("UTF8_STRING", Array("text".utf8))]) { peer in
                        let count = try await far.count()
                        let status = try await far.awaitStatus("not captured", count: count)
                        #expect(status.contains("another machine"), "\(status)")
                        #expect(try await far.require("get").text == "text")
                        let bridge = try far.bridge()
                        try await peer.process.kill()
                        await ProcessTable.awaitEnd(of: bridge)
                    }
                    #expect(try await sandbox.xclipPastes().status != 0)
                }
            }
        }
    }
}
