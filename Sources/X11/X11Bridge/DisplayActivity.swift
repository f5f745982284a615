import LinuxSystem
import Synchronization
import SystemPackage

/// The state of the X thread, as the service thread reads it without a message: above all, whether everything that the
/// X server has sent has been reported.
///
/// A program that copies and then runs `xpb get` expects its copy. The server's event is on the connection at that
/// time, but the X thread may not have read it yet. One poll(2) shows whether the service has to ask.
package final class DisplayActivity: Sendable {
    private let isAsleep = Atomic(false)
    /// The X connection, which is polled here and never read; -1 if there is none.
    private let connection = Atomic<Int32>(-1)
    private let watchers = Atomic(false)
    package let bytes = TransferBytes()

    package init() {}

    /// Records that the X thread is about to sleep: everything has been read and reported.
    func fallAsleep() {
        isAsleep.store(true, ordering: .releasing)
    }

    /// Records that the X thread begins to work. The thread calls this before it reads anything, so that there is no
    /// moment at which it looks asleep and the connection looks empty.
    func wakeUp() {
        isAsleep.store(false, ordering: .sequentiallyConsistent)
    }

    /// True while a client watches changes, which are then reported at once. Without a watcher, reports may wait, since
    /// a call receives the queued reports first.
    package var hasWatchers: Bool {
        get { watchers.load(ordering: .relaxed) }
        set { watchers.store(newValue, ordering: .relaxed) }
    }

    func connect(_ descriptor: FileDescriptor?) {
        connection.store(descriptor?.rawValue ?? -1, ordering: .releasing)
    }

    /// True if everything that has arrived has certainly been reported.
    var isSettled: Bool {
        let descriptor = connection.load(ordering: .acquiring)
        guard descriptor >= 0 else { return true }
        guard isAsleep.load(ordering: .acquiring) else { return false }
        let isReadable = try? waitReadable(FileDescriptor(rawValue: descriptor), until: .now)
        return isReadable == false && isAsleep.load(ordering: .acquiring)
    }
}

/// The memory that transfers use, in bytes. The service thread counts the uploads of clients and the bytes that the
/// readers of streams have not taken; the X thread counts the transfers with X11 programs. Each thread limits the sum.
package final class TransferBytes: Sendable {
    private let uploads = Atomic(0)
    private let streams = Atomic(0)
    private let peers = Atomic(0)

    package init() {}

    /// The bytes of clients' uploads.
    package var uploaded: Int { uploads.load(ordering: .relaxed) }

    /// The bytes that owners have sent, and that wait for the readers of streams.
    package var streamed: Int { streams.load(ordering: .relaxed) }

    /// The bytes that the service thread counts.
    package var ofService: Int { uploaded + streamed }

    /// The bytes of transfers with X11 programs, as of the X thread's latest round.
    package var peerBytes: Int { peers.load(ordering: .relaxed) }

    /// Adds to the bytes of uploads; a negative number subtracts.
    package func addUploaded(_ bytes: Int) {
        uploads.wrappingAdd(bytes, ordering: .relaxed)
    }

    /// Adds to the bytes that wait for the readers of streams; a negative number subtracts.
    package func addStreamed(_ bytes: Int) {
        streams.wrappingAdd(bytes, ordering: .relaxed)
    }

    package func setPeers(_ bytes: Int) {
        peers.store(bytes, ordering: .relaxed)
    }
}
