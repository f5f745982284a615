package import LinuxSystem
package import SystemPackage

/// A client's end of a connection, for a loop: nothing here waits.
package final class ClientChannel {
    private let socket: Descriptor
    private var framer = MessageFramer(limit: WireLimits.longestMessage)
    private var inbox = DescriptorInbox(limit: WireLimits().descriptorsPerMessage)
    private var outbox = Outbox()
    /// What was sent last did not reach the service whole, so that it cannot have acted on it.
    ///
    /// The kernel tells: EPIPE where there was nobody to send to, and ECONNRESET where the other end was closed with
    /// something unread in it. Whoever has read all of a call before closing shows as the plain end of the stream.
    package private(set) var isUndelivered = false
    /// The service had answered before it closed the connection, and this has been read ahead.
    private var hasFarewell = false

    /// Takes over a connected socket.
    package init(socket: Descriptor) {
        self.socket = socket
    }

    package var fileDescriptor: FileDescriptor { socket.fileDescriptor }

    package var hasUnsent: Bool { outbox.count > 0 }

    /// Appends a call, which ``flush()`` sends.
    package func append(_ call: EncodedCall) {
        outbox.append(call.message, descriptors: call.descriptors)
    }

    /// Sends what there is room for.
    ///
    /// A service that turns its caller away says why and closes the connection: then this ends well, and what it said is
    /// received next.
    package func flush() throws(ClientFault) {
        do throws(Errno) {
            try outbox.send(to: fileDescriptor)
        } catch {
            guard error == .brokenPipe || error == .connectionReset else { throw ClientFault(error) }
            isUndelivered = true
            outbox.removeAll()
            hasFarewell = (try? receive()) == true
            if !hasFarewell { throw ClientFault(error) }
        }
    }

    /// Reads once, what is there.
    ///
    /// - Returns: Whether there was anything.
    package func receive() throws(ClientFault) -> Bool {
        if hasFarewell {
            hasFarewell = false
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
        if inbox.isOverfull { throw .strayDescriptors }
        return true
    }

    /// The next reply that is there, of whichever call.
    package func nextReply() throws(ClientFault) -> EncodedReply? {
        do throws(WireFault) {
            guard let message = try framer.next() else { return nil }
            let taken = try inbox.take(for: message, isLast: framer.count == 0)
            return EncodedReply(message: message, descriptors: taken)
        } catch {
            throw ClientFault(error)
        }
    }
}
