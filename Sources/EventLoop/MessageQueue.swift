import LinuxSystem
import Synchronization
package import SystemPackage

/// Messages from other threads to the one that runs a loop.
package final class MessageQueue<Message: Sendable>: Sendable {
    private let messages = Mutex<[Message]>([])
    private let event: EventDescriptor

    package init() throws(Errno) {
        event = try EventDescriptor()
    }

    /// Readable while there are messages: to be registered with the receiver's loop.
    package var fileDescriptor: FileDescriptor { event.fileDescriptor }

    /// Adds a message, from any thread. Only the first of a batch wakes the receiver up.
    package func send(_ message: Message) {
        let isFirst = messages.withLock { messages in
            messages.append(message)
            return messages.count == 1
        }
        if isFirst { event.signal() }
    }

    /// Takes all messages, in the order in which they were sent.
    package func drain() -> [Message] {
        // In this order: a message that comes in between is taken now and its wake-up finds nothing. The other way
        // round the wake-up of a message still to be taken would be lost.
        event.drain()
        return messages.withLock { messages in
            let all = messages
            messages = []
            return all
        }
    }
}
