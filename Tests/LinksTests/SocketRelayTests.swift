import EventLoop
import Links
import LinuxSystem
import SystemPackage
import Testing

/// A relay between a client and a bridge, both played by the test.
@Suite final class SocketRelayTests {
    private let loop = EventLoop()
    private let path = "/tmp/xpb-relay-\(String(UInt64.random(in: .min ... .max), radix: 36)).sock"
    private let relay: SocketRelay
    private var client: Descriptor?
    private var bridge: Descriptor?
    private var rounds = 0

    /// The number of rounds after which nothing is left to do.
    private static let settlingRounds = 200

    init() throws {
        let (near, far) = try UnixSocket.pair()
        relay = SocketRelay(try UnixSocket.listen(at: path), on: loop) { near }
        client = try UnixSocket.connect(to: path)
        bridge = far
        try settle()
    }

    deinit {
        relay.close()
        Folder.removeFile(path)
    }

    // MARK: The loop

    private func settle() throws {
        loop.earliestDeadline = { .now }
        loop.deadlinesPassed = { [loop] _ in loop.stop() }
        for _ in 0..<Self.settlingRounds { try loop.run() }
    }

    /// Sends as many bytes as there is room for, and returns their number.
    private func send(_ count: Int, from end: Descriptor?) throws -> Int {
        let socket = try #require(end).fileDescriptor
        let bytes = [UInt8](repeating: 0x61, count: 1 << 16)
        var (sent, isSettled) = (0, false)
        while sent < count {
            let taken = try UnixSocket.send(bytes.prefix(count - sent), to: socket, waits: false)
            sent += taken
            if taken == 0, isSettled { break }
            isSettled = taken == 0
            if isSettled { try settle() }
        }
        try settle()
        return sent
    }

    /// Returns the number of bytes that arrive at an end, and whether its stream has ended.
    private func receive(at end: Descriptor?) throws -> (count: Int, hasEnded: Bool) {
        let socket = try #require(end).fileDescriptor
        var count = 0
        var isSettled = false
        while true {
            guard let bytes = read(socket) else { return (count, true) }
            if !bytes.isEmpty {
                count += bytes.count
                isSettled = false
            } else if isSettled {
                return (count, false)
            } else {
                try settle()
                isSettled = true
            }
        }
    }

    /// Returns the bytes that have arrived; nil at the end of the stream.
    private func read(_ socket: FileDescriptor) -> [UInt8]? {
        do throws(Errno) {
            guard let received = try UnixSocket.receive(from: socket, waits: false) else { return [] }
            return received.bytes.isEmpty ? nil : received.bytes
        } catch {
            // If a connection has unread bytes, the relay ends it with a reset, after everything it has sent.
            return nil
        }
    }

    // MARK: Limits

    @Test("There are at most 32 connections at once, and the next connection waits until another has ended")
    func connections() throws {
        let path = self.path + "2"
        var bridges: [Descriptor] = []
        let relay = SocketRelay(try UnixSocket.listen(at: path), on: loop) {
            let (near, far) = try UnixSocket.pair()
            bridges.append(far)
            return near
        }
        defer {
            relay.close()
            Folder.removeFile(path)
        }
        var clients = try (0..<33).map { _ in try UnixSocket.connect(to: path) }
        try settle()
        #expect(bridges.count == 32)
        clients.removeFirst()
        try settle()
        #expect(bridges.count == 33)
        withExtendedLifetime(clients) {}
    }

    @Test("Descriptors are not passed on from either end")
    func descriptors() throws {
        for (from, to) in [(client, bridge), (bridge, client)] {
            let (sender, receiver) = (try #require(from).fileDescriptor, try #require(to).fileDescriptor)
            let passed = try UnixSocket.pair().0
            #expect(try UnixSocket.send([0x61][...], descriptors: [passed], to: sender, waits: false) == 1)
            try settle()
            let received = try #require(try UnixSocket.receive(from: receiver, waits: false))
            #expect(received.bytes == [0x61] && received.descriptors.isEmpty)
        }
    }

    // MARK: Ends

    @Test("The last words of a bridge reach a client that is still sending")
    func lastWords() throws {
        #expect(try send(100_000, from: client) == 100_000)
        #expect(try receive(at: bridge).count == 100_000)
        let words = [UInt8](repeating: 0x62, count: 100_000)
        #expect(try UnixSocket.send(words[...], to: #require(bridge).fileDescriptor, waits: false) == words.count)
        bridge = nil
        // The relay reads this byte first, and cannot pass it on.
        #expect(try UnixSocket.send([0x61][...], to: #require(client).fileDescriptor, waits: false) == 1)
        try settle()
        let received = try receive(at: client)
        #expect(received.count == words.count && received.hasEnded)
    }

    @Test("A client that only stops sending gets the whole reply, after which the bridge ends")
    func longReply() throws {
        #expect(try send(1, from: client) == 1)
        UnixSocket.endSending(try #require(client).fileDescriptor)
        let request = try receive(at: bridge)
        #expect(request.count == 1 && request.hasEnded)
        let length = 900_000
        #expect(try send(length, from: bridge) == length)
        bridge = nil
        try settle()
        let reply = try receive(at: client)
        #expect(reply.count == length && reply.hasEnded)
    }

    @Test("Bytes of a client that has ended reach the bridge, which may send replies until it has read them")
    func ended() throws {
        let sent = try send(8 << 20, from: client)
        #expect(sent < 8 << 20)
        client = nil
        try settle()
        #expect(try send(3 << 20, from: bridge) == 3 << 20)
        let received = try receive(at: bridge)
        #expect(received.count == sent && received.hasEnded)
    }

    @Test("A client that has ended does not wake the loop while the bridge does not read")
    func unread() throws {
        _ = try send(8 << 20, from: client)
        client = nil
        try settle()
        // Only a moment without events shows that nothing wakes the loop. A busy machine only prolongs that moment.
        let end = ContinuousClock.now + .milliseconds(50)
        loop.earliestDeadline = { end }
        loop.beforeSleep = { [unowned self] in rounds += 1 }
        try loop.run()
        #expect(rounds <= 2)
    }
}
