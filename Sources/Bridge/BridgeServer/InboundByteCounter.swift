package import Configuration
package import X11Bridge

/// The received, unhandled bytes of clients' messages, in total and by process: incomplete messages, and messages that
/// wait while an earlier call is answered. One connection can hold little more than a message, but many connections
/// together could fill the memory.
package struct InboundByteCounter {
    package private(set) var bytes = 0
    private var processes: [Int32: Int] = [:]

    package init() {}

    func bytes(of process: Int32) -> Int { processes[process] ?? 0 }

    /// The process with the most bytes, and their number.
    package var biggest: (process: Int32, bytes: Int)? {
        processes.max { ($0.value, $1.key) < ($1.value, $0.key) }.map { ($0.key, $0.value) }
    }

    /// Adds a number of bytes, which may be negative.
    package mutating func add(_ count: Int, of process: Int32) {
        guard count != 0 else { return }
        bytes += count
        let held = bytes(of: process) + count
        processes[process] = held > 0 ? held : nil
    }

    /// Returns the process that must lose a connection, with the limit that was exceeded: the given process if it
    /// exceeds the limit of one process, or the process with the most bytes if all processes together exceed their
    /// limit.
    ///
    /// - Parameter process: The process that has sent something.
    package func excess(
        _ limits: Configuration.Limits, by process: Int32
    ) -> (process: Int32, reason: Refusals.Reason)? {
        if bytes(of: process) > limits.programIncomingInForce { return (process, .programIncoming) }
        guard bytes > limits.incomingInForce, let biggest else { return nil }
        return (biggest.process, .incoming)
    }
}

extension Configuration.Limits {
    /// The room for the longest message, which can be sent whatever the other limits are.
    private var maxMessage: Int { message + (1 << 20) }

    var incomingInForce: Int { max(incoming, maxMessage) }
    var programIncomingInForce: Int { max(programIncoming, maxMessage) }
}
