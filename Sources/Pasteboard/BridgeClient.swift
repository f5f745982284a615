package import LinuxSystem
package import PasteboardWire

/// A connection to the bridge. Errors of any kind come as ``PasteboardError``. It waits; one thread at a time may use it.
package final class BridgeClient {
    /// What the bridge may take longer than it was told to, for the answer to come through.
    package static let grace = Duration.seconds(1)

    private let connection: ClientConnection
    /// How long the bridge and who it asks may be silent.
    package let timeout: Duration

    private init(connection: ClientConnection, timeout: Duration) {
        self.connection = connection
        self.timeout = timeout
    }

    /// - Parameters:
    ///   - display: Instead of DISPLAY.
    ///   - timeout: Of silence.
    package static func connect(
        display: String? = nil, environment: [String: String], timeout: Duration = .seconds(5),
        start: BridgeFinder.Start = .forDisplay
    ) throws(PasteboardError) -> BridgeClient {
        // A machine that is waking up takes its time to start a program, whatever the caller is in a hurry for.
        let patience = max(timeout, .seconds(5))
        let finder = try BridgeFinder(display: display, environment: environment, patience: patience)
        return BridgeClient(connection: try finder.connect(start: start), timeout: timeout)
    }

    /// In milliseconds, as the calls take it.
    package var timeoutMilliseconds: Int { timeout.milliseconds }

    package func call<M: WireMethod>(
        _ method: M.Type, _ parameters: M.Parameters, descriptors: [Descriptor] = []
    ) throws(PasteboardError) -> (reply: M.Reply, descriptors: [Descriptor]) {
        do {
            return try connection.call(method, parameters, descriptors: descriptors, silence: timeout + Self.grace)
        } catch {
            throw PasteboardError(wire: error)
        }
    }

    /// Hands each reply to `body` until that says no more, or until `deadline`.
    ///
    /// - Returns: Whether `body` ended it.
    package func stream<M: WireMethod>(
        _ method: M.Type, _ parameters: M.Parameters, until deadline: ContinuousClock.Instant? = nil,
        _ body: (M.Reply) throws -> Bool
    ) throws -> Bool {
        var isEnded = false
        do {
            try connection.stream(method, parameters, until: deadline) { reply in
                isEnded = try !body(reply)
                return !isEnded
            }
        } catch ClientFault.timedOut {
            return false
        } catch let error where error is BridgeError || error is ClientFault {
            throw PasteboardError(wire: error)
        }
        return isEnded
    }

    /// Waits until the bridge has closed the connection, as it does when it ends.
    ///
    /// - Returns: Whether it has, at `deadline`.
    package func awaitEnd(until deadline: ContinuousClock.Instant) -> Bool {
        do {
            while try waitReadable(connection.fileDescriptor, until: deadline) {
                if try connection.fileDescriptor.readBytes(atMost: 4096).isEmpty { return true }
            }
            return false
        } catch {
            return true
        }
    }
}

extension Duration {
    /// Rounded up.
    var milliseconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) * 1000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
