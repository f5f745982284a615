import FoundationEssentials
import LinuxSystem
import Pasteboard
import SystemPackage
import TestSupport
import Testing

/// Tests of a window's pasteboards with a real X server and bridge. They run one at a time, as each starts several
/// programs.
@Suite("Pasteboards of a window", .serialized, .timeLimit(.minutes(3)), .requiresXvfb)
enum WindowPasteboards {}

/// Runs `body` in its own sandbox, with a window whose pasteboards are those of the sandbox's bridge.
///
/// - Parameter timeout: The timeout of the window's calls.
func withWindow(
    timeout: Duration = .seconds(60), _ body: (Sandbox, TestWindow) async throws -> Void
) async throws {
    try await Sandbox.with { sandbox in
        try await Client.$current.withValue(Client(environment: sandbox.environment, timeout: timeout)) {
            try await body(sandbox, try TestWindow())
        }
    }
}

/// Waits until a change of the find pasteboard, or its present state, fulfills a condition.
func awaitFind(_ isReached: (Pasteboard.Change) async throws -> Bool) async throws {
    // Counts begin with 0, so the present state comes first.
    for try await change in Pasteboard.find.changes(since: -1) { if try await isReached(change) { return } }
}

/// Waits until the find pasteboard has a string.
func awaitFind(_ string: String) async throws {
    try await awaitFind { _ in try await Pasteboard.find.async.string == string }
}

/// A window that has only the events of its loop.
final class TestWindow {
    let events: PasteboardEvents
    /// The longest time that the thread slept in one turn of the loop. A thread that waits for a busy processor does
    /// not sleep.
    private(set) var longestTurn = Duration.zero

    init() throws { events = try PasteboardEvents() }

    /// Runs the loop until `isDone`. If `isDone` never returns true, the suite's time limit ends the loop.
    func turn(until isDone: () -> Bool) async throws {
        while true {
            let (start, awake) = (ContinuousClock.now, awakeTime)
            events.dispatch()
            longestTurn = max(longestTurn, ContinuousClock.now - start - (awakeTime - awake))
            if isDone() { return }
            try Task.checkCancellation()
            // A condition may become true without an event.
            _ = try waitReadable(FileDescriptor(rawValue: events.descriptor), until: .now + .milliseconds(10))
        }
    }

    /// The time for which this thread has run or waited for a processor. See proc(5), `/proc/PID/schedstat`.
    private var awakeTime: Duration {
        let times = try? String(contentsOfFile: "/proc/thread-self/schedstat", encoding: .utf8)
        let nanoseconds = times?.split(separator: " ").prefix(2).compactMap { Int64($0) } ?? []
        return .nanoseconds(nanoseconds.reduce(0, +))
    }

    /// Runs the loop for some time, during which something must not happen. Only waiting can show this; a busy machine
    /// can hide a failure, but not cause one.
    func turn(for time: Duration) async throws {
        let end = ContinuousClock.now + time
        try await turn { ContinuousClock.now >= end }
    }

    /// Runs the loop while `work` runs, for example another program.
    func turn<Value: Sendable>(
        during work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        var result: Result<Value, any Error>?
        events.perform(work) { result = $0 }
        try await turn { result != nil }
        return try #require(result).get()
    }
}

extension Sandbox {
    /// Pastes the selection with xclip; nil if there is none.
    func pastesSelection() async throws -> String? {
        let outcome = try await run(["xclip", "-o", "-selection", "primary", "-t", "UTF8_STRING"])
        return outcome.status == 0 ? outcome.text : nil
    }

    /// Selects or copies text with xclip.
    func xclip(_ text: String, selection: String = "primary", target: String = "UTF8_STRING") async throws {
        try write(Array(text.utf8), to: "copied")
        let copied = try await shell(
            "exec xclip -i -selection \"$1\" -t \"$2\" copied >/dev/null 2>&1", selection, target)
        try #require(copied.status == 0)
    }

    /// Kills the bridge.
    func killBridge() async throws {
        let bridges = bridges()
        try #require(bridges.count == 1)
        await ProcessTable.end(bridges[0])
    }
}
