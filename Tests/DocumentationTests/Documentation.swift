import LinuxSystem
import Pasteboard
import SystemPackage
import TestSupport
import Testing

/// Tests that run the code of the articles. They run one after the other, since each starts programs.
@Suite("The documentation", .serialized, .timeLimit(.minutes(3)), .requiresXvfb)
enum Documentation {}

/// Runs `body` in a sandbox of its own, with the pasteboards of the sandbox's bridge.
func withPasteboards(_ body: (Sandbox) async throws -> Void) async throws {
    try await Sandbox.with { sandbox in
        let client = Client(environment: sandbox.environment, timeout: .seconds(60))
        try await Client.$current.withValue(client) { try await body(sandbox) }
    }
}

/// Runs blocking calls on a thread of their own, so that they do not use up the threads of tasks.
func waiting(_ body: @escaping @Sendable () throws -> Void) async throws {
    let client = Client.current
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        do {
            _ = try WorkerThread.start(name: "reader") {
                continuation.resume(with: Result { try Client.$current.withValue(client, operation: body) })
            }
        } catch {
            continuation.resume(throwing: error)
        }
    }
}

/// Runs closures until `isDone`, as an event loop does. The suite's time limit cannot end this thread, so each wait for
/// an event has the same limit.
func dispatch(_ events: PasteboardEvents, until isDone: () throws -> Bool) throws {
    while try !isDone() {
        let isReadable = try waitReadable(FileDescriptor(rawValue: events.descriptor), until: .now + .seconds(180))
        try #require(isReadable, "no event came")
        events.dispatch()
    }
}

extension Sandbox {
    /// Runs a program and requires success.
    @discardableResult
    func require(_ command: [String], input: String = "") async throws -> Outcome {
        let outcome = try await run(command, input: Array(input.utf8))
        try #require(outcome.status == 0, "\(outcome)")
        return outcome
    }

    /// Returns the output of xclip for a target of CLIPBOARD.
    func xclipPastes(_ target: String = "UTF8_STRING") async throws -> String {
        try await require(["xclip", "-o", "-selection", "clipboard", "-t", target]).text
    }

    /// Returns the path of a program built by the package.
    func program(_ name: String) -> String { "\(Binaries.built)/\(name)" }
}
