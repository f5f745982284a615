import Configuration
import X11Bridge

/// The bytes of clients' messages that have come and were not taken, in all and by process: of those that are not whole
/// yet, and of those that wait behind a call that is being answered. One connection can hold little more than a
/// message; many of them together could hold all memory.
struct InboundByteCounter {
    private(set) var bytes = 0
    private var processes: [Int32: Int] = [:]

    func bytes(of process: Int32) -> Int { processes[process] ?? 0 }

    /// The process that has the most of them, and how many.
    var biggest: (process: Int32, bytes: Int)? {
        processes.max { ($0.value, $1.key) < ($1.value, $0.key) }.map { ($0.key, $0.value) }
    }

    /// - Parameter count: So many more, or fewer.
    mutating func add(_ count: Int, of process: Int32) {
        guard count != 0 else { return }
        bytes += count
        let held = bytes(of: process) + count
        processes[process] = held > 0 ? held : nil
    }

    /// The process that is to lose a connection, and for which limit: one that has more than it may, or who has the
    /// most where all together have.
    ///
    /// - Parameter process: The one that has sent something.
    func excess(_ limits: Configuration.Limits, by process: Int32) -> (process: Int32, reason: Refusals.Reason)? {
        if bytes(of: process) > limits.programIncomingInForce { return (process, .programIncoming) }
        guard bytes > limits.incomingInForce, let biggest else { return nil }
        return (biggest.process, .incoming)
    }
}

extension Configuration.Limits {
    /// A message that may be always can come.
    private var longest: Int { message + (1 << 20) }

    var incomingInForce: Int { max(incoming, longest) }
    var programIncomingInForce: Int { max(programIncoming, longest) }
}
