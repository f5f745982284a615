package import LinuxSystem
package import PasteboardWire
package import SystemPackage

/// A connection to the bridge. Errors of any kind come as ``PasteboardError``. It waits; one thread at a time may use it.
package final class BridgeClient {
    /// What the bridge may take longer than it was told to, for the answer to come through.
    package static let grace = Duration.milliseconds(800)

    let connection: ClientConnection
    /// Of the bridge's socket.
    package let path: String
    /// How long the bridge and who it asks may be silent.
    package let timeout: Duration

    private init(_ found: BridgeFinder.Found, timeout: Duration) {
        (connection, path) = found
        self.timeout = timeout
    }

    /// Takes over a connection to the bridge that listens at a path.
    package init(adopting connection: ClientConnection, path: String, timeout: Duration) {
        self.connection = connection
        self.path = path
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
        return BridgeClient(try finder.connect(start: start), timeout: timeout)
    }

    /// For who makes calls of its own on it. Nothing else is to be done with this client then.
    package var socket: Descriptor { connection.socket }

    /// Readable, while no call is under way, when the bridge has closed the connection.
    package var fileDescriptor: FileDescriptor { connection.fileDescriptor }

    /// In milliseconds, as the calls take it.
    package var timeoutMilliseconds: Int { timeout.startedMilliseconds }

    /// - Parameter isLong: Bytes may be on their way for longer than ``timeout``, with no word of it here. It is the bridge
    ///   that sees their progress and gives up on who is silent; here it only has to be alive. So it is with a write: its
    ///   turn may come behind one that adds to what another program still sends.
    package func call<M: WireMethod>(
        _ method: M.Type, _ parameters: M.Parameters, descriptors: [Descriptor] = [], isLong: Bool = false
    ) throws(PasteboardError) -> (reply: M.Reply, descriptors: [Descriptor]) {
        connection.keepsWaiting = isLong ? { [path] in Self.isAlive(path) } : nil
        do {
            return try connection.call(method, parameters, descriptors: descriptors, silence: timeout + Self.grace)
        } catch {
            throw PasteboardError(wire: error)
        }
    }

    /// Waits for the reply to a call that was made on the connection before, as ``call(_:_:descriptors:isLong:)`` does.
    package func reply<M: WireMethod>(
        to method: M.Type, isLong: Bool = false
    ) throws(PasteboardError) -> (reply: M.Reply, descriptors: [Descriptor]) {
        connection.keepsWaiting = isLong ? { [path] in Self.isAlive(path) } : nil
        do {
            return try connection.reply(to: method, silence: timeout + Self.grace)
        } catch {
            throw PasteboardError(wire: error)
        }
    }

    /// Throws what a call of the same parameters would where it is too long for the bridge, without making it.
    package func checkLength<M: WireMethod>(of method: M.Type, _ parameters: M.Parameters) throws(PasteboardError) {
        let limits = try call(Methods.Status.self, .init()).reply.limits
        guard let limit = limits.first(where: { $0.name == WireLimits.messageSetting })?.limit else { return }
        do {
            if try EncodedCall(method, parameters).length > limit { throw BridgeError.callTooLong(limit: limit) }
        } catch {
            throw PasteboardError(wire: error)
        }
    }

    /// Whether the bridge answers a question it can answer at any time.
    static func isAlive(_ path: String) -> Bool {
        (try? ClientConnection.connect(path: path)).map { isAlive($0) } ?? false
    }

    static func isAlive(_ connection: ClientConnection) -> Bool {
        (try? connection.call(Methods.Status.self, .init(), silence: grace)) != nil
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
