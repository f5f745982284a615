import EventLoop
import PasteboardWire

/// A reader's hold on a call that takes replies again and again, on a connection of its own. Letting go of it closes
/// the connection, and so ends the call.
final class ReplyStream: Sendable {
    private let buffer: StreamBuffer
    private let commands: MessageQueue<ClientLoop.Command>

    init(_ buffer: StreamBuffer, commands: MessageQueue<ClientLoop.Command>) {
        self.buffer = buffer
        self.commands = commands
    }

    deinit {
        buffer.close()
        commands.send(.close(buffer))
    }

    /// The answer of the call, where it has one.
    var answer: Completion<[EncodedReply]>? { buffer.answer }

    /// Awaits the next reply.
    ///
    /// - Throws: ``StreamEnd``; ``PasteboardError`` where the call could not be made; `CancellationError`.
    func next() async throws -> EncodedReply {
        while true {
            switch try buffer.next() {
            case .reply(let reply, let resumes): return passing(reply, resumes)
            case .wait(let waiter): try await waiter.value()
            }
        }
    }

    private func passing(_ reply: EncodedReply, _ resumes: Bool) -> EncodedReply {
        if resumes { commands.send(.resume(buffer)) }
        return reply
    }
}

/// The connection of a stream broke after replies had come: the bridge ended.
struct StreamEnd: Error {}
