import EventLoop
import PasteboardWire

final class StreamConnection {
    let buffer: StreamBuffer
    let channel: ClientChannel
    var registration: Registration?
    /// The deadline of the first reply; nil after that reply, since the bridge may then be idle forever.
    var deadline: ContinuousClock.Instant?
    var hasReplied = false

    init(_ buffer: StreamBuffer, _ connection: Connection) {
        self.buffer = buffer
        channel = ClientChannel(socket: connection.socket)
        deadline = .now + buffer.idleTimeout
    }
}

/// Streams: calls with a connection of their own.
extension ClientLoop {
    func connected(_ result: Result<Connection, PasteboardError>, for buffer: StreamBuffer) {
        if buffer.isClosed { return }
        switch result {
        case .failure(let error): buffer.end(error)
        case .success(let connection):
            let stream = StreamConnection(buffer, connection)
            stream.channel.append(buffer.call)
            streams[ObjectIdentifier(buffer)] = stream
            register(stream)
        }
    }

    private func register(_ stream: StreamConnection) {
        stream.registration = loop.add(stream.channel.fileDescriptor, interest: .readable) {
            [unowned self, weak stream] _ in
            if let stream { read(stream) }
        }
    }

    /// Reads once, and passes on as many replies as there is room for. Reading stops while the reader is too slow, so
    /// that the bridge waits.
    private func read(_ stream: StreamConnection) {
        do throws(ClientFault) {
            guard try stream.channel.receive() else { return }
            if try !pass(stream) { pause(stream) }
        } catch {
            end(stream, error)
        }
    }

    /// - Returns: True if there is room for more replies.
    private func pass(_ stream: StreamConnection) throws(ClientFault) -> Bool {
        var hasRoom = true
        while hasRoom, let reply = try stream.channel.nextReply() {
            stream.hasReplied = true
            stream.deadline = nil
            hasRoom = stream.buffer.push(reply)
        }
        return hasRoom
    }

    /// Removes the registration, since a hang-up would be reported again and again, regardless of the interest.
    private func pause(_ stream: StreamConnection) {
        stream.registration?.cancel()
        stream.registration = nil
    }

    func resume(_ buffer: StreamBuffer) {
        guard let stream = streams[ObjectIdentifier(buffer)], stream.registration == nil else { return }
        do throws(ClientFault) {
            if try pass(stream) { register(stream) }
        } catch {
            end(stream, error)
        }
    }

    func flushStreams() {
        for stream in streams.values where stream.channel.hasUnsent {
            do throws(ClientFault) {
                try stream.channel.flush()
                stream.registration?.interest = stream.channel.hasUnsent ? [.readable, .writable] : .readable
            } catch {
                end(stream, error)
            }
        }
    }

    func end(_ stream: StreamConnection, _ fault: ClientFault) {
        remove(stream)
        let buffer = stream.buffer
        let mayRepeat = fault == .closed && (buffer.isReadOnly || stream.channel.isUndelivered)
        if fault == .closed, stream.hasReplied {
            buffer.end(StreamEnd())
        } else if mayRepeat, buffer.takeRetry() {
            connect(for: .stream(buffer), start: buffer.start)
        } else if buffer.isReadOnly || mayRepeat || stream.hasReplied {
            buffer.end(PasteboardError(wire: fault))
        } else {
            buffer.end(PasteboardError.uncertain(after: fault))
        }
    }

    func close(_ buffer: StreamBuffer) {
        if let stream = streams[ObjectIdentifier(buffer)] { remove(stream) }
    }

    private func remove(_ stream: StreamConnection) {
        stream.registration?.cancel()
        streams[ObjectIdentifier(stream.buffer)] = nil
    }
}
