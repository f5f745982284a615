import BridgeFixture
import FoundationEssentials
import Pasteboard
import PasteboardWire
import Synchronization

/// The connections and calls that a scripted bridge received.
final class Record: Sendable {
    private let state = Mutex((connections: 0, calls: [String]()))

    /// Records a call.
    ///
    /// - Parameter isNew: True for the first call of its connection.
    func note(_ call: IncomingCall, isNew: Bool) {
        state.withLock {
            if isNew { $0.connections += 1 }
            $0.calls.append(String(call.method.split(separator: ".").last ?? ""))
        }
    }

    /// Returns a handler that records each call before `handler` answers it.
    func noting(_ handler: @escaping FakeBridge.Handler) -> FakeBridge.Handler {
        // Weak, since a connection is closed by releasing it.
        var seen: [Weak] = []
        return { [self] call, connection in
            let isNew = !seen.contains { $0.connection === connection }
            if isNew { seen.append(Weak(connection: connection)) }
            note(call, isNew: isNew)
            try handler(call, connection)
        }
    }

    private struct Weak {
        weak var connection: ServerConnection?
    }

    var connections: Int { state.withLock { $0.connections } }
    var calls: [String] { state.withLock { $0.calls } }
}

/// Runs `body` with a client of a bridge whose calls `handler` answers.
func withScript<Result>(
    timeout: Duration = .seconds(60), _ handler: @escaping @Sendable () -> FakeBridge.Handler,
    _ body: (Client, Record) async throws -> Result
) async throws -> Result {
    let place = try Place(display: ":1")
    let record = Record()
    let bridge = try place.bridge(":1") {
        record.noting(handler())
    }
    let client = Client(environment: place.environment, timeout: timeout)
    return try await Client.$current.withValue(client) {
        let result = try await body(client, record)
        withExtendedLifetime((place, bridge)) {}
        return result
    }
}

/// Returns a handler that answers each call with the number of the call.
@Sendable func countingCalls() -> FakeBridge.Handler {
    var count = 0
    return { _, connection in
        count += 1
        connection.reply(Methods.Count.Reply(count: count))
    }
}

/// Provides no bytes, and ends only when it is cancelled.
func neverAnswering() async throws -> Data {
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    for await _ in stream {}
    withExtendedLifetime(continuation) {}
    throw CancellationError()
}
