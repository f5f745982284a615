import SelectionProtocol
import Synchronization

/// Attributes the errors of one display's requests to the foreign windows that they were about.
///
/// Foreign windows vanish at any moment, and Xlib's own handler would end the process. Errors come some time after
/// their request; the serial tells which request it was, so that nothing waits for the server.
final class ErrorTrap: Sendable {
    private struct State {
        var expected: [(serial: UInt, window: WindowID)] = []
        var failed: [WindowID] = []
        var isBroken = false
    }

    private let state = Mutex(State())

    /// The request with that serial is about the window.
    func expect(serial: UInt, window: WindowID) {
        state.withLock { $0.expected.append((serial, window)) }
    }

    /// An error came for the request with that serial.
    func record(serial: UInt) {
        state.withLock { state in
            guard let expected = state.expected.first(where: { $0.serial == serial }) else { return }
            state.failed.append(expected.window)
        }
    }

    /// The server has dealt with all requests up to that serial: no error of theirs can come any more.
    func forget(upTo serial: UInt) {
        state.withLock { state in
            guard let first = state.expected.first, first.serial <= serial else { return }
            state.expected.removeAll { $0.serial <= serial }
        }
    }

    /// The windows for which an error came since the last call.
    func takeFailed() -> [WindowID] {
        state.withLock { state in
            guard !state.failed.isEmpty else { return [] }
            defer { state.failed = [] }
            return state.failed
        }
    }

    /// The connection to the server is lost for good.
    var isBroken: Bool { state.withLock { $0.isBroken } }

    func breakDown() {
        state.withLock { $0.isBroken = true }
    }
}
