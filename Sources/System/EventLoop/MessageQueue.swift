import LinuxSystem
import Synchronization
package import SystemPackage

/// A queue of messages from other threads to the thread of an event loop.
package final class MessageQueue<Message: Sendable>: Sendable {
    private struct Waiting {
        var messages: [Message] = []
        /// True once the receiver was woken up for the messages.
        var isAnnounced = false

        /// - Returns: true if the receiver has to be woken up.
        mutating func announce() -> Bool {
            defer { isAnnounced = true }
            return !isAnnounced
        }
    }

    private let waiting = Mutex(Waiting())
    private let event: EventDescriptor

    package init() throws(Errno) {
        event = try EventDescriptor()
    }

    /// Readable while there are announced messages: register it with the receiver's loop.
    package var fileDescriptor: FileDescriptor { event.fileDescriptor }

    /// Adds a message, from any thread. Only the first of a batch wakes the receiver up.
    ///
    /// - Parameter waits: If true, the message does not wake the receiver: it is taken together with other messages, or
    ///   after ``wakeUp()``.
    package func send(_ message: Message, waits: Bool = false) {
        let isUnannounced = waiting.withLock { waiting in
            waiting.messages.append(message)
            return !waits && waiting.announce()
        }
        if isUnannounced { event.signal() }
    }

    package var isEmpty: Bool { waiting.withLock { $0.messages.isEmpty } }

    /// Wakes the receiver up for waiting messages.
    package func wakeUp() {
        if waiting.withLock({ !$0.messages.isEmpty && $0.announce() }) { event.signal() }
    }

    /// The outcome of an attempt to merge a message with a waiting message.
    package enum Merging {
        case merged
        /// The message may be merged with an earlier waiting message.
        case passed
        /// The message must not be merged.
        case barred
    }

    /// Adds a message. If `count` or more messages are waiting, the message is merged with one of them if possible, so
    /// that a sender that is faster than the receiver does not fill the memory.
    ///
    /// - Parameters:
    ///   - waits: If true, the message does not wake the receiver.
    ///   - merge: Called with at most 64 waiting messages, last first.
    package func send(
        _ message: Message, mergingBeyond count: Int, waits: Bool = false, _ merge: (inout Message) -> Merging
    ) {
        let isMerged = waiting.withLock { waiting in
            guard waiting.messages.count >= count else { return false }
            for index in waiting.messages.indices.suffix(64).reversed() {
                switch merge(&waiting.messages[index]) {
                case .merged: return true
                case .passed: continue
                case .barred: return false
                }
            }
            return false
        }
        if !isMerged {
            send(message, waits: waits)
        } else if !waits {
            wakeUp()
        }
    }

    /// Removes and returns messages that the receiver has not taken.
    package func withdraw(where isUnwanted: (Message) -> Bool) -> [Message] {
        waiting.withLock { waiting in
            let unwanted = waiting.messages.filter(isUnwanted)
            if !unwanted.isEmpty { waiting.messages.removeAll(where: isUnwanted) }
            return unwanted
        }
    }

    /// Removes and returns all messages, in the order in which they were sent.
    package func drain() -> [Message] {
        // In this order, a message sent between the two steps is taken now, and its wake-up finds nothing. In the other
        // order, the wake-up of a waiting message would be lost.
        event.drain()
        return waiting.withLock { waiting in
            let all = waiting.messages
            waiting = Waiting()
            return all
        }
    }
}
