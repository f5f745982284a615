import LinuxSystem
import Synchronization
package import SystemPackage

/// Whether the display thread has told everything that the X server sent.
///
/// A program that copies and then runs `xpb get` expects its copy: the server's event is on the connection by then, but
/// the display thread may not have read it. This tells the service thread, at the price of one poll(2), whether it has
/// to ask.
package final class DisplayActivity: Sendable {
    private let isAsleep = Atomic(false)
    /// The X connection, to be looked at and not read; -1 where there is none.
    private let connection = Atomic<Int32>(-1)
    /// Whether anybody wants to be told of each change when it comes.
    private let watchers = Atomic(false)
    /// What both threads hold for transfers.
    package let bytes = TransferBytes()

    package init() {}

    /// The display thread is about to sleep: everything was read and reported.
    func fallAsleep() {
        isAsleep.store(true, ordering: .releasing)
    }

    /// The display thread begins to work. Said before it reads anything, so that there is no moment at which it looks
    /// asleep and the connection looks empty.
    func wakeUp() {
        isAsleep.store(false, ordering: .sequentiallyConsistent)
    }

    /// Whether anybody watches. What was reported and waits is found in any case by who asks.
    package var isAwaited: Bool {
        get { watchers.load(ordering: .relaxed) }
        set { watchers.store(newValue, ordering: .relaxed) }
    }

    package func connect(_ descriptor: FileDescriptor?) {
        connection.store(descriptor?.rawValue ?? -1, ordering: .releasing)
    }

    /// Whether all that has come was reported before now. False where that is not sure.
    package var isSettled: Bool {
        let descriptor = connection.load(ordering: .acquiring)
        guard descriptor >= 0 else { return true }
        guard isAsleep.load(ordering: .acquiring) else { return false }
        let isWaiting = try? waitReadable(FileDescriptor(rawValue: descriptor), until: .now)
        return isWaiting == false && isAsleep.load(ordering: .acquiring)
    }
}
