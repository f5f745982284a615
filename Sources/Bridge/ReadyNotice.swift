import LinuxSystem
import SystemPackage

/// Tells the program that started the bridge how that went, in one line on a pipe: `ready`, `busy` where another bridge
/// has the lock, or `error STATUS MESSAGE`. A pipe that ends without a line means that the bridge died.
final class ReadyNotice {
    private var descriptor: Descriptor?

    init(_ number: Int32?) {
        descriptor = number.map { Descriptor(adopting: FileDescriptor(rawValue: $0)) }
    }

    func ready() { send("ready") }

    func busy() { send("busy") }

    func failed(_ failure: BridgeFailure) {
        send("error \(failure.status) \(failure.description)")
    }

    /// The first line is the last: the pipe is closed.
    private func send(_ line: String) {
        guard let descriptor else { return }
        // Nobody may be reading any more, and that is all right.
        _ = try? descriptor.fileDescriptor.writeAll((line + "\n").utf8)
        self.descriptor = nil
    }
}
