import DataControlProtocol
import EventLoop
import LinuxSystem
import SystemPackage

/// The contents of an offer on their way through a pipe into a file.
final class IncomingTransfer {
    let offer: ForeignOfferID
    /// The reading end; nil once it is closed.
    private var pipe: Descriptor?
    private let limit: Int
    private let result = PendingValue<Result<MemoryFile, PipeFailure>>()
    /// Nil until the first byte, since each file costs a descriptor.
    private var writer: MemoryFileWriter?
    private var registration: Registration?
    private var timer: IdleTimer?
    private var isOfferEnded = false
    /// Takes the reading end after a failure.
    private let onFailure: (Descriptor) -> Void

    /// The limit on the bytes that are read in one round of the loop.
    private static let maxPiece = 1 << 20
    /// The time for the first byte after the offer has ended. A program may write and end at once, and its end may
    /// arrive first.
    private static let grace = Duration.milliseconds(250)

    /// - Parameters:
    ///   - pipe: The reading end.
    ///   - limit: The maximum length.
    ///   - onFailure: Takes the reading end after a failure, when the program may still be about to write.
    init(
        of offer: ForeignOfferID, from pipe: Descriptor, limit: Int, idleTimeout: Duration, loop: EventLoop,
        timers: TimerQueue, onFailure: @escaping (Descriptor) -> Void
    ) {
        self.offer = offer
        self.onFailure = onFailure
        self.pipe = pipe
        self.limit = limit
        registration = loop.add(pipe.fileDescriptor, interest: .readable) { [weak self] _ in self?.read() }
        timer = IdleTimer(idleTimeout, on: timers) { [weak self] in self?.timeOut() }
    }

    deinit { stop() }

    /// The number of bytes received.
    var received: Int { writer?.length ?? 0 }

    /// Returns the contents once they are complete. The transfer ends if the waiting task is cancelled.
    func contents() async throws(PipeFailure) -> MemoryFile {
        try await result.get { [self] in fail(.cancelled) }.get()
    }

    /// Handles the end of the offer: contents that have not begun are not waited for.
    func offerDidEnd() {
        isOfferEnded = true
        if received == 0 { timer?.shorten(to: Self.grace) }
    }

    func fail(_ failure: PipeFailure) { finish(.failure(failure)) }

    private func read() {
        guard let pipe else { return }
        do throws(Errno) {
            let writer = if let writer { writer } else { try MemoryFileWriter() }
            let room = limit - writer.length
            let wanted = room < Self.maxPiece ? room + 1 : Self.maxPiece
            guard let count = try writer.append(availableIn: pipe.fileDescriptor, limit: wanted) else { return }
            if count == 0 { return end(try writer.seal()) }
            self.writer = writer
            timer?.noteProgress()
            if writer.length > limit { fail(.tooLong) }
        } catch {
            let isOfPipe = error == .badFileDescriptor || error == .ioError || error == .invalidArgument
            fail(isOfPipe ? .broken(error) : .noRoom(error))
        }
    }

    private func end(_ file: MemoryFile) {
        finish(file.length == 0 && isOfferEnded ? .failure(.offerEnded) : .success(file))
    }

    private func timeOut() {
        // Bytes that have arrived count, also if the thread was too busy to look.
        let before = received
        read()
        guard pipe != nil, received == before else { return }
        if received > 0 { return fail(.stalled(received: received)) }
        fail(isOfferEnded ? .offerEnded : .silent)
    }

    private func finish(_ outcome: Result<MemoryFile, PipeFailure>) {
        let pipe = pipe
        stop()
        if case .failure = outcome, let pipe { onFailure(pipe) }
        result.deliver(outcome)
    }

    private func stop() {
        registration?.cancel()
        registration = nil
        timer?.stop()
        timer = nil
        pipe = nil
    }
}
