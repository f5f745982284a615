package import LinuxSystem
package import SystemPackage

/// The bridge's end of a connection. It never waits and has no loop inside: whoever has one registers
/// ``fileDescriptor``, readable while ``wantsInput``, writable while ``hasUnsent``, and at every readiness, and
/// after every last reply to a call, goes through
///
///     try connection.receive()
///     while let call = try connection.nextCall() { … }
///     try connection.flush()
///
/// and closes the connection, by letting go of it, on a ``WireFault`` and once it ``isFinished``. Calls are answered
/// one after the other, in their order, as Varlink has it; the next waits in the buffer.
package final class ServerConnection {
    package let peer: PeerCredentials
    /// The peer sends nothing more. It may still read; a peer that is gone altogether shows as a hang-up.
    package private(set) var isEndOfStream = false

    private let socket: Descriptor
    /// They may change at any time; what has come, and what waits, stays.
    package var limits: WireLimits {
        didSet {
            framer.limit = limits.messageBytes
            inbox.limit = limits.descriptorsPerMessage
        }
    }
    private var framer: MessageFramer
    private var inbox: DescriptorInbox
    private var answering: IncomingCall?
    /// The call was ended by an error of the connection's own; what its method still replies is dropped.
    private var isCutShort = false
    private var outbox = Outbox()
    /// What went wrong while replying, which throws nothing.
    private var fault: WireFault?

    /// - Throws: for a socket that is not connected.
    package init(socket: Descriptor, limits: WireLimits = WireLimits()) throws(Errno) {
        self.socket = socket
        self.limits = limits
        peer = try PeerCredentials.of(socket.fileDescriptor)
        framer = MessageFramer(limit: limits.messageBytes)
        inbox = DescriptorInbox(limit: limits.descriptorsPerMessage)
    }

    package var fileDescriptor: FileDescriptor { socket.fileDescriptor }

    /// False while there is as much to work off as a connection may have: the peer is held back.
    package var wantsInput: Bool {
        !isEndOfStream && framer.count <= limits.messageBytes && !inbox.isOverfull
    }

    package var hasUnsent: Bool { outbox.count > 0 }

    /// What has come of messages that were not taken, whole or not, in bytes.
    package var incoming: Int { framer.count }

    /// What waits for the peer, in bytes.
    package var unsent: Int { outbox.count }

    /// Whether ``nextCall()`` may have one that was not asked for yet.
    package var hasCall: Bool { answering == nil && !hasUnsent && framer.mayHaveMessage }

    /// Nothing comes any more, and nothing is owed.
    package var isFinished: Bool {
        isEndOfStream && answering == nil && !hasUnsent && !framer.mayHaveMessage
    }

    /// Nothing is being answered, or was asked or begun to be.
    package var isIdle: Bool { answering == nil && !hasUnsent && framer.count == 0 }

    /// Reads once, what is there and is wanted. What is left makes the descriptor readable again.
    package func receive() throws(WireFault) {
        guard wantsInput else { return }
        do {
            guard let received = try UnixSocket.receive(from: fileDescriptor, waits: false) else { return }
            if received.bytes.isEmpty { isEndOfStream = true }
            framer.append(received.bytes)
            inbox.append(received.descriptors)
        } catch .connectionReset {
            isEndOfStream = true
        } catch {
            throw .system(error)
        }
    }

    /// The next call; nil while one is being answered, while its replies are not sent, or when none is complete.
    package func nextCall() throws(WireFault) -> IncomingCall? {
        let call = try takeCall()
        // A call may be answered for days, and a message may never be complete.
        if call == nil, inbox.takesReserve { throw .noDescriptors }
        return call
    }

    private func takeCall() throws(WireFault) -> IncomingCall? {
        while answering == nil {
            try flush()
            if hasUnsent { return nil }
            guard let message = try nextMessage() else {
                // As many as one message may have, and it is not there yet.
                try inbox.check()
                return nil
            }
            let call = try call(message)
            answering = call
            guard call.isUpgrade else { return call }
            fail(.methodNotImplemented(call.method))
        }
        return nil
    }

    private func nextMessage() throws(WireFault) -> [UInt8]? {
        do throws(WireFault) {
            return try framer.next()
        } catch {
            if case .messageTooLong(let limit) = error {
                turnAway(.callTooLong(limit: limit))
            }
            throw error
        }
    }

    /// Tells a peer why it is not served any further. What it calls is not taken; whoever holds the connection closes it.
    package func turnAway(_ error: BridgeError) {
        let reply = OutgoingReply(error: error.fullName, parameters: WireErrorParameters(error))
        outbox.append((try? WireCoding.encode(reply)) ?? [])
        try? outbox.send(to: fileDescriptor)
    }

    /// Answers the call last taken. A reply too long to be sent is an error of the call.
    ///
    /// - Parameter continues: Whether more replies follow; heeded only for a call that takes several.
    package func reply<Parameters: Encodable>(
        _ parameters: Parameters, descriptors: [Descriptor] = [], continues: Bool = false
    ) {
        send(error: nil, parameters, descriptors: descriptors, continues: continues)
    }

    /// One of several replies to the call last taken, which tells of changes: where it would wait behind more than a
    /// watcher may leave unread, the call ends by an error instead.
    ///
    /// - Returns: Whether the call goes on.
    package func tell<Parameters: Encodable>(_ parameters: Parameters, orEndBy error: BridgeError) -> Bool {
        guard send(error: nil, parameters, continues: true, waiting: limits.watchQueueBytes), !isCutShort else {
            fail(error)
            return false
        }
        return true
    }

    /// Does not answer the call last taken: nobody waits for it.
    package func drop() { end() }

    /// Answers the call last taken.
    package func fail(_ error: BridgeError) {
        send(error: error.fullName, WireErrorParameters(error))
    }

    /// Answers the call last taken.
    package func fail(_ error: VarlinkError) {
        send(error: error.fullName, error.parameters)
    }

    /// Sends what there is room for.
    package func flush() throws(WireFault) {
        if let fault { throw fault }
        if !hasUnsent { return }
        do throws(Errno) {
            try outbox.send(to: fileDescriptor)
        } catch .brokenPipe, .connectionReset {
            throw .disconnected
        } catch {
            throw .system(error)
        }
    }

    private func call(_ message: [UInt8]) throws(WireFault) -> IncomingCall {
        guard MessageShape.isSound(message) else {
            throw .malformedMessage("it is nested too deep, or has an object of too many members")
        }
        let head: CallHead
        do {
            head = try WireCoding.decode(CallHead.self, from: message)
        } catch {
            throw .malformedMessage(WireCoding.reason(error))
        }
        let taken = try inbox.take(for: message, isLast: framer.count == 0)
        return IncomingCall(head, message: message, descriptors: taken)
    }

    /// - Parameter waiting: How many bytes may wait, this reply among them, for it to be sent; one alone always may.
    /// - Returns: false if more would. Nothing was answered then.
    @discardableResult
    private func send(
        error: String?, _ parameters: some Encodable, descriptors: [Descriptor] = [], continues: Bool = false,
        waiting: Int = .max
    ) -> Bool {
        guard let call = answering else { return true }
        let continues = continues && call.more
        if call.oneway || fault != nil || isCutShort {
            if !continues { end() }
            return true
        }
        let reply = OutgoingReply(error: error, parameters: parameters, continues: continues ? true : nil)
        // The NUL is not of the message.
        if let message = try? WireCoding.encode(reply), message.count <= limits.messageBytes + 1 {
            guard hasRoom(for: message.count, within: waiting) else { return false }
            outbox.append(message, descriptors: descriptors)
        } else {
            isCutShort = true
            let error = BridgeError(.refused, "the answer is longer than \(limits.messageBytes) bytes")
            let reply = OutgoingReply(error: error.fullName, parameters: WireErrorParameters(error))
            outbox.append((try? WireCoding.encode(reply)) ?? [])
        }
        if !continues { end() }
        if outbox.count > limits.unsentBytes { fault = .unread(limit: limits.unsentBytes) }
        return true
    }

    private func end() {
        answering = nil
        isCutShort = false
    }

    private func hasRoom(for count: Int, within limit: Int) -> Bool {
        func fits() -> Bool { outbox.count == 0 || outbox.count + count <= limit }
        if fits() { return true }
        // The peer may have read since the loop was told so last. What goes wrong shows at the next flush.
        try? outbox.send(to: fileDescriptor)
        return fits()
    }
}
