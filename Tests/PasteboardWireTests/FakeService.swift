import Glibc
import LinuxSystem
import PasteboardWire
import SystemPackage
import Testing

/// A service on its own thread that replies as the test specifies, until its client is gone.
final class FakeService {
    typealias Answer = (text: String, descriptors: [Descriptor])

    let client: ClientConnection
    private let thread: WorkerThread
    private let socket: FileDescriptor

    /// - Parameters:
    ///   - answers: The number of replies after which the service closes the connection.
    ///   - pieces: The number of parts in which the service sends each reply.
    ///   - answer: Given a request, without its NUL, and its descriptors, returns the reply.
    init(
        answers: Int = .max, pieces: Int = 1, _ answer: @escaping @Sendable (String, [Descriptor]) throws -> Answer
    ) throws {
        let (near, far) = try UnixSocket.pair()
        client = ClientConnection(socket: near)
        socket = near.fileDescriptor
        thread = try WorkerThread.start(name: "service") {
            try? Self.serve(far, answers: answers, pieces: pieces, answer)
        }
    }

    convenience init(
        answers: Int = .max, pieces: Int = 1, _ answer: @escaping @Sendable (String) throws -> Answer
    ) throws {
        try self.init(answers: answers, pieces: pieces) { request, _ in try answer(request) }
    }

    deinit {
        shutdown(socket.rawValue, Int32(SHUT_RDWR))
        thread.join()
    }

    func count() throws -> Int {
        try client.call(Methods.Count.self, .init(pasteboard: "general"), idleTimeout: nil).reply.count
    }

    /// Returns the counts in a stream of replies, which ends when `body` returns false.
    func stream(until deadline: ContinuousClock.Instant?, _ body: (Int) throws -> Bool) throws -> [Int] {
        var counts: [Int] = []
        try client.stream(Methods.Count.self, .init(pasteboard: "general"), until: deadline) { reply in
            counts.append(reply.count)
            return try body(reply.count)
        }
        return counts
    }

    private static func serve(
        _ socket: Descriptor, answers: Int, pieces: Int, _ answer: (String, [Descriptor]) throws -> Answer
    ) throws {
        var framer = MessageFramer(limit: .max)
        var descriptors: [Descriptor] = []
        var answered = 0
        while answered < answers {
            guard let request = try framer.next() else {
                let received = try UnixSocket.receive(from: socket.fileDescriptor, limit: 10_000, waits: true)
                guard let received, !received.bytes.isEmpty else { return }
                framer.append(received.bytes)
                descriptors += received.descriptors
                continue
            }
            let reply = try answer(text(request), descriptors)
            descriptors = []
            var passed = reply.descriptors
            var rest = wire(reply.text)[...]
            let size = max(1, rest.count / pieces)
            while !rest.isEmpty {
                let sent = try UnixSocket.send(
                    rest.prefix(size), descriptors: passed, to: socket.fileDescriptor, waits: true)
                passed = []
                rest = rest.dropFirst(sent)
            }
            answered += 1
        }
    }
}
