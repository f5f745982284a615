package import LinuxSystem
package import PasteboardWire
package import SystemPackage

/// A connection to the bridge whose calls block. One thread at a time may use it.
///
/// Failures of any kind are thrown as ``BridgeClientError``.
package final class BridgeClient {
    /// Extra time for a reply to arrive after the bridge's own timeout.
    package static let grace = Duration.milliseconds(800)

    private(set) var connection: ClientConnection
    /// The path of the bridge's socket.
    package private(set) var path: String
    /// The time that the bridge and the owner of the contents may be idle.
    package let timeout: Duration
    /// False if the connection is a link from another machine, such as a socket that ssh forwards: bytes then travel on
    /// the connection itself.
    package let passesDescriptors: Bool
    /// The function that connects to the next bridge after this one has ended; nil if the connection was made
    /// elsewhere.
    private let findNext: (() throws(BridgeClientError) -> BridgeFinder.Found)?

    /// The calls that change nothing, so they may be made twice.
    private static let readMethods: Set = [
        Methods.Get.fullName, Methods.Fetch.fullName, Methods.Describe.fullName, Methods.Count.fullName,
        Methods.GetOwner.fullName, Methods.List.fullName, Methods.History.fullName, Methods.Settings.fullName,
        Methods.Status.fullName, Methods.Monitor.fullName, Methods.Match.fullName, Methods.GetUndoState.fullName,
        Methods.ListUndo.fullName,
    ]

    /// - Parameter findNext: Connects to the next bridge after the end of this one.
    package init(
        _ found: BridgeFinder.Found, timeout: Duration, passesDescriptors: Bool = true,
        findNext: @escaping () throws(BridgeClientError) -> BridgeFinder.Found
    ) {
        (connection, path) = found
        self.timeout = timeout
        self.passesDescriptors = passesDescriptors
        self.findNext = findNext
    }

    /// Takes over a connection to the bridge that listens at `path`.
    package init(
        adopting connection: ClientConnection, path: String, timeout: Duration, passesDescriptors: Bool = true
    ) {
        self.connection = connection
        self.path = path
        self.timeout = timeout
        self.passesDescriptors = passesDescriptors
        findNext = nil
    }

    /// Finds or starts the bridge of a display, and connects to it.
    ///
    /// - Parameters:
    ///   - display: The display to use instead of DISPLAY.
    ///   - timeout: The time that the bridge may be idle during a call.
    package static func connect(
        display: String? = nil, environment: [String: String], timeout: Duration = .seconds(5),
        start: BridgeFinder.Start = .forDisplay
    ) throws(BridgeClientError) -> BridgeClient {
        // A machine that is waking up may take longer than the caller's timeout to start a program.
        let startTimeout = max(timeout, RepeatBudget.minTimeout)
        let finder = try BridgeFinder(display: display, environment: environment, timeout: startTimeout)
        let found = try finder.connect(start: start)
        return BridgeClient(found, timeout: timeout, passesDescriptors: !LinkFolder.isLink(found.path)) {
            () throws(BridgeClientError) in try finder.connect(start: start)
        }
    }

    /// The socket, for a caller that makes its own calls on it and uses this client for nothing else.
    package var socket: Descriptor { connection.socket }

    /// Replaces the connection, so that the bridge ends the call under way.
    package func reconnect() throws(BridgeClientError) {
        if let findNext { (connection, path) = try findNext() }
    }

    /// A descriptor that, while no call is under way, becomes readable when the bridge closes the connection.
    package var fileDescriptor: FileDescriptor { connection.fileDescriptor }

    /// ``timeout`` in milliseconds, as the calls take it.
    package var timeoutMilliseconds: Int { timeout.millisecondsRoundedUp }

    // MARK: Calls

    /// Makes a call and waits for its reply. If the bridge ends first and the call is safe to repeat, the call is made
    /// to the next bridge; see ``RepeatBudget``.
    ///
    /// - Parameter isLong: True if the bridge may be idle for longer than ``timeout``, as long as it is alive. A read
    ///   may wait for bytes on their way to the bridge, which sees their progress and gives up on an idle owner; a
    ///   write may wait for an earlier write to contents that another program is still sending.
    package func call<M: WireMethod>(
        _ method: M.Type, _ parameters: M.Parameters, descriptors: [Descriptor] = [], isLong: Bool = false
    ) throws(BridgeClientError) -> (reply: M.Reply, descriptors: [Descriptor]) {
        try repeating(method) {
            try passing(parameters, descriptors) { parameters, descriptors in
                connection.extendsIdleTimeout = isLong ? isBridgeAlive : nil
                return try connection.call(
                    method, parameters, descriptors: descriptors, idleTimeout: timeout + Self.grace)
            }
        }
    }

    /// Makes a call that may have several replies, and waits for the first one, as
    /// ``call(_:_:descriptors:isLong:)`` does.
    package func firstReply<M: WireMethod>(
        to method: M.Type, _ parameters: M.Parameters
    ) throws(BridgeClientError) -> (reply: M.Reply, descriptors: [Descriptor], continues: Bool) {
        try repeating(method) {
            connection.extendsIdleTimeout = isBridgeAlive
            return try connection.firstReply(to: method, parameters, idleTimeout: timeout + Self.grace)
        }
    }

    /// Waits for the next reply to a call that may have several.
    package func nextReply<M: WireMethod>(
        to method: M.Type
    ) throws(BridgeClientError) -> (reply: M.Reply, descriptors: [Descriptor], continues: Bool) {
        connection.extendsIdleTimeout = isBridgeAlive
        do {
            return try connection.nextReply(to: method, idleTimeout: timeout + Self.grace)
        } catch {
            throw self.error(error, of: method)
        }
    }

    /// Returns the result of `body`, which makes a call. As long as the call may be repeated, connects to the next
    /// bridge and calls `body` again.
    private func repeating<M: WireMethod, Result>(
        _ method: M.Type, _ body: () throws -> Result
    ) throws(BridgeClientError) -> Result {
        var budget = RepeatBudget(timeout: timeout)
        while true {
            let failure: BridgeClientError
            do {
                return try body()
            } catch {
                failure = self.error(error, of: method)
            }
            let isRefused = failure.code == .refused
            guard failure.context.mayRepeat, let findNext, budget.take(isRefused: isRefused) else { throw failure }
            // A bridge that refuses because it is about to end keeps its connections until it ends.
            if isRefused { _ = awaitEnd(until: budget.deadline) }
            (connection, path) = try findNext()
        }
    }

    /// Converts the error of a call, and records whether the call may be repeated.
    private func error<M: WireMethod>(_ error: any Error, of _: M.Type) -> BridgeClientError {
        var converted = BridgeClientError(wire: error)
        if let error = error as? BridgeError {
            converted.context.mayRepeat = error.reason == BridgeError.endReason
        } else if let fault = error as? ClientFault {
            let isRead = Self.readMethods.contains(M.fullName)
            converted.context.mayRepeat = fault == .closed && (isRead || connection.isUndelivered)
            if !isRead, !converted.context.mayRepeat { return .uncertain(after: fault) }
        }
        return converted
    }

    /// Waits for the reply to a call that was made on the connection before, as ``call(_:_:descriptors:isLong:)`` does.
    package func reply<M: WireMethod>(
        to method: M.Type, isLong: Bool = false
    ) throws(BridgeClientError) -> (reply: M.Reply, descriptors: [Descriptor]) {
        connection.extendsIdleTimeout = isLong ? isBridgeAlive : nil
        do {
            return try connection.reply(to: method, idleTimeout: timeout + Self.grace)
        } catch {
            throw self.error(error, of: method)
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

    /// Returns true if the bridge at `path` answers a call that any client may make at any time.
    package static func isAlive(_ path: String, within timeout: Duration = grace) -> Bool {
        (try? ClientConnection.connect(path: path)).map { isAlive($0, within: timeout) } ?? false
    }

    package static func isAlive(_ connection: ClientConnection, within timeout: Duration = grace) -> Bool {
        (try? connection.call(ServiceInterface.GetInfo.self, .init(), idleTimeout: timeout)) != nil
    }

    /// A check that the bridge answers another connection. On a link the answer comes after bytes already on their way,
    /// so it may take longer.
    var isBridgeAlive: () -> Bool {
        { [path, limit = passesDescriptors ? Self.grace : timeout + Self.grace] in Self.isAlive(path, within: limit) }
    }

    // MARK: Streams

    /// The replies that must arrive within ``timeout``, which is extended while the bridge is alive; see
    /// ``call(_:_:descriptors:isLong:)``.
    package enum TimeoutScope: Sendable {
        /// Only the first reply; the bridge sends the others when there is something to report.
        case firstReply
        case everyReply
    }

    /// Makes a call and passes each reply, with the descriptors it names, to `body`. If the bridge ends before the
    /// first reply and the call is safe to repeat, the call is made to the next bridge; see ``RepeatBudget``.
    ///
    /// The stream ends when `body` returns false, or after the bridge's last reply.
    ///
    /// - Parameter restart: Called before the replies start over, if the bridge ended in the middle of them; nil if
    ///   they must not start over.
    /// - Throws: ``BridgeClientError``, and the errors of `body`.
    package func stream<M: WireMethod>(
        _ method: M.Type, _ parameters: M.Parameters, descriptors: [Descriptor] = [], timeoutFor scope: TimeoutScope,
        restart: (() -> Void)? = nil, _ body: (M.Reply, [Descriptor]) throws -> Bool
    ) throws {
        let idleTimeout = timeout + Self.grace
        var hasReplied = false
        // An error thrown by `body`, not by the call.
        var own: (any Error)?
        func receive(_ parameters: M.Parameters, _ descriptors: [Descriptor]) throws {
            connection.extendsIdleTimeout = isBridgeAlive
            do {
                try connection.stream(
                    method, parameters, descriptors: descriptors,
                    deadline: { replies in scope == .firstReply && replies > 0 ? nil : .now + idleTimeout }
                ) { reply, descriptors in
                    hasReplied = true
                    return try body(reply, descriptors)
                }
            } catch let error where error is BridgeError || error is ClientFault || error is VarlinkError {
                // The caller has already passed on the received replies.
                if hasReplied, restart == nil { throw BridgeClientError(wire: error) }
                throw error
            } catch {
                own = error
            }
        }
        try repeating(method) {
            if hasReplied, let restart {
                restart()
                hasReplied = false
            }
            try passing(parameters, descriptors, receive)
        }
        if let own { throw own }
    }

    /// Makes a call and passes each reply to `body`, until `body` returns false or `deadline` passes.
    ///
    /// - Returns: True if `body` ended the stream.
    /// - Throws: ``BridgeClientError``, and the errors of `body`. If the bridge ends, the error of a read-only call has
    ///   `mayRepeat` set.
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
            throw self.error(error, of: method)
        }
        return isEnded
    }
}
