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

    /// What became of a message that was to be merged with one that waits.
    package enum Merging {
        case merged
        /// It may be merged with one before that.
        case passed
        /// It stays a message of its own.
        case barred
    }

    /// Adds a message, or merges it with one that waits where `count` or more do: who sends faster than the receiver takes
    /// fills no memory.
    ///
    /// - Parameter merge: Given the messages that wait, the last one first, 64 at most.
    package func send(_ message: Message, mergingBeyond count: Int, _ merge: (inout Message) -> Merging) {
        let isMerged = messages.withLock { messages in
            guard messages.count >= count else { return false }
            for index in messages.indices.suffix(64).reversed() {
                switch merge(&messages[index]) {
                case .merged: return true
                case .passed: continue
                case .barred: return false
                }
            }
            return false
        }
        if !isMerged { send(message) }
    }

    /// Takes back messages that the receiver has not taken.
    package func withdraw(where isUnwanted: (Message) -> Bool) -> [Message] {
        messages.withLock { messages in
            let unwanted = messages.filter(isUnwanted)
            if !unwanted.isEmpty { messages.removeAll(where: isUnwanted) }
            return unwanted
        }
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
