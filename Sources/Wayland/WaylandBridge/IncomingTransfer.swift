import DataControlProtocol
import EventLoop
import LinuxSystem
import SystemPackage

/// The contents of an offer on their way through a pipe into a file, or into the socket of a reader.
final class IncomingTransfer {
    let offer: ForeignOfferID
    /// The reading end; nil once it is closed.
    private var pipe: Descriptor?
    private let limit: Int
    /// The function that returns false once all transfers together hold too many bytes.
    private let hasRoom: () -> Bool
    private let result = PendingValue<Result<MemoryFile?, PipeFailure>>()
    /// Nil before the first byte, since each file costs a descriptor, and after a stream has begun.
    private var writer: MemoryFileWriter?
    private var stream: SpooledSocket?
    private var streamTimer: TimerQueue.Identifier?
    private var registration: Registration?
    private var timer: IdleTimer?
    private var isOfferEnded = false
    private let timers: TimerQueue
    private let onStream: ((SpooledSocket) -> Void)?
    /// The function that takes the reading end after a failure.
    private let onFailure: (Descriptor) -> Void

    /// The limit on the bytes that are read in one round of the loop.
    private static let maxPiece = 1 << 20
    /// The timeout for the first byte after the offer has ended. A program may write and exit at once, and the end of
    /// its offer may arrive first.
    private static let grace = Duration.milliseconds(250)
    /// The delay before a stream begins. Most contents are complete within this time, and are passed as a file.
    private static let streamDelay = Duration.milliseconds(2)
    /// The number of bytes at which a stream begins at once.
    private static let minStream = 1 << 18

    /// - Parameters:
    ///   - pipe: The reading end.
    ///   - limit: The maximum length.
    ///   - hasRoom: Returns false once all transfers together hold too many bytes. Called after each piece.
    ///   - onStream: Called when the contents begin to go to a reader's socket, and after each further part; nil for
    ///     contents that go to a file.
    ///   - onFailure: Called with the reading end after a failure, when the program may still be about to write.
    init(
        of offer: ForeignOfferID, from pipe: Descriptor, limit: Int, hasRoom: @escaping () -> Bool,
        idleTimeout: Duration, loop: EventLoop, timers: TimerQueue, onStream: ((SpooledSocket) -> Void)?,
        onFailure: @escaping (Descriptor) -> Void
    ) {
        self.offer = offer
        self.timers = timers
        self.onStream = onStream
        self.onFailure = onFailure
        self.pipe = pipe
        self.limit = limit
        self.hasRoom = hasRoom
        registration = loop.add(pipe.fileDescriptor, interest: .readable) { [weak self] _ in self?.read() }
        timer = IdleTimer(idleTimeout, on: timers) { [weak self] in self?.timeOut() }
    }

    deinit { stop() }

    /// The number of bytes received.
    var received: Int { stream?.appended ?? writer?.length ?? 0 }

    /// The number of bytes in memory.
    var held: Int { stream?.waiting ?? writer?.length ?? 0 }

    /// Returns the contents once they are complete; nil if they are in the stream. The transfer ends if the waiting
    /// task is canceled.
    func contents() async throws(PipeFailure) -> MemoryFile? {
        try await result.get { [self] in fail(.cancelled) }.get()
    }

    /// Handles the end of the offer: only a short wait for a first byte is left.
    func offerDidEnd() {
        isOfferEnded = true
        if received == 0 { timer?.shorten(to: Self.grace) }
    }

    func fail(_ failure: PipeFailure) { finish(.failure(failure)) }

    private func read() {
        guard let pipe else { return }
        do throws(Errno) {
            if let stream { return try read(pipe, into: stream) }
            let writer = if let writer { writer } else { try MemoryFileWriter() }
            let wanted = min(limit - writer.length + 1, Self.maxPiece)
            guard let count = try writer.append(availableIn: pipe.fileDescriptor, limit: wanted) else { return }
            if count == 0 { return end(try writer.seal()) }
            self.writer = writer
            timer?.noteProgress()
            if let excess { return fail(excess) }
            expectStream(after: writer.length)
        } catch {
            let isOfPipe = error == .badFileDescriptor || error == .ioError || error == .invalidArgument
            fail(isOfPipe ? .broken(error) : .noRoom(error))
        }
    }

    private func read(_ pipe: Descriptor, into stream: SpooledSocket) throws(Errno) {
        let wanted = min(limit - received + 1, Self.maxPiece)
        do throws(Errno) {
            guard let count = try stream.append(availableIn: pipe.fileDescriptor, limit: wanted) else { return }
            if count == 0 { return finish(.success(nil)) }
        } catch .brokenPipe {
            // The reader has closed its end.
            return fail(.cancelled)
        }
        timer?.noteProgress()
        if let excess { return fail(excess) }
        notePart()
    }

    /// The failure if the received bytes exceed a limit; nil otherwise.
    private var excess: PipeFailure? { received > limit ? .tooLong : hasRoom() ? nil : .tooManyBytes }

    /// Begins a stream: at once if there are many bytes, otherwise after a short delay, unless the contents end first.
    private func expectStream(after length: Int) {
        guard onStream != nil else { return }
        if length >= Self.minStream { return beginStream() }
        streamTimer =
            streamTimer ?? timers.set(.now + Self.streamDelay) { [weak self] in self?.beginStream() }
    }

    /// Moves the received bytes to a reader's socket, where the rest will follow. Without a descriptor for a socket,
    /// the bytes stay in the file.
    private func beginStream() {
        guard pipe != nil, stream == nil, let writer, let made = try? SpooledSocket() else { return }
        do {
            let file = try writer.seal()
            try file.withBytes(in: 0..<file.length) { try made.append($0) }
        } catch {
            return fail(.noRoom((error as? Errno) ?? .ioError))
        }
        stream = made
        self.writer = nil
        notePart()
    }

    private func notePart() {
        if let stream { onStream?(stream) }
    }

    private func end(_ file: MemoryFile) {
        finish(file.length == 0 && isOfferEnded ? .failure(.offerEnded) : .success(file))
    }

    private func timeOut() {
        // Bytes that have arrived count even if the thread was too busy to read them.
        let before = received
        read()
        guard pipe != nil, received == before else { return }
        if received > 0 { return fail(.stalled(received: received)) }
        fail(isOfferEnded ? .offerEnded : .silent)
    }

    private func finish(_ outcome: Result<MemoryFile?, PipeFailure>) {
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
        if let streamTimer { timers.cancel(streamTimer) }
        streamTimer = nil
        pipe = nil
    }
}
