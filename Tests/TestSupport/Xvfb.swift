package import Testing

/// An X server for the tests, without a visible screen.
package enum Xvfb {
    /// The display of the running suite or test, if it has the trait `.requiresXvfb`.
    @TaskLocal package static var display: String?

    /// Returns a display name that no other server has had: a bridge left behind by a killed run tries to reach its
    /// lost display, and must not find the server of another test.
    package static func nameToKeep() -> String { ":\(Int.random(in: 100_000..<1_000_000_000))" }

    /// Runs `body` with a server on its own display. The server listens only on a Unix socket, and is killed when
    /// `body` ends.
    /// - Parameters:
    ///   - options: Additional options of Xvfb(1), such as `["-extension", "XFIXES"]`.
    ///   - body: Called with the name of the display, such as `:7`.
    package static func running<Result: Sendable>(
        _ options: [String] = [], _ body: (String) async throws -> Result
    ) async throws -> Result {
        // Without -noreset the server discards atoms and selections when its last client disconnects.
        let command =
            ["Xvfb", nameToKeep(), "-displayfd", "1", "-noreset", "-nolisten", "tcp", "-screen", "0", "640x480x24"]
            + options
        return try await TestSupport.running(command, environment: Binaries.baseEnvironment) { server in
            let display = ":" + (try await server.line())
            return try await $display.withValue(display) { try await body(display) }
        }.result
    }
}

/// A trait that gives a suite or a test its own X server, whose name is ``Xvfb/display``.
package struct RequiresXvfb: SuiteTrait, TestTrait, TestScoping {
    let options: [String]

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await Xvfb.running(options) { _ in try await function() }
    }
}

extension Trait where Self == RequiresXvfb {
    /// The suite (one server for all of its tests) or the test needs an X display. It fails if Xvfb is not installed.
    package static var requiresXvfb: Self { Self(options: []) }

    /// The suite or test needs an X display from a server with the given additional options.
    package static func requiresXvfb(_ options: String...) -> Self { Self(options: options) }
}
