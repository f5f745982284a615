package import LinuxSystem
package import SystemPackage

/// The client's end of a connection that makes one call at a time, and waits for its reply.
package final class ClientConnection {
    package let socket: Descriptor
    private var framer: MessageFramer
    private var inbox = DescriptorInbox(limit: WireLimits().descriptorsPerMessage)
    /// True once replies can no longer be assigned to calls, because a call was abandoned or the stream has ended.
    private var isUnusable = false
    /// True once the kernel has reported that the service did not read everything sent, so it cannot have acted on the
    /// latest call; see ``ClientChannel/isUndelivered``.
    package private(set) var isUndelivered = false
    /// The function that is called when the service has sent nothing for a call's idle timeout. If the result is true,
    /// the call waits for another timeout. The progress of a large transfer cannot be seen on the connection.
    package var extendsIdleTimeout: (() -> Bool)?

    /// Takes over a connected socket.
    ///
    /// - Parameter messageLimit: The maximum length of a reply, in bytes.
    package init(socket: Descriptor, messageLimit: Int = WireLimits.maxMessageBytes) {
        self.socket = socket
        framer = MessageFramer(limit: messageLimit)
    }

    /// Takes over a connection on which a call has been made, with the received part of its reply. Continue with
    /// ``reply(to:idleTimeout:)``.
    package convenience init(socket: Descriptor, received: [UInt8], descriptors: [Descriptor]) {
        self.init(socket: socket)
        framer.append(received)
        inbox.append(descriptors)
    }

    /// Connects to the bridge that listens at a path.
    ///
    /// - Parameter messageLimit: The maximum length of a reply, in bytes.
    /// - Throws: `noSuchFileOrDirectory` and `connectionRefused` if no bridge listens, `notPermitted` if another user's
    ///   process listens, and the other errors of ``UnixSocket/connect(to:timeout:)``.
    package static func connect(
        path: String, timeout: Duration = .seconds(5), messageLimit: Int = WireLimits.maxMessageBytes
    ) throws(Errno) -> ClientConnection {
        let socket = try UnixSocket.connect(to: path, timeout: timeout)
        // A process posing as the bridge would receive everything the user copies.
        let peer = try PeerCredentials.of(socket.fileDescriptor)
        guard peer.user == PeerCredentials.own.user else { throw .notPermitted }
        return ClientConnection(socket: socket, messageLimit: messageLimit)
    }

    package var fileDescriptor: FileDescriptor { socket.fileDescriptor }

    /// Calls a method and waits for its reply.
    ///
    /// - Parameter idleTimeout: The maximum time that the service may neither send nor read; nil for no limit.
    /// - Returns: The reply, and the descriptors it names, by their index.
    /// - Throws: `BridgeError` and ``VarlinkError`` from the service, after which the connection can still be used
    ///   unless the service has closed it; ``ClientFault``, after which it cannot.
    package func call<Method: WireMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, descriptors: [Descriptor] = [], idleTimeout: Duration?
    ) throws -> (reply: Method.Reply, descriptors: [Descriptor]) {
        let deadline = { idleTimeout.map { ContinuousClock.now + $0 } }
        let call = try EncodedCall(method, parameters, descriptors: descriptors)
        try invalidatingOnFault { try send(call, for: Method.self, deadline: deadline) }
        return try reply(to: Method.self, idleTimeout: idleTimeout)
    }

    /// Waits for the reply to a call that has been made, as ``call(_:_:descriptors:idleTimeout:)`` does.
    package func reply<Method: WireMethod>(
        to _: Method.Type, idleTimeout: Duration?
    ) throws -> (reply: Method.Reply, descriptors: [Descriptor]) {
        try invalidatingOnFault {
            let (reply, descriptors, continues) = try nextReply(to: Method.self, idleTimeout: idleTimeout)
            if continues { throw ClientFault.malformed("several replies to a call for one") }
            return (reply, descriptors)
        }
    }

    /// Calls a method that may reply repeatedly, and waits for the first reply. If that reply `continues`, the
    /// connection can be used for ``nextReply(to:idleTimeout:)`` only, until the last reply.
    ///
    /// - Throws: The errors of ``call(_:_:descriptors:idleTimeout:)``.
    package func firstReply<Method: WireMethod>(
        to method: Method.Type, _ parameters: Method.Parameters, idleTimeout: Duration?
    ) throws -> (reply: Method.Reply, descriptors: [Descriptor], continues: Bool) {
        let deadline = { idleTimeout.map { ContinuousClock.now + $0 } }
        let call = try EncodedCall(method, parameters, more: true)
        try invalidatingOnFault { try send(call, for: Method.self, deadline: deadline) }
        return try nextReply(to: Method.self, idleTimeout: idleTimeout)
    }

    /// Waits for the next reply to a call that was made with `more`.
    package func nextReply<Method: WireMethod>(
        to _: Method.Type, idleTimeout: Duration?
    ) throws -> (reply: Method.Reply, descriptors: [Descriptor], continues: Bool) {
        try invalidatingOnFault {
            let (reply, descriptors) = try receive(
                Method.Reply.self, deadline: { idleTimeout.map { ContinuousClock.now + $0 } })
            return (try reply.outcome.get(), descriptors, reply.continues)
        }
    }

    /// Sends a call that gets no reply.
    ///
    /// - Parameter idleTimeout: The maximum time that the service may read nothing.
    /// - Throws: `ClientFault`, after which the connection cannot be used.
    package func callOneway<Method: WireMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, idleTimeout: Duration
    ) throws {
        let call = try EncodedCall(method, parameters, oneway: true)
        try invalidatingOnFault { try send(call, for: Method.self, deadline: { .now + idleTimeout }) }
    }

    /// Calls a method that replies repeatedly, and waits for the replies.
    ///
    /// Unless the service ends the stream, the connection cannot be used afterwards.
    ///
    /// - Parameters:
    ///   - deadline: The time to stop waiting; nil for never.
    ///   - body: Called with each reply; false ends the stream.
    /// - Throws: The errors of ``call(_:_:descriptors:idleTimeout:)``, `ClientFault.timedOut` at the deadline, and the
    ///   errors of `body`.
    package func stream<Method: WireMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, until deadline: ContinuousClock.Instant?,
        _ body: (Method.Reply) throws -> Bool
    ) throws {
        try stream(method, parameters, deadline: { _ in deadline }) { reply, _ in try body(reply) }
    }

    /// Calls a method that replies repeatedly, with the descriptors of the call and those that each reply names.
    ///
    /// - Parameter deadline: Returns the time to stop waiting for the next reply, given the number of replies so far.
    ///   It is called again each time bytes have arrived.
    package func stream<Method: WireMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, descriptors: [Descriptor] = [],
        deadline: (_ replies: Int) -> ContinuousClock.Instant?, _ body: (Method.Reply, [Descriptor]) throws -> Bool
    ) throws {
        let call = try EncodedCall(method, parameters, descriptors: descriptors, more: true)
        try invalidatingOnFault {
            try send(call, for: Method.self, deadline: { deadline(0) })
            var replies = 0
            while true {
                let (reply, descriptors) = try receive(Method.Reply.self, deadline: { deadline(replies) })
                replies += 1
                isUnusable = reply.continues
                let goesOn = try body(try reply.outcome.get(), descriptors)
                guard goesOn, reply.continues else { return }
                isUnusable = false
            }
        }
    }

    /// Makes the connection unusable if `body` throws a `ClientFault`: a reply to an abandoned call may still arrive.
    private func invalidatingOnFault<Result>(_ body: () throws -> Result) throws -> Result {
        if isUnusable { throw ClientFault.closed }
        do {
            return try body()
        } catch let error as ClientFault {
            isUnusable = true
            throw error
        }
    }

    /// - Throws: If the service has closed the connection, any error that it sent first.
    private func send<Method: WireMethod>(
        _ call: EncodedCall, for _: Method.Type, deadline: () -> ContinuousClock.Instant?
    ) throws {
        var outbox = Outbox()
        outbox.append(call.message, descriptors: call.descriptors)
        do throws(Errno) {
            try send(&outbox, deadline: deadline)
        } catch .brokenPipe, .connectionReset {
            throw afterHangUp(Method.self, deadline: { .now })
        } catch {
            throw ClientFault(error)
        }
    }

    /// Returns the error that the service sent before it closed the connection, if any; else `ClientFault.closed`.
    private func afterHangUp<Method: WireMethod>(
        _: Method.Type, deadline: () -> ContinuousClock.Instant?
    ) -> any Error {
        (isUndelivered, isUnusable) = (true, true)
        // The replies to calls before the refused one come first.
        while let (reply, _) = try? receive(Method.Reply.self, deadline: deadline) {
            if case .failure(let error) = reply.outcome { return error }
        }
        return ClientFault.closed
    }

    private func send(_ outbox: inout Outbox, deadline: () -> ContinuousClock.Instant?) throws(Errno) {
        while true {
            let before = outbox.count + outbox.fileCount
            try outbox.send(to: fileDescriptor)
            if outbox.isEmpty { return }
            if outbox.count + outbox.fileCount == before, try !waitWritable(fileDescriptor, until: deadline()) {
                throw Errno.timedOut
            }
        }
    }

    private func receive<Reply: Decodable>(
        _: Reply.Type, deadline: () -> ContinuousClock.Instant?
    ) throws -> (IncomingReply<Reply>, [Descriptor]) {
        let (message, taken) = try nextMessage(deadline: deadline)
        do {
            return (try WireCoding.decode(IncomingReply<Reply>.self, from: message), taken)
        } catch {
            throw ClientFault.invalidReply(error)
        }
    }

    private func nextMessage(
        deadline: () -> ContinuousClock.Instant?
    ) throws(ClientFault) -> (message: [UInt8], descriptors: [Descriptor]) {
        while true {
            do throws(WireFault) {
                if let message = try framer.next() {
                    return (message, try inbox.take(for: message, isLast: framer.count == 0))
                }
            } catch {
                throw ClientFault(error)
            }
            try receiveMore(deadline: deadline)
        }
    }

    /// Reads once. Returns without having read anything if the idle timeout is extended.
    private func receiveMore(deadline: () -> ContinuousClock.Instant?) throws(ClientFault) {
        // No complete message is left that could name the descriptors.
        if inbox.isOverfull { throw ClientFault.strayDescriptors }
        do throws(Errno) {
            // Without a deadline recvmsg(2) waits, which saves a system call.
            let deadline = deadline()
            if let deadline, try !waitReadable(fileDescriptor, until: deadline) {
                if extendsIdleTimeout?() == true { return }
                throw .timedOut
            }
            guard let received = try UnixSocket.receive(from: fileDescriptor, waits: deadline == nil) else { return }
            if received.bytes.isEmpty { throw .brokenPipe }
            framer.append(received.bytes)
            inbox.append(received.descriptors)
        } catch {
            if error == .connectionReset { isUndelivered = true }
            throw ClientFault(error)
        }
    }
}

// MARK: Raw bytes

extension ClientConnection {
    /// Uploads ranges of files as raw bytes, one after the other, and waits until the service has all of them.
    ///
    /// - Parameters:
    ///   - ticket: The ticket of the promise that the bytes will keep.
    ///   - idleTimeout: The maximum time that the service may neither send nor read; nil for no limit.
    /// - Returns: The handles of the uploads.
    /// - Throws: The errors of ``call(_:_:descriptors:idleTimeout:)``, and `ClientFault.system` if a file cannot be
    ///   read. The service closes the connection after reporting an error.
    package func upload(
        _ ranges: [(file: MemoryFile, range: Range<Int>)], ticket: String? = nil, idleTimeout: Duration?
    ) throws -> [String] {
        let deadline = { idleTimeout.map { ContinuousClock.now + $0 } }
        var outbox = Outbox()
        for (file, range) in ranges {
            let call = try EncodedCall(
                Methods.Upload.self, .init(length: range.count, ticket: ticket), upgrade: true)
            outbox.append(call.message)
            outbox.append(file, range)
        }
        return try invalidatingOnFault {
            do throws(Errno) {
                try send(&outbox, deadline: deadline)
            } catch .brokenPipe, .connectionReset {
                // A link may deliver the error after the end of the connection.
                throw afterHangUp(Methods.Upload.self, deadline: deadline)
            } catch {
                throw ClientFault(error)
            }
            return try ranges.map { _ in
                let (reply, _) = try receive(Methods.Upload.Reply.self, deadline: deadline)
                if case .failure = reply.outcome { isUnusable = true }
                return try reply.outcome.get().handle
            }
        }
    }

    /// Downloads ranges behind handles as raw bytes.
    ///
    /// - Parameters:
    ///   - idleTimeout: The maximum time that the service may neither send nor read; nil for no limit.
    ///   - onProgress: Called each time some of the bytes arrive.
    /// - Returns: A file for each range, shorter than the range if there are fewer bytes.
    /// - Throws: The errors of ``call(_:_:descriptors:idleTimeout:)``; `Errno` if there is no room for the bytes, after
    ///   which the connection cannot be used.
    package func download(
        _ ranges: [Methods.HandleRange], idleTimeout: Duration?, onProgress: () -> Void = {}
    ) throws -> [MemoryFile] {
        let deadline = { idleTimeout.map { ContinuousClock.now + $0 } }
        var outbox = Outbox()
        for range in ranges {
            outbox.append(try EncodedCall(Methods.Download.self, range, upgrade: true).message)
        }
        return try invalidatingOnFault {
            do throws(Errno) {
                try send(&outbox, deadline: deadline)
            } catch {
                throw ClientFault(error)
            }
            // The replies after an error, and their bytes, have to be received too.
            let results = try ranges.map { try receiveFile(of: $0, deadline: deadline, onProgress) }
            return try results.map { try $0.get() }
        }
    }

    private func receiveFile(
        of range: Methods.HandleRange, deadline: () -> ContinuousClock.Instant?, _ onProgress: () -> Void
    ) throws -> Result<MemoryFile, any Error> {
        let (reply, _) = try receive(Methods.Download.Reply.self, deadline: deadline)
        let length: Int
        switch reply.outcome {
        case .failure(let error): return .failure(error)
        case .success(let found): length = found.length
        }
        guard (0...range.length).contains(length) else { throw ClientFault.malformed("more bytes than were asked for") }
        do {
            let writer = try MemoryFileWriter()
            while writer.length < length {
                let bytes = framer.takeRaw(length - writer.length)
                try writer.append(bytes)
                if bytes.isEmpty { try receiveMore(deadline: deadline) } else { onProgress() }
            }
            return .success(try writer.seal())
        } catch let error as Errno {
            isUnusable = true
            throw error
        }
    }
}
