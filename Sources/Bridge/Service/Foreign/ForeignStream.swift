import EventLoop
import LinuxSystem
import PasteboardWire
import SelectionProtocol
import X11Bridge

/// The bytes of a foreign owner on their way to a client that takes them while the owner sends.
///
/// The thread that receives them appends to the pipe. On the service thread, the bytes for which the pipe had no room
/// follow as the client reads. Once the owner has sent everything, it and its transfer do not wait for the client.
final class ForeignStream {
    typealias Failure = DisplayProxy.FetchFailure

    /// The start of an owner's answer.
    enum Beginning {
        /// The owner has sent everything in one piece.
        case whole(ForeignReader.Value)
        case stream(ForeignStream)
    }

    private let reader: ForeignReader
    private let loop: EventLoop
    private let held: TransferBytes
    private var pipe: SpooledPipe?
    /// The end for the client, until it is taken.
    private var reading: Descriptor?
    private var registration: Registration?
    private let beginning = PendingValue<Result<Beginning, Failure>>()
    private let end = PendingValue<Result<Int, Failure>>()
    /// Asks the owner.
    private var task: LoopTask?
    /// The outcome of the owner's part; nil while the owner sends.
    private var received: Result<Void, Failure>?
    /// The bytes that wait for the client and belong to no transfer any more.
    private var waiting = 0 { didSet { held.addStreamed(waiting - oldValue) } }

    private init(by reader: ForeignReader, loop: EventLoop, held: TransferBytes) {
        self.reader = reader
        self.loop = loop
        self.held = held
    }

    deinit { close() }

    /// Asks an owner, and returns the start of its answer. Cancelling the task cancels the conversion.
    ///
    /// - Parameter held: The memory that streams use.
    static func begin(
        _ offered: ForeignReader.Offered, by reader: ForeignReader, on executor: EventLoopExecutor, loop: EventLoop,
        held: TransferBytes
    ) async throws(Failure) -> Beginning {
        let stream = ForeignStream(by: reader, loop: loop, held: held)
        let task = executor.start {
            do throws(Failure) {
                let value = try await reader.bytes(of: offered) { [weak stream] in stream?.notePart(in: $0) }
                stream.didReceive(.success(value))
            } catch {
                stream.didReceive(.failure(error))
            }
        }
        stream.task = task
        return try await stream.beginning.get { task.cancel() }.get()
    }

    /// Returns the reading end of the pipe, once.
    func takeReadingEnd() -> Descriptor? { reading.take() }

    /// Waits until all bytes are in the pipe, and closes it. The conversion is cancelled if the task is, or if the
    /// client closes the pipe.
    ///
    /// - Returns: The number of bytes.
    /// - Throws: The failure of the owner, after the bytes that it has sent. Whatever the cause, the client has an
    ///   incomplete transfer.
    func length() async throws(BridgeError) -> Int {
        do throws(Failure) {
            return try await end.get { [self] in cancel() }.get()
        } catch {
            throw BridgeError(.transferBroken, reader.error(error).message)
        }
    }

    func cancel() {
        finish(.failure(.conversion(.cancelled)))
        task?.cancel()
    }

    // MARK: The owner

    private func notePart(in pipe: SpooledPipe) {
        guard !end.isDelivered else { return }
        if self.pipe == nil {
            self.pipe = pipe
            reading = pipe.takeReadingEnd()
            registration = loop.add(pipe.fileDescriptor, interest: Interest(rawValue: 0)) { [weak self] in
                self?.ready($0)
            }
            beginning.deliver(.success(.stream(self)))
        }
        awaitRoom()
    }

    private func didReceive(_ outcome: Result<ForeignReader.Value?, Failure>) {
        received = outcome.map { _ in }
        switch outcome {
        case .success(let value?): beginning.deliver(.success(.whole(value)))
        case .success(nil): break
        case .failure(let failure): beginning.deliver(.failure(failure))
        }
        awaitRoom()
    }

    // MARK: The client

    /// Waits for room in the pipe if bytes wait, and ends the stream after the last one.
    private func awaitRoom() {
        guard let pipe, !end.isDelivered else { return }
        let count = pipe.waiting
        registration?.interest = count > 0 ? .writable : Interest(rawValue: 0)
        guard let received else { return }
        waiting = count
        if count == 0 { finish(received.map { pipe.appended }) }
    }

    private func ready(_ readiness: Readiness) {
        // Nobody reads any more.
        if readiness.contains(.hangup) { return cancel() }
        do {
            try pipe?.flush()
            awaitRoom()
        } catch {
            cancel()
        }
    }

    private func finish(_ outcome: Result<Int, Failure>) {
        close()
        end.deliver(outcome)
    }

    private func close() {
        registration?.cancel()
        registration = nil
        pipe?.close()
        waiting = 0
    }
}
