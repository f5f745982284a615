import EventLoop
import LinuxSystem
import PasteboardWire

/// The connection of a stream.
final class StreamLink {
    let buffer: StreamBuffer
    let channel: ClientChannel
    var registration: Registration?
    /// For the first reply; after it the bridge may be silent for ever.
    var deadline: ContinuousClock.Instant?
    var hasReplied = false

    init(_ buffer: StreamBuffer, _ connection: Connection) {
        self.buffer = buffer
        channel = ClientChannel(socket: connection.socket)
        deadline = .now + buffer.silence
    }
}

/// Streams: calls with a connection of their own.
extension ClientLoop {
    func connected(_ result: Result<Connection, PasteboardError>, for buffer: StreamBuffer) {
        if buffer.isClosed { return }
        switch result {
        case .failure(let error): buffer.end(error)
        case .success(let connection):
            let stream = StreamLink(buffer, connection)
            stream.channel.append(buffer.call)
            streams[ObjectIdentifier(buffer)] = stream
            register(stream)
        }
    }

    private func register(_ stream: StreamLink) {
        stream.registration = loop.add(stream.channel.fileDescriptor, interest: .readable) {
            [unowned self, weak stream] _ in
            if let stream { read(stream) }
        }
    }

    /// Reads once, and passes on what there is room for. A reader that is behind holds the bridge back: nothing is
    /// read.
    private func read(_ stream: StreamLink) {
        do throws(ClientFault) {
            guard try stream.channel.receive() else { return }
            if try !pass(stream) { pause(stream) }
        } catch {
            end(stream, error)
        }
    }

    /// - Returns: Whether there is room for more.
    private func pass(_ stream: StreamLink) throws(ClientFault) -> Bool {
        var hasRoom = true
        while hasRoom, let reply = try stream.channel.nextReply() {
            stream.hasReplied = true
            stream.deadline = nil
            hasRoom = stream.buffer.push(reply)
        }
        return hasRoom
    }

    /// A hang-up would be told again and again, so it is not asked for anything.
    private func pause(_ stream: StreamLink) {
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

    func end(_ stream: StreamLink, _ fault: ClientFault) {
        remove(stream)
        let buffer = stream.buffer
        if fault == .closed, stream.hasReplied {
            buffer.end(StreamEnd())
        } else if fault == .closed, buffer.isRead || stream.channel.isUndelivered, buffer.takeRetry() {
            connect(for: .stream(buffer), start: buffer.start)
        } else if fault == .closed, !buffer.isRead {
            buffer.end(PasteboardError.uncertain)
        } else {
            buffer.end(PasteboardError(wire: fault))
        }
    }

    func close(_ buffer: StreamBuffer) {
        if let stream = streams[ObjectIdentifier(buffer)] { remove(stream) }
    }

    private func remove(_ stream: StreamLink) {
        stream.registration?.cancel()
        streams[ObjectIdentifier(stream.buffer)] = nil
    }
}
