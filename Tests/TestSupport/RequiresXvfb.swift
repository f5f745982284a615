package import Testing

/// Gives a suite or a test an X server of its own; ``Xvfb/display`` names it.
package struct RequiresXvfb: SuiteTrait, TestTrait, TestScoping {
    let options: [String]

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await Xvfb.running(options) { _ in try await function() }
    }
}

extension Trait where Self == RequiresXvfb {
    /// The suite (one server for all its tests) or the test needs an X display. It fails where Xvfb is not installed.
    package static var requiresXvfb: Self { Self(options: []) }

    /// As ``requiresXvfb``, with further options for the server.
    package static func requiresXvfb(_ options: String...) -> Self { Self(options: options) }
}
