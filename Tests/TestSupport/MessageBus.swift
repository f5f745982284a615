/// A session bus for the tests.
///
/// It does not use `dbus-run-session`, whose daemon keeps running after `dbus-run-session` is killed.
package enum MessageBus {
    /// Runs `body` with a bus that is killed when `body` ends.
    ///
    /// - Parameter body: Called with the address of the bus.
    package static func running<Result: Sendable>(
        environment: [String: String], _ body: (_ address: String) async throws -> Result
    ) async throws -> Result {
        let command = ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address"]
        return try await TestSupport.running(command, environment: environment) { bus in
            try await body(bus.line())
        }.result
    }
}
