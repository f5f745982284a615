package import EventLoop
package import LinuxSystem
import SystemPackage

/// The transfers to readers of sources. The transfers belong to no connection: readers get the rest even after the
/// compositor has closed its connection, and while there is a new one.
///
/// No timeout ends a transfer. A reader may pause for any time, as with `wl-paste | less`, and contents that end early
/// look complete to a reader.
package final class OutgoingTransfers {
    private final class Transfer {
        var writer: PieceWriter
        let onComplete: () -> Void
        var lastProgress = ContinuousClock.now
        var registration: Registration?

        init(_ writer: PieceWriter, onComplete: @escaping () -> Void) {
            self.writer = writer
            self.onComplete = onComplete
        }

        deinit { registration?.cancel() }

        /// Writes as much as there is room for, and returns true once all bytes are written.
        func write() throws(Errno) -> Bool {
            if try writer.write() > 0 { lastProgress = .now }
            return writer.rest.isEmpty
        }
    }

    /// The maximum number of transfers at once. Above this number, the transfer without progress for the longest time
    /// ends.
    package var maxCount = 1_024
    private let loop: EventLoop
    private var transfers: [ObjectIdentifier: Transfer] = [:]

    package init(loop: EventLoop) { self.loop = loop }

    /// The number of transfers under way.
    package var count: Int { transfers.count }

    /// The number of bytes that are held for readers. Memory that transfers share counts once.
    package var bytesHeld: Int {
        let held = transfers.values.map { ($0.writer.bytes.identity, $0.writer.bytes.length) }
        return Dictionary(held) { length, _ in length }.values.reduce(0, +)
    }

    /// Writes bytes to a reader of a source, and closes the descriptor.
    ///
    /// The descriptor has to be a pipe or a socket, as in all known clients; anything else is closed, because writing
    /// to it may block.
    ///
    /// - Parameter onComplete: Called after all bytes are written, which may be before this function returns; never if
    ///   the reader closes its end first.
    package func send(
        _ bytes: ImmutableBytes, _ range: Range<Int>, to descriptor: Descriptor, onComplete: @escaping () -> Void = {}
    ) {
        do throws(Errno) {
            let transfer = Transfer(try PieceWriter(bytes, range, to: descriptor), onComplete: onComplete)
            if try transfer.write() { return onComplete() }
            add(transfer)
        } catch {
            // The descriptor is closed with its last reference.
        }
    }

    package func removeAll() { transfers = [:] }

    private func add(_ transfer: Transfer) {
        // A program that asks again and again and never reads must not use up the descriptors.
        if count >= maxCount, let stalled = transfers.min(by: { $0.value.lastProgress < $1.value.lastProgress }) {
            transfers[stalled.key] = nil
        }
        transfers[ObjectIdentifier(transfer)] = transfer
        transfer.registration = loop.add(transfer.writer.fileDescriptor, interest: .writable) {
            [weak self, unowned transfer] _ in self?.write(transfer)
        }
    }

    private func write(_ transfer: Transfer) {
        do throws(Errno) {
            guard try transfer.write() else { return }
            transfers[ObjectIdentifier(transfer)] = nil
            transfer.onComplete()
        } catch {
            // The reader has closed its end, or a stored file has become shorter. A pipe has no way to report an error.
            transfers[ObjectIdentifier(transfer)] = nil
        }
    }
}
