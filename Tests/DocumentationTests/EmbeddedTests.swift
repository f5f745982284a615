import TestSupport
import Testing

extension Documentation {
    /// Tests of the snippets in Tests/DocumentationHost.
    @Suite("The bridge inside a program") struct EmbeddedTests {
        @Test("The bridge serves, stops, and leaves the display to a running bridge")
        func host() async throws {
            try await Sandbox.with { sandbox in
                _ = try await sandbox.running([sandbox.program("DocumentationHost")]) { host in
                    #expect(try await host.line() == "started")
                    #expect(try await sandbox.xclipPastes() == "Hello")
                    #expect(sandbox.bridges().isEmpty)
                    try await host.send("")
                    #expect(try await host.line() == "stopped")
                    try await sandbox.require([sandbox.program("xpb"), "set", "by xpb"])
                    let bridge = try #require(sandbox.bridges().first)
                    try await host.send("")
                    #expect(try await host.line() == "continuing with the bridge of process \(bridge)")
                    #expect(try await host.line() == "by xpb")
                }
            }
        }
    }
}
