import TestSupport
import Testing

extension Embedded {
    /// Tests of what programs link. Scripts/checks/linkage checks the modules on which the library must not depend.
    @Suite("Linkage of programs")
    struct LinkageTests {
        private func needed(by program: String) async throws -> [String] {
            let outcome = try await run(
                ["readelf", "--dynamic", "--wide", "\(Binaries.built)/\(program)"],
                environment: Binaries.baseEnvironment)
            try #require(outcome.status == 0, "\(outcome)")
            return outcome.lines.filter { $0.contains("(NEEDED)") }
        }

        @Test("The library links neither X11 nor SQLite, and the bridge inside adds X11")
        func libraries() async throws {
            let alone = try await needed(by: "PasteboardAlone")
            #expect(alone.contains { $0.contains("libc.so") })
            #expect(alone.filter { $0.contains("libX") || $0.contains("libxcb") || $0.contains("sqlite") } == [])
            #expect(try await needed(by: "EmbeddedHost").contains { $0.contains("libX11") })
        }
    }
}
