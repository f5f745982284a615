import Configuration
import PasteboardWire
import X11Bridge

/// The bytes that clients have uploaded in pieces and not let go of, in all and by process, and the handles that they
/// have. A memory file that a client passes is the client's own, and does not count.
final class UploadQuota {
    /// With those of programs of X11, which count as well.
    private let whole: TransferBytes
    private(set) var bytes = 0
    private var processes: [Int32: Int] = [:]
    private var handles: [Int32: Int] = [:]
    /// Of all transfers, and of one program.
    var limits: Configuration.Limits

    init(limits: Configuration.Limits = Configuration.Limits(), whole: TransferBytes = TransferBytes()) {
        self.limits = limits
        self.whole = whole
    }

    func bytes(of process: Int32) -> Int { processes[process] ?? 0 }

    /// Why a process may not have so many more; nil where it may, and then they are noted.
    func add(_ count: Int, of process: Int32) -> Refusals.Reason? {
        if count > limits.transferBytes - bytes - whole.ofPeers { return .transferBytes }
        if count > limits.programBytes - bytes(of: process) { return .programBytes }
        bytes += count
        whole.upload(count)
        processes[process, default: 0] += count
        return nil
    }

    func remove(_ count: Int, of process: Int32) {
        bytes -= count
        whole.upload(-count)
        let left = bytes(of: process) - count
        processes[process] = left > 0 ? left : nil
    }

    // MARK: Handles

    /// Of the process that has the most.
    var mostHandles: Int { handles.values.max() ?? 0 }

    /// Whether a process may have one more handle, which is noted then.
    func addHandle(of process: Int32) -> Bool {
        let count = handles[process] ?? 0
        guard count < limits.programHandles else { return false }
        handles[process] = count + 1
        return true
    }

    func removeHandle(of process: Int32) {
        let left = (handles[process] ?? 0) - 1
        handles[process] = left > 0 ? left : nil
    }
}
