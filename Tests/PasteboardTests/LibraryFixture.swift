import LinuxSystem
import Pasteboard
import TestSupport
import Testing

/// Tests of the library with a real X server, bridge and peers, run one at a time since each starts several programs.
@Suite("The library", .serialized, .timeLimit(.minutes(3)))
enum Library {}

/// Runs `body` in its own sandbox, whose bridge has all pasteboards.
func withLibrary<Result: Sendable>(_ body: (Sandbox) async throws -> Result) async throws -> Result {
    try await Sandbox.with { sandbox in
        try await sandbox.withTimeout(.seconds(60)) { try await body(sandbox) }
    }
}

/// Runs blocking calls on their own thread, so that they do not use up the threads of tasks.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    let client = Client.current
    return try await withCheckedThrowingContinuation { continuation in
        do {
            _ = try WorkerThread.start(name: "caller") {
                continuation.resume(with: Swift.Result { try Client.$current.withValue(client, operation: body) })
            }
        } catch {
            continuation.resume(throwing: error)
        }
    }
}

extension Sandbox {
    /// Runs `body` with the given timeout for calls.
    func withTimeout<Result>(_ timeout: Duration, _ body: () async throws -> Result) async throws -> Result {
        try await Client.$current.withValue(Client(environment: environment, timeout: timeout), operation: body)
    }

    /// Runs the other program that uses the library.
    func peer(_ arguments: String...) async throws -> Outcome {
        try await run(["\(Binaries.built)/LibraryPeer"] + arguments)
    }

    /// Runs the other program during `body`.
    func withPeer<Result: Sendable>(
        _ arguments: String..., body: (Running) async throws -> Result
    ) async throws -> Result {
        try await running(["\(Binaries.built)/LibraryPeer"] + arguments, body).result
    }

    /// Runs `xpb` and requires success.
    @discardableResult
    func require(_ arguments: String..., input: [UInt8] = []) async throws -> Outcome {
        let outcome = try await run(["\(Binaries.folder)/xpb"] + arguments, input: input)
        try #require(outcome.status == 0, "\(outcome)")
        return outcome
    }

    /// Copies text with xclip, and returns the change count once the bridge has seen the copy.
    @discardableResult
    func xclipCopies(_ text: String, as target: String = "UTF8_STRING") async throws -> Int {
        let before = try await Pasteboard.general.async.changeCount
        try write(Array(text.utf8), to: "copied")
        let copied = try await shell("exec xclip -i -selection clipboard -t \"$1\" copied >/dev/null 2>&1", target)
        try #require(copied.status == 0)
        for try await change in Pasteboard.general.changes(since: before) { return change.count }
        return before
    }

    /// Pastes with xclip.
    func xclipPastes(_ target: String = "UTF8_STRING") async throws -> Outcome {
        try await run(["xclip", "-o", "-selection", "clipboard", "-t", target])
    }

    /// Kills the bridge.
    func killBridge() async throws {
        let bridges = bridges()
        try #require(bridges.count == 1)
        await ProcessTable.end(bridges[0])
    }
}
