import EventLoop
import LinuxSystem
import SystemPackage

/// Bytes on their way to a reader of a source.
final class OutgoingTransfer {
    private var writer: PieceWriter
    private let onEnd: () -> Void
    private var registration: Registration?
    private var timer: IdleTimer?

    /// - Parameter onEnd: Called once, after all bytes are written, or the reader has closed its end or made no
    ///   progress for the time.
    init(
        _ writer: PieceWriter, idleTimeout: Duration, loop: EventLoop, timers: TimerQueue, onEnd: @escaping () -> Void
    ) {
        self.writer = writer
        self.onEnd = onEnd
        registration = loop.add(writer.fileDescriptor, interest: .writable) { [weak self] _ in self?.write() }
        timer = IdleTimer(idleTimeout, on: timers) { [weak self] in self?.end() }
    }

    deinit { stop() }

    var bytes: ImmutableBytes { writer.bytes }

    /// Stops writing. The descriptor is closed with this object.
    func stop() {
        registration?.cancel()
        registration = nil
        timer?.stop()
        timer = nil
    }

    private func write() {
        do throws(Errno) {
            if try writer.write() > 0 { timer?.noteProgress() }
            if writer.rest.isEmpty { end() }
        } catch {
            // The reader has closed its end, or a stored file has become shorter. A pipe has no way to report an error.
            end()
        }
    }

    private func end() {
        stop()
        onEnd()
    }
}
