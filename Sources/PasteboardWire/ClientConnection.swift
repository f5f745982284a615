package import LinuxSystem
package import SystemPackage

/// A client's end of a connection: one call at a time, waited for.
package final class ClientConnection {
    package let socket: Descriptor
    private var framer = MessageFramer(limit: WireLimits.longestMessage)
    private var inbox = DescriptorInbox(limit: WireLimits().descriptorsPerMessage)
    /// A reply may still come that belongs to no call, or none can.
    private var isGivenUp = false
    /// Asked when the service was silent for as long as a call allows: whether to wait as long again. A large transfer
    /// shows no progress here until it is done.
    package var keepsWaiting: (() -> Bool)?

    /// Takes over a connected socket.
    package init(socket: Descriptor) {
        self.socket = socket
    }

    /// Takes over a connection on which a call was made already, and what has come of its reply: see ``reply(to:silence:)``.
    package init(socket: Descriptor, received: [UInt8], descriptors: [Descriptor]) {
        self.socket = socket
        framer.append(received)
        inbox.append(descriptors)
    }

    /// - Throws: `noSuchFileOrDirectory` and `connectionRefused` where no bridge listens, `notPermitted` where another
    ///   user does, and what else ``UnixSocket/connect(to:patience:)`` says.
    package static func connect(path: String, patience: Duration = .seconds(5)) throws(Errno) -> ClientConnection {
        let socket = try UnixSocket.connect(to: path, patience: patience)
        // Who poses as the bridge would be handed what is copied.
        let peer = try PeerCredentials.of(socket.fileDescriptor)
        guard peer.user == PeerCredentials.own.user else { throw .notPermitted }
        return ClientConnection(socket: socket)
    }

    package var fileDescriptor: FileDescriptor { socket.fileDescriptor }

    /// Calls a method and waits for its reply.
    ///
    /// - Parameter silence: For how long the service may send and take nothing; nil for ever.
    /// - Returns: The reply, and the descriptors it names, by their index.
    /// - Throws: `BridgeError` and ``VarlinkError`` as the service answered, after which the connection can be used
    ///   further unless the service has closed it; ``ClientFault``, after which it cannot.
    package func call<Method: WireMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, descriptors: [Descriptor] = [], silence: Duration?
    ) throws -> (reply: Method.Reply, descriptors: [Descriptor]) {
        let deadline = { silence.map { ContinuousClock.now + $0 } }
        let call = try EncodedCall(method, parameters, descriptors: descriptors)
        try withGivingUp { try send(call, for: Method.self, deadline: deadline) }
        return try reply(to: Method.self, silence: silence)
    }

    /// Waits for the reply to a call that was made, as ``call(_:_:descriptors:silence:)`` does.
    package func reply<Method: WireMethod>(
        to _: Method.Type, silence: Duration?
    ) throws -> (reply: Method.Reply, descriptors: [Descriptor]) {
        try withGivingUp {
            let (reply, descriptors) = try receive(
                Method.Reply.self, deadline: { silence.map { ContinuousClock.now + $0 } })
            if reply.continues { throw ClientFault.malformed("several replies where one was asked for") }
            return (try reply.outcome.get(), descriptors)
        }
    }

    /// Calls a method of which no reply is wanted, and goes on.
    ///
    /// - Parameter silence: For how long the service may take nothing.
    /// - Throws: `ClientFault`, after which the connection cannot be used further.
    package func tell<Method: WireMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, silence: Duration
    ) throws {
        let call = try EncodedCall(method, parameters, oneway: true)
        try withGivingUp { try send(call, for: Method.self, deadline: { .now + silence }) }
    }

    /// Calls a method that replies again and again, and waits for the replies.
    ///
    /// Unless the service ends the stream, the connection cannot be used afterwards.
    ///
    /// - Parameters:
    ///   - deadline: When to stop waiting; nil for never.
    ///   - body: Called with each reply; false ends the stream.
    /// - Throws: As ``call(_:_:descriptors:silence:)``, `ClientFault.timedOut` at the deadline, and what `body` throws.
    package func stream<Method: WireMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, until deadline: ContinuousClock.Instant?,
        _ body: (Method.Reply) throws -> Bool
    ) throws {
        try stream(method, parameters, deadline: { _ in deadline }) { reply, _ in try body(reply) }
    }

    /// The same with descriptors: those of the call, and those that each reply names.
    ///
    /// - Parameter deadline: When to stop waiting for the next reply, by the number of replies so far; asked again
    ///   whenever something has come.
    package func stream<Method: WireMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, descriptors: [Descriptor] = [],
        deadline: (_ replies: Int) -> ContinuousClock.Instant?, _ body: (Method.Reply, [Descriptor]) throws -> Bool
    ) throws {
        let call = try EncodedCall(method, parameters, descriptors: descriptors, more: true)
        try withGivingUp {
            try send(call, for: Method.self, deadline: { deadline(0) })
            var replies = 0
            while true {
                let (reply, descriptors) = try receive(Method.Reply.self, deadline: { deadline(replies) })
                replies += 1
                isGivenUp = reply.continues
                let goesOn = try body(try reply.outcome.get(), descriptors)
                guard goesOn, reply.continues else { return }
                isGivenUp = false
            }
        }
    }

    /// Only a call that was answered to its end leaves the connection usable.
    private func withGivingUp<Result>(_ body: () throws -> Result) throws -> Result {
        if isGivenUp { throw ClientFault.closed }
        do {
            return try body()
        } catch let error as ClientFault {
            isGivenUp = true
            throw error
        }
    }

    /// - Throws: What the service said before it closed the connection, if it did.
    private func send<Method: WireMethod>(
        _ call: EncodedCall, for _: Method.Type, deadline: () -> ContinuousClock.Instant?
    ) throws {
        var outbox = Outbox()
        outbox.append(call.message, descriptors: call.descriptors)
        do throws(Errno) {
            while true {
                let before = outbox.count
                try outbox.send(to: fileDescriptor)
                if outbox.count == 0 { return }
                if outbox.count == before, try !waitWritable(fileDescriptor, until: deadline()) {
                    throw Errno.timedOut
                }
            }
        } catch .brokenPipe, .connectionReset {
            if let (reply, _) = try? receive(Method.Reply.self, deadline: { .now }),
                case .failure(let error) = reply.outcome
            {
                isGivenUp = true
                throw error
            }
            throw ClientFault.closed
        } catch {
            throw ClientFault(error)
        }
    }

    private func receive<Reply: Decodable>(
        _: Reply.Type, deadline: () -> ContinuousClock.Instant?
    ) throws -> (IncomingReply<Reply>, [Descriptor]) {
        let (message, taken) = try nextMessage(deadline: deadline)
        do {
            return (try WireCoding.decode(IncomingReply<Reply>.self, from: message), taken)
        } catch {
            throw ClientFault.malformed("a reply that is not one: \(WireCoding.reason(error))")
        }
    }

    private func nextMessage(
        deadline: () -> ContinuousClock.Instant?
    ) throws -> (message: [UInt8], descriptors: [Descriptor]) {
        do {
            while true {
                if let message = try framer.next() {
                    return (message, try inbox.take(for: message, isLast: framer.count == 0))
                }
                // Without a deadline it is recvmsg(2) that waits: one system call less.
                let deadline = deadline()
                if let deadline, try !waitReadable(fileDescriptor, until: deadline) {
                    guard keepsWaiting?() == true else { throw ClientFault.timedOut }
                    continue
                }
                guard let received = try UnixSocket.receive(from: fileDescriptor, waits: deadline == nil) else {
                    continue
                }
                if received.bytes.isEmpty { throw ClientFault.closed }
                framer.append(received.bytes)
                inbox.append(received.descriptors)
                if inbox.isOverfull { throw ClientFault.strayDescriptors }
            }
        } catch let error as Errno {
            throw ClientFault(error)
        } catch let fault as WireFault {
            throw ClientFault(fault)
        }
    }
}

extension ClientFault {
    init(_ error: Errno) {
        self =
            switch error {
            case .brokenPipe, .connectionReset: .closed
            case .timedOut: .timedOut
            default: .system(error)
            }
    }

    init(_ fault: WireFault) {
        if case .strayDescriptors = fault {
            self = .strayDescriptors
        } else {
            self = .malformed(fault.description)
        }
    }

    static let strayDescriptors = ClientFault.malformed("descriptors that no reply names")
}
