import TestSupport
import Testing

/// A test that exceeds its time limit is cancelled. Its programs end, and the other tests of the process continue.
@Suite(.timeLimit(.minutes(10)))
struct CancellationTests {
    /// Runs `body` in a task, cancels the task once `body` has called its argument, and expects the task to end.
    private func cancelling(
        _ body: @escaping @Sendable (Sandbox, _ isWaiting: @Sendable () -> Void) async throws -> Void
    ) async throws {
        let left = try await Sandbox.with(display: nil) { sandbox in
            let (waiting, continuation) = AsyncStream.makeStream(of: Void.self)
            let task = Task { try await body(sandbox) { continuation.yield() } }
            for await _ in waiting { break }
            task.cancel()
            _ = await task.result
            return sandbox
        }
        #expect(left.processes().isEmpty)
    }

    @Test("Cancelling a test ends a program that the test runs to completion", arguments: [0, 10_000_000])
    func run(input: Int) async throws {
        try await cancelling { sandbox, isWaiting in
            isWaiting()
            _ = try await sandbox.run(["sleep", "1000"], input: Payload.random(input))
        }
    }

    @Test("Cancelling a test ends a program whose next line the test awaits")
    func line() async throws {
        try await cancelling { sandbox, isWaiting in
            _ = try await sandbox.running(["sh", "-c", "echo ready; exec sleep 1000"]) { program in
                #expect(try await program.line() == "ready")
                isWaiting()
                _ = try await program.line()
            }
        }
    }

    @Test("Cancelling a test ends a program that does not read its input")
    func input() async throws {
        try await cancelling { sandbox, isWaiting in
            _ = try await sandbox.running(["sleep", "1000"]) { program in
                isWaiting()
                try await program.write(String(repeating: "a", count: 10_000_000))
            }
        }
    }

    @Test("Cancelling a test ends two nested programs")
    func nested() async throws {
        try await cancelling { sandbox, isWaiting in
            _ = try await sandbox.running(["sh", "-c", "echo ready; exec sleep 1000"]) { outer in
                #expect(try await outer.line() == "ready")
                _ = try await sandbox.running(["sleep", "1000"]) { inner in
                    isWaiting()
                    _ = try await inner.line()
                }
            }
        }
    }

    @Test("Cancelling a test ends programs that ignore SIGTERM")
    func ignoring() async throws {
        try await cancelling { sandbox, isWaiting in
            _ = try await sandbox.running(["sh", "-c", "trap '' TERM; echo ready; while :; do sleep 1000; done"]) {
                program in
                #expect(try await program.line() == "ready")
                isWaiting()
                _ = try await sandbox.run(["sh", "-c", "trap '' TERM; sleep 1000"])
            }
        }
    }

    @Test("A cancelled test that starts more programs ends them at once")
    func late() async throws {
        try await cancelling { sandbox, isWaiting in
            isWaiting()
            for _ in 0..<50 {
                _ = try? await sandbox.run(["sleep", "1000"], input: Payload.random(1_000_000))
                _ = try? await sandbox.running(["sleep", "1000"]) { _ = try await $0.line() }
                _ = try? await sandbox.running(["sleep", "1000"]) { try await $0.send("a") }
            }
        }
    }

    @Test("Whenever a test is cancelled, its programs end")
    func moments() async throws {
        for moment in 0..<200 {
            try await Sandbox.with(display: nil) { sandbox in
                let task = Task {
                    async let other = sandbox.run(["cat"], input: Payload.random(1_000_000))
                    _ = try await sandbox.running(["sh", "-c", "while :; do echo line; done"]) { program in
                        for _ in 0..<moment { _ = try await program.line() }
                        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                        while true { _ = try await program.line() }
                    }
                    _ = try await other
                }
                _ = await task.result
            }
        }
    }
}
