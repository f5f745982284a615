package import Configuration
package import X11Bridge

/// The received, unhandled bytes of clients' messages, in total and by process: incomplete messages, and messages that
/// wait while an earlier call is answered. One connection can hold little more than a message, but many connections
/// together could fill the memory.
package struct InboundByteCounter {
    package private(set) var bytes = 0
    private var processes = ProcessCounts()

    package init() {}

    /// The process with the most bytes, and their number.
    package var biggest: (process: Int32, count: Int)? { processes.biggest }

    /// Adds a number of bytes, which may be negative.
    package mutating func add(_ count: Int, of process: Int32) {
        guard count != 0 else { return }
        bytes += count
        processes.add(count, of: process)
    }

    /// Returns the process that must lose a connection, with the limit that was exceeded: the given process if it
    /// exceeds the limit of one process, or the process with the most bytes if all processes together exceed their
    /// limit.
    ///
    /// - Parameter process: The process that has sent something.
    package func excess(
        _ limits: Configuration.Limits, by process: Int32
    ) -> (process: Int32, reason: Refusals.Reason)? {
        if processes[process] > limits.programIncomingInForce { return (process, .programIncoming) }
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
