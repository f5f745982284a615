import BridgeState
import EventLoop
import FormatConversion
import LinuxSystem
import PasteboardWire
import X11Bridge

/// Bytes on their way to a client that takes them while they arrive from another program: the foreign owner of a
/// selection, or the provider of a promise.
///
/// The thread that receives the bytes appends them to a socket. If the socket has no room, the service thread appends
/// the rest as the client reads. The program never waits for the client.
final class ReaderStream {
    /// The start of an answer.
    enum Beginning {
        /// The program has sent everything in one piece.
        case whole(EncodedBytes)
        case stream(ReaderStream)
    }

    /// A function that receives the bytes. The function calls `onPart` when bytes begin to go to a socket, and after
    /// each part. The result is nil if all bytes went to the socket, and otherwise the bytes.
    typealias Receiver = (_ onPart: @escaping (SpooledSocket) -> Void) async throws(ConversionFailure) -> EncodedBytes?

    private let loop: EventLoop
    private let held: TransferBytes
    private var socket: SpooledSocket?
    /// The client's end of the socket, until it is taken.
    private var reading: Descriptor?
    private var registration: Registration?
    private let beginning = PendingValue<Result<Beginning, ConversionFailure>>()
    private let end = PendingValue<Result<Int, ConversionFailure>>()
    private var task: LoopTask?
    /// The outcome of the program's part; nil while the program sends.
    private var received: Result<Void, ConversionFailure>?
    /// The bytes that wait for the client and no longer belong to a transfer.
    private var waiting = 0 { didSet { held.addStreamed(waiting - oldValue) } }

    private init(loop: EventLoop, held: TransferBytes) {
        self.loop = loop
        self.held = held
    }

    deinit { close() }

    /// Begins to receive bytes, and returns the start of the answer. Cancelling the task cancels the receiver.
    ///
    /// - Parameter held: The memory that streams use.
    static func begin(
        on executor: EventLoopExecutor, loop: EventLoop, held: TransferBytes, _ receive: @escaping Receiver
    ) async throws(ConversionFailure) -> Beginning {
        let stream = ReaderStream(loop: loop, held: held)
        let task = executor.start {
            do throws(ConversionFailure) {
                let whole = try await receive { [weak stream] in stream?.notePart(in: $0) }
                stream.didReceive(.success(whole))
            } catch {
                stream.didReceive(.failure(error))
            }
        }
        stream.task = task
        return try await stream.beginning.get { task.cancel() }.get()
    }

    /// Returns the reading end of the socket, once.
    func takeReadingEnd() -> Descriptor? { reading.take() }

    /// Waits until all bytes are in the socket, and closes the writing end. The receiver is cancelled if the task is,
    /// or if the client closes its end.
    ///
    /// - Returns: The number of bytes.
    /// - Throws: The failure of the program, after the bytes that it has sent. Whatever the cause, the client has an
    ///   incomplete transfer.
    func length() async throws(BridgeError) -> Int {
        do throws(ConversionFailure) {
            return try await end.get { [self] in cancel() }.get()
        } catch {
            throw BridgeError(.transferBroken, error.message)
        }
    }

    func cancel() {
        finish(.failure(.broken("the transfer was cancelled")))
        task?.cancel()
    }

    // MARK: The program

    private func notePart(in socket: SpooledSocket) {
        guard !end.isDelivered else { return }
        if self.socket == nil {
            self.socket = socket
            reading = socket.takeReadingEnd()
            registration = loop.add(socket.fileDescriptor, interest: Interest(rawValue: 0)) { [weak self] in
                self?.ready($0)
            }
            beginning.deliver(.success(.stream(self)))
        }
        awaitRoom()
    }

    private func didReceive(_ outcome: Result<EncodedBytes?, ConversionFailure>) {
        received = outcome.map { _ in }
        switch outcome {
        case .success(let bytes?): beginning.deliver(.success(.whole(bytes)))
        case .success(nil): break
        case .failure(let failure): beginning.deliver(.failure(failure))
        }
        awaitRoom()
    }

    // MARK: The client

    /// Waits for room in the socket if bytes wait, and ends the stream after the last byte.
    private func awaitRoom() {
        guard let socket, !end.isDelivered else { return }
        let count = socket.waiting
        registration?.interest = count > 0 ? .writable : Interest(rawValue: 0)
        guard let received else { return }
        waiting = count
        if count == 0 { finish(received.map { socket.appended }) }
    }

    private func ready(_ readiness: Readiness) {
        // The client has closed its end.
        if readiness.contains(.hangup) { return cancel() }
        do {
            try socket?.flush()
            awaitRoom()
        } catch {
            cancel()
        }
    }

    private func finish(_ outcome: Result<Int, ConversionFailure>) {
        close()
        end.deliver(outcome)
    }

    private func close() {
        registration?.cancel()
        registration = nil
        socket?.close()
        waiting = 0
    }
}
