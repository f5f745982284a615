import LinuxSystem
import Synchronization
package import SystemPackage

/// Messages from other threads to the one that runs a loop.
package final class MessageQueue<Message: Sendable>: Sendable {
    private struct Waiting {
        var messages: [Message] = []
        /// Whether the receiver was woken up for them.
        var isTold = false

        /// - Returns: Whether the receiver has to be woken up.
        mutating func tell() -> Bool {
            defer { isTold = true }
            return !isTold
        }
    }

    private let waiting = Mutex(Waiting())
    private let event: EventDescriptor

    package init() throws(Errno) {
        event = try EventDescriptor()
    }

    /// Readable while there are messages that do not wait: to be registered with the receiver's loop.
    package var fileDescriptor: FileDescriptor { event.fileDescriptor }

    /// Adds a message, from any thread. Only the first of a batch wakes the receiver up.
    ///
    /// - Parameter waits: It wakes nobody up, and is taken with others, or after ``wakeUp()``.
    package func send(_ message: Message, waits: Bool = false) {
        let isUntold = waiting.withLock { waiting in
            waiting.messages.append(message)
            return !waits && waiting.tell()
        }
        if isUntold { event.signal() }
    }

    /// Whether the receiver has taken all that was sent.
    package var isEmpty: Bool { waiting.withLock { $0.messages.isEmpty } }

    /// Has messages taken that wait.
    package func wakeUp() {
        if waiting.withLock({ !$0.messages.isEmpty && $0.tell() }) { event.signal() }
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
    /// - Parameters:
    ///   - waits: It wakes nobody up.
    ///   - merge: Given the messages that are there, the last one first, 64 at most.
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

    /// Takes back messages that the receiver has not taken.
    package func withdraw(where isUnwanted: (Message) -> Bool) -> [Message] {
        waiting.withLock { waiting in
            let unwanted = waiting.messages.filter(isUnwanted)
            if !unwanted.isEmpty { waiting.messages.removeAll(where: isUnwanted) }
            return unwanted
        }
    }

    /// Takes all messages, in the order in which they were sent.
    package func drain() -> [Message] {
        // In this order: a message that comes in between is taken now and its wake-up finds nothing. The other way
        // round the wake-up of a message still to be taken would be lost.
        event.drain()
        return waiting.withLock { waiting in
            let all = waiting.messages
            waiting = Waiting()
            return all
        }
    }
}
