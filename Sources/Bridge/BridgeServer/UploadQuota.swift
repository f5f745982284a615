package import Configuration
package import X11Bridge

/// The quota of clients' uploads and handles, in total and by process: the bytes that clients have uploaded and not
/// released. A memory file that a client passes is the client's own, and does not count.
package final class UploadQuota {
    /// All transfers, including those with X11 programs, which share the limit.
    private let whole: TransferBytes
    package private(set) var bytes = 0
    private var processes = ProcessCounts()
    private var handles = ProcessCounts()
    package var limits: Configuration.Limits

    package init(limits: Configuration.Limits = Configuration.Limits(), whole: TransferBytes = TransferBytes()) {
        self.limits = limits
        self.whole = whole
    }

    package func bytes(of process: Int32) -> Int { processes[process] }

    /// Returns the limit that does not allow more bytes of a process; nil if they are allowed.
    func limit(against count: Int, of process: Int32) -> Refusals.Reason? {
        if count > limits.transferBytes - bytes - whole.peerBytes - whole.streamed { return .transferBytes }
        if count > limits.programBytes - bytes(of: process) { return .programBytes }
        return nil
    }

    /// Adds bytes of a process, or returns the limit that does not allow them.
    package func add(_ count: Int, of process: Int32) -> Refusals.Reason? {
        if let reason = limit(against: count, of: process) { return reason }
        bytes += count
        whole.addUploaded(count)
        processes.add(count, of: process)
        return nil
    }

    package func remove(_ count: Int, of process: Int32) {
        bytes -= count
        whole.addUploaded(-count)
        processes.add(-count, of: process)
    }

    // MARK: Handles

    package var maxHandles: Int { handles.biggest?.count ?? 0 }

    /// Adds a handle of a process. Returns false if the limit does not allow it.
    func addHandle(of process: Int32) -> Bool {
        guard handles[process] < limits.programHandles else { return false }
        handles.add(1, of: process)
        return true
    }

    func removeHandle(of process: Int32) { handles.add(-1, of: process) }
}
