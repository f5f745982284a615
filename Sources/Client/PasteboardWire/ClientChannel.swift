package import LinuxSystem
package import SystemPackage

/// The client's end of a connection, for use in an event loop: no function waits.
package final class ClientChannel {
    private let socket: Descriptor
    private var framer = MessageFramer(limit: WireLimits.maxMessageBytes)
    private var inbox = DescriptorInbox(limit: WireLimits().descriptorsPerMessage)
    private var outbox = Outbox()
    /// True once the kernel has reported that the service did not read everything sent, so it cannot have acted on the
    /// latest call.
    ///
    /// The kernel returns EPIPE if the other end is gone, and ECONNRESET if it was closed with unread bytes in its
    /// buffer. If a service closes after it has read the whole call, the stream just ends.
    package private(set) var isUndelivered = false
    /// True if ``flush()`` has already read a reply that the service sent before it closed the connection.
    private var hasReadAhead = false

    /// Takes over a connected socket.
    package init(socket: Descriptor) {
        self.socket = socket
    }

    package var fileDescriptor: FileDescriptor { socket.fileDescriptor }

    package var hasUnsent: Bool { outbox.count > 0 }

    /// Queues a call, for ``flush()`` to send.
    package func append(_ call: EncodedCall) {
        outbox.append(call.message, descriptors: call.descriptors)
    }

    /// Sends as much as the socket has room for.
    ///
    /// A service that rejects its client sends an error and closes the connection. In that case this function does not
    /// throw, and ``receive()`` returns the error.
    package func flush() throws(ClientFault) {
        do throws(Errno) {
            try outbox.send(to: fileDescriptor)
        } catch {
            guard error == .brokenPipe || error == .connectionReset else { throw ClientFault(error) }
            isUndelivered = true
            outbox.removeAll()
            hasReadAhead = (try? receive()) == true
            if !hasReadAhead { throw ClientFault(error) }
        }
    }

    /// Reads once. Returns false if there was nothing to read.
    package func receive() throws(ClientFault) -> Bool {
        if hasReadAhead {
            hasReadAhead = false
            return true
        }
        let received: UnixSocket.Received?
        do throws(Errno) {
            received = try UnixSocket.receive(from: fileDescriptor, waits: false)
        } catch {
            if error == .connectionReset { isUndelivered = true }
            throw ClientFault(error)
        }
        guard let received else { return false }
        if received.bytes.isEmpty { throw .closed }
        framer.append(received.bytes)
        inbox.append(received.descriptors)
        return true
    }

    /// Returns the next complete reply to any call; nil if there is none.
    package func nextReply() throws(ClientFault) -> EncodedReply? {
        do throws(WireFault) {
            if let message = try framer.next() {
                let taken = try inbox.take(for: message, isLast: framer.count == 0)
                return EncodedReply(message: message, descriptors: taken)
            }
        } catch {
            throw ClientFault(error)
        }
        // Only descriptors that no complete reply names count toward the limit.
        if inbox.isOverfull { throw .strayDescriptors }
        return nil
    }
}
