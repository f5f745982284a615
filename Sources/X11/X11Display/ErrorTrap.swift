import SelectionProtocol
import Synchronization

/// A record that attributes the errors of one display's requests to the foreign windows that the requests were about.
///
/// A foreign window may vanish at any moment, and Xlib's default handler would end the process on the resulting error.
/// An error arrives some time after its request, and its serial identifies the request, so nothing has to wait for the
/// server.
final class ErrorTrap: Sendable {
    private struct State {
        var expected: [(serial: UInt, window: WindowID)] = []
        var failed: [WindowID] = []
        var isBroken = false
    }

    private let state = Mutex(State())

    /// Records that the request with this serial is about the window.
    func expect(serial: UInt, window: WindowID) {
        state.withLock { $0.expected.append((serial, window)) }
    }

    func record(serial: UInt) {
        state.withLock { state in
            guard let expected = state.expected.first(where: { $0.serial == serial }) else { return }
            state.failed.append(expected.window)
        }
    }

    /// Discards the requests that the server has processed, up to this serial: no error can arrive for them.
    func forget(upTo serial: UInt) {
        state.withLock { state in
            guard let first = state.expected.first, first.serial <= serial else { return }
            state.expected.removeAll { $0.serial <= serial }
        }
    }

    /// Returns the windows for which an error has arrived since the last call.
    func takeFailed() -> [WindowID] {
        state.withLock { state in
            guard !state.failed.isEmpty else { return [] }
            defer { state.failed = [] }
            return state.failed
        }
    }

    /// True once the connection to the server is lost permanently.
    var isBroken: Bool { state.withLock { $0.isBroken } }

    func markBroken() {
        state.withLock { $0.isBroken = true }
    }
}
