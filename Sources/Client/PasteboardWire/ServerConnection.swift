package import LinuxSystem
package import SystemPackage

/// The bridge's end of a connection, for use in an event loop: no function waits.
///
/// The loop registers ``fileDescriptor``, for reading while ``wantsInput`` and for writing while ``hasUnsent``. Each
/// time the descriptor is ready, and after the last reply to each call, the loop runs
///
///     try connection.receive()
///     while let call = try connection.nextCall() { … }
///     try connection.flush()
///
/// On a ``WireFault``, and once it ``isFinished``, the loop closes the connection by releasing it. Calls are answered
/// one at a time, in order, as Varlink requires; the next call waits in the buffer.
///
/// Raw bytes may follow a call, whose receiver takes them with ``receiveBytes(_:take:end:)``, or a reply. The next call
/// is taken only after the last raw byte.
package final class ServerConnection {
    package let peer: PeerCredentials
    /// True after the peer has stopped sending. The peer may still read; if it is gone, poll(2) reports a hang-up.
    package private(set) var isEndOfStream = false

    private let socket: Descriptor
    /// The limits, which may change at any time. A change does not affect bytes already received or queued.
    package var limits: WireLimits {
        didSet {
            framer.limit = limits.messageBytes
            inbox.limit = limits.descriptorsPerMessage
        }
    }
    private var framer: MessageFramer
    private var inbox: DescriptorInbox
    private var currentCall: IncomingCall?
    /// True if an error of the connection itself has ended the current call, whose further replies are dropped.
    private var isAborted = false
    /// True after a call that is followed by raw bytes, until all of the bytes have been received.
    private var isOwedBytes = false
    private var incomingBytes: IncomingBytes?
    private var outbox = Outbox()
    /// A fault of a reply or of raw bytes, which the next ``flush()`` throws.
    private var fault: WireFault?

    /// Takes over a connected socket. Throws the errors of getsockopt(2), for a socket that is not connected.
    package init(socket: Descriptor, limits: WireLimits = WireLimits()) throws(Errno) {
        self.socket = socket
        self.limits = limits
        peer = try PeerCredentials.of(socket.fileDescriptor)
        framer = MessageFramer(limit: limits.messageBytes)
        inbox = DescriptorInbox(limit: limits.descriptorsPerMessage)
    }

    package var fileDescriptor: FileDescriptor { socket.fileDescriptor }

    /// True until the end of the stream, except while the received input is at its limit, so that the peer waits.
    package var wantsInput: Bool {
        !isEndOfStream && framer.count <= limits.messageBytes && !inbox.isOverfull
    }

    package var hasUnsent: Bool { !outbox.isEmpty }

    /// The number of received bytes that have not been taken, of complete and incomplete messages.
    package var incoming: Int { framer.count }

    /// The number of bytes of replies that wait to be sent.
    package var unsent: Int { outbox.count }

    /// True if ``nextCall()`` may return a call from input that it has not examined.
    package var hasCall: Bool { currentCall == nil && !hasUnsent && framer.mayHaveMessage }

    /// True after the end of the stream, once every call has been answered and every reply sent.
    package var isFinished: Bool {
        isEndOfStream && currentCall == nil && !hasUnsent && !framer.mayHaveMessage
    }

    /// True if no call is being answered, no part of a call has been received, and no reply waits to be sent.
    package var isIdle: Bool { currentCall == nil && !hasUnsent && framer.count == 0 }

    /// Reads once, if ``wantsInput``. Bytes that remain in the socket make the descriptor readable again.
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
        if incomingBytes != nil { passBytes() }
    }

    /// Returns the next call; nil while a call is being answered or its replies are unsent, or if no call is complete.
    package func nextCall() throws(WireFault) -> IncomingCall? {
        let call = try takeCall()
        // The descriptors of the reserve cannot wait: a call may take days to be answered, and a message may never be
        // completed.
        if call == nil, inbox.takesReserve { throw .noDescriptors }
        return call
    }

    private func takeCall() throws(WireFault) -> IncomingCall? {
        while currentCall == nil {
            try flush()
            if hasUnsent { return nil }
            guard let message = try nextMessage() else {
                // An incomplete message cannot have more descriptors than a complete one.
                try inbox.check()
                return nil
            }
            let call = try call(message)
            currentCall = call
            guard call.isUpgrade else { return call }
            isOwedBytes = call.isFollowedByBytes
            if call.movesBytes { return call }
            fail(.methodNotImplemented(call.method))
        }
        return nil
    }

    private func nextMessage() throws(WireFault) -> [UInt8]? {
        do throws(WireFault) {
            return try framer.next()
        } catch {
            if case .messageTooLong(let limit) = error {
                reject(.callTooLong(limit: limit))
            }
            throw error
        }
    }

    /// Sends a peer the reason why it is no longer served. Later calls are not taken; the caller closes the connection.
    package func reject(_ error: BridgeError) {
        let reply = OutgoingReply(error: error.fullName, parameters: WireErrorParameters(error))
        outbox.append((try? WireCoding.encode(reply)) ?? [])
        try? outbox.send(to: fileDescriptor)
    }

    /// Replies to the call last taken. If the reply is too long to be sent, the call ends with an error instead.
    ///
    /// - Parameter continues: True if more replies follow. Ignored if the call does not accept several replies.
    package func reply<Parameters: Encodable>(
        _ parameters: Parameters, descriptors: [Descriptor] = [], continues: Bool = false
    ) {
        send(error: nil, parameters, descriptors: descriptors, continues: continues)
    }

    /// Replies to the call last taken, and sends the bytes of a range of a file after the reply. The bytes are read
    /// from the file when the socket has room for them.
    package func reply<Parameters: Encodable>(
        _ parameters: Parameters, followedBy file: MemoryFile, _ range: Range<Int>
    ) {
        send(error: nil, parameters, file: (file, range))
    }

    /// Reports a change to a watcher, in one of several replies to the call last taken. If the unread replies would
    /// then exceed ``WireLimits/watchQueueBytes``, the call ends with an error instead.
    ///
    /// - Returns: false if the call has ended.
    package func report<Parameters: Encodable>(_ parameters: Parameters, orFailWith error: BridgeError) -> Bool {
        guard send(error: nil, parameters, continues: true, queueLimit: limits.watchQueueBytes), !isAborted else {
            fail(error)
            return false
        }
        return true
    }

    /// Receives the raw bytes that follow the call last taken; see ``IncomingCall/isFollowedByBytes``.
    ///
    /// If the call ends before all of them have arrived, the connection sends the reply and then ends too.
    ///
    /// - Parameters:
    ///   - count: The number of bytes.
    ///   - take: Called with the next bytes, as they arrive. If it throws, the call ends with the error.
    ///   - end: Called after the last byte, to reply to the call or throw the error that ends it.
    package func receiveBytes(
        _ count: Int, take: @escaping ([UInt8]) throws(BridgeError) -> Void,
        end: @escaping () throws(BridgeError) -> Void
    ) {
        incomingBytes = IncomingBytes(rest: count, take: take, end: end)
        passBytes()
    }

    /// Ends the call last taken without a reply, because the client no longer waits for one.
    package func drop() { endCall() }

    /// Ends the call last taken with an error.
    package func fail(_ error: BridgeError) {
        send(error: error.fullName, WireErrorParameters(error))
    }

    /// Ends the call last taken with an error.
    package func fail(_ error: VarlinkError) {
        send(error: error.fullName, error.parameters)
    }

    /// Sends as much as the socket has room for.
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
            throw .malformedMessage("it is nested too deeply, or has an object with too many members")
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

    /// Queues a reply to the call last taken.
    ///
    /// - Parameter queueLimit: The maximum number of bytes that wait to be sent, this reply included. A reply is always
    ///   queued if no other reply is waiting.
    /// - Returns: false if the queue would exceed the limit. In that case nothing was queued.
    @discardableResult
    private func send(
        error: String?, _ parameters: some Encodable, descriptors: [Descriptor] = [], continues: Bool = false,
        queueLimit: Int = .max, file: (bytes: MemoryFile, range: Range<Int>)? = nil
    ) -> Bool {
        guard let call = currentCall else { return true }
        let continues = continues && call.more
        if call.oneway || fault != nil || isAborted {
            if !continues { endCall() }
            return true
        }
        let reply = OutgoingReply(error: error, parameters: parameters, continues: continues ? true : nil)
        // The limit does not count the NUL.
        if let message = try? WireCoding.encode(reply), message.count <= limits.messageBytes + 1 {
            guard hasRoom(for: message.count, within: queueLimit) else { return false }
            outbox.append(message, descriptors: descriptors)
            if let file { outbox.append(file.bytes, file.range) }
        } else {
            isAborted = true
            let error = BridgeError(.refused, "the answer is longer than \(limits.messageBytes) bytes")
            let reply = OutgoingReply(error: error.fullName, parameters: WireErrorParameters(error))
            outbox.append((try? WireCoding.encode(reply)) ?? [])
        }
        if !continues { endCall() }
        if outbox.count > limits.unsentBytes { fault = .unread(limit: limits.unsentBytes) }
        return true
    }

    private func endCall() {
        currentCall = nil
        isAborted = false
        if isOwedBytes { abandonBytes() }
    }

    // MARK: Raw bytes

    /// Passes the received bytes on to the call that they follow.
    private func passBytes() {
        guard let incoming = incomingBytes else { return }
        let bytes = framer.takeRaw(incoming.rest)
        incomingBytes?.rest -= bytes.count
        do throws(BridgeError) {
            if !bytes.isEmpty { try incoming.take(bytes) }
            guard bytes.count == incoming.rest else {
                if isEndOfStream { fault = .disconnected }
                return
            }
            (incomingBytes, isOwedBytes) = (nil, false)
            try incoming.end()
        } catch {
            fail(error)
        }
    }

    /// Ends the connection after the reply, since the next bytes are not a message.
    private func abandonBytes() {
        (incomingBytes, isOwedBytes) = (nil, false)
        try? outbox.send(to: fileDescriptor)
        fault = fault ?? .refusedBytes
    }

    private func hasRoom(for count: Int, within limit: Int) -> Bool {
        func fits() -> Bool { outbox.count == 0 || outbox.count + count <= limit }
        if fits() { return true }
        // The peer may have read since the socket was last reported ready. The next flush reports errors.
        try? outbox.send(to: fileDescriptor)
        return fits()
    }
}
