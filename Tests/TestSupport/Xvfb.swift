/// An X server of our own, without a screen anyone sees.
package enum Xvfb {
    /// The display of the suite or test that runs, where it asked for one by `.requiresXvfb`.
    @TaskLocal package static var display: String?

    /// A name for a server that goes and comes back: no server that picks its own number, the lowest free one, takes it in
    /// between.
    package static func nameToKeep() -> String { ":\(Int.random(in: 10_000..<59_000))" }

    /// Runs `body` beside a server that picks its own display number, is reached by a Unix socket only, and is ended
    /// by its process id when `body` is done, in whichever way.
    /// - Parameters:
    ///   - options: Further options of Xvfb(1), `["-extension", "XFIXES"]`.
    ///   - body: Called with the name of the display, `:7`.
    package static func running<Result: Sendable>(
        _ options: [String] = [], _ body: (String) async throws -> Result
    ) async throws -> Result {
        // Without -noreset the server forgets atoms and selections when its last client leaves.
        let command =
            ["Xvfb", "-displayfd", "1", "-noreset", "-nolisten", "tcp", "-screen", "0", "640x480x24"] + options
        return try await TestSupport.running(command, environment: Binaries.baseEnvironment) { server in
            let display = ":" + (try await server.line())
            return try await $display.withValue(display) { try await body(display) }
        }.result
    }
}
