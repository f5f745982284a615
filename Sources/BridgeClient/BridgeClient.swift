package import LinuxSystem
package import PasteboardWire
package import SystemPackage

/// A connection to the bridge whose calls block. One thread at a time may use it.
///
/// Failures of any kind are thrown as ``BridgeClientError``.
package final class BridgeClient {
    /// The time that the bridge may take beyond the timeout it was given, so that its answer arrives.
    package static let grace = Duration.milliseconds(800)

    let connection: ClientConnection
    /// The path of the bridge's socket.
    package let path: String
    /// The time for which the bridge, and the owner of the contents, may be idle.
    package let timeout: Duration

    private init(_ found: BridgeFinder.Found, timeout: Duration) {
        (connection, path) = found
        self.timeout = timeout
    }

    /// Takes over a connection to the bridge that listens at `path`.
    package init(adopting connection: ClientConnection, path: String, timeout: Duration) {
        self.connection = connection
        self.path = path
        self.timeout = timeout
    }

    /// Connects to the bridge of a display, which is found or started.
    ///
    /// - Parameters:
    ///   - display: The display to use instead of DISPLAY.
    ///   - timeout: The time for which the bridge may be idle in a call.
    package static func connect(
        display: String? = nil, environment: [String: String], timeout: Duration = .seconds(5),
        start: BridgeFinder.Start = .forDisplay
    ) throws(BridgeClientError) -> BridgeClient {
        // A machine that is waking up takes its time to start a program, however short the caller's timeout is.
        let startTimeout = max(timeout, .seconds(5))
        let finder = try BridgeFinder(display: display, environment: environment, timeout: startTimeout)
        return BridgeClient(try finder.connect(start: start), timeout: timeout)
    }

    /// The socket, for a caller that makes its own calls on it and uses this client for nothing else.
    package var socket: Descriptor { connection.socket }

    /// A descriptor that, while no call is under way, becomes readable when the bridge closes the connection.
    package var fileDescriptor: FileDescriptor { connection.fileDescriptor }

    /// ``timeout`` in milliseconds, as the calls take it.
    package var timeoutMilliseconds: Int { timeout.millisecondsRoundedUp }

    // MARK: Calls

    /// Makes a call and waits for its reply.
    ///
    /// - Parameter isLong: The bridge may be idle here for longer than ``timeout``, as long as it is alive. Bytes of a
    ///   read can be on their way to the bridge, which sees their progress and gives up on an idle owner; a write can
    ///   wait for its turn after one that adds to what another program still sends.
    package func call<M: WireMethod>(
        _ method: M.Type, _ parameters: M.Parameters, descriptors: [Descriptor] = [], isLong: Bool = false
    ) throws(BridgeClientError) -> (reply: M.Reply, descriptors: [Descriptor]) {
        connection.extendsIdleTimeout = isLong ? { [path] in Self.isAlive(path) } : nil
        do {
            return try connection.call(method, parameters, descriptors: descriptors, idleTimeout: timeout + Self.grace)
        } catch {
            throw BridgeClientError(wire: error)
        }
    }

    /// Waits for the reply to a call that was made on the connection before, as ``call(_:_:descriptors:isLong:)`` does.
    package func reply<M: WireMethod>(
        to method: M.Type, isLong: Bool = false
    ) throws(BridgeClientError) -> (reply: M.Reply, descriptors: [Descriptor]) {
        connection.extendsIdleTimeout = isLong ? { [path] in Self.isAlive(path) } : nil
        do {
            return try connection.reply(to: method, idleTimeout: timeout + Self.grace)
        } catch {
            throw BridgeClientError(wire: error)
        }
    }

    /// Checks that a call with these parameters would not exceed the bridge's limit for messages. The call is not made.
    package func checkLength<M: WireMethod>(of method: M.Type, _ parameters: M.Parameters) throws(BridgeClientError) {
        let limits = try call(Methods.Status.self, .init()).reply.limits
        guard let limit = limits.first(where: { $0.name == WireLimits.messageSetting })?.limit else { return }
        do {
            if try EncodedCall(method, parameters).length > limit { throw BridgeError.callTooLong(limit: limit) }
        } catch {
            throw BridgeClientError(wire: error)
        }
    }

    /// Returns true if the bridge at `path` answers a call that it can answer at any time.
    package static func isAlive(_ path: String) -> Bool {
        (try? ClientConnection.connect(path: path)).map { isAlive($0) } ?? false
    }

    package static func isAlive(_ connection: ClientConnection) -> Bool {
        (try? connection.call(Methods.Status.self, .init(), idleTimeout: grace)) != nil
    }

    // MARK: Streams

    /// The replies of a stream to which ``timeout`` applies.
    package enum TimeoutScope: Sendable {
        /// Only the first; the bridge sends the others when there is something to report.
        case firstReply
        /// Every reply, extended as long as the bridge is alive: see ``call(_:_:descriptors:isLong:)``.
        case everyReply
    }

    /// Makes a call and passes each reply, with the descriptors it names, to `body`.
    ///
    /// The stream ends when `body` returns false, or after the bridge's last reply.
    ///
    /// - Throws: ``BridgeClientError``, and what `body` throws.
    package func stream<M: WireMethod>(
        _ method: M.Type, _ parameters: M.Parameters, descriptors: [Descriptor] = [], timeoutFor scope: TimeoutScope,
        _ body: (M.Reply, [Descriptor]) throws -> Bool
    ) throws {
        let idleTimeout = timeout + Self.grace
        connection.extendsIdleTimeout = scope == .everyReply ? { [path] in Self.isAlive(path) } : nil
        do {
            try connection.stream(
                method, parameters, descriptors: descriptors,
                deadline: { replies in scope == .firstReply && replies > 0 ? nil : .now + idleTimeout }, body)
        } catch let error where error is BridgeError || error is ClientFault || error is VarlinkError {
            throw BridgeClientError(wire: error)
        }
    }

    /// Makes a call and passes each reply to `body` until that returns false, or until `deadline`.
    ///
    /// - Returns: True if `body` ended the stream.
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
            throw BridgeClientError(wire: error)
        }
        return isEnded
    }
}
