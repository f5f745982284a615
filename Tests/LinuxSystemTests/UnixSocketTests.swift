import Glibc
import LinuxSystem
import SystemPackage
import Testing

struct UnixSocketTests {
    @Test("A client connects, and all descriptors are close-on-exec")
    func connects() throws {
        let folder = try TemporaryFolder()
        let listener = try UnixSocket.listen(at: folder.file("a.sock"))
        #expect(try UnixSocket.accept(listener.fileDescriptor) == nil)
        let client = try UnixSocket.connect(to: folder.file("a.sock"))
        let server = try #require(try UnixSocket.accept(listener.fileDescriptor))
        for descriptor in [listener, client, server] {
            #expect(fcntl(descriptor.fileDescriptor.rawValue, F_GETFD) == FD_CLOEXEC)
        }
        #expect(fcntl(listener.fileDescriptor.rawValue, F_GETFL) & O_NONBLOCK != 0)
        #expect(fcntl(server.fileDescriptor.rawValue, F_GETFL) & O_NONBLOCK != 0)
        #expect(fcntl(client.fileDescriptor.rawValue, F_GETFL) & O_NONBLOCK == 0)
    }

    @Test("The socket of a dead listener is replaced, and nothing else is left in the folder")
    func replaces() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.sock")
        let waiting: Descriptor
        do {
            let dead = try UnixSocket.listen(at: path)
            waiting = try UnixSocket.connect(to: path)
            withExtendedLifetime(dead) {}
        }
        try awaitHangup(waiting.fileDescriptor)
        #expect(throws: Errno.connectionRefused) { try UnixSocket.connect(to: path) }
        let listener = try UnixSocket.listen(at: path)
        _ = try UnixSocket.connect(to: path)
        #expect(try UnixSocket.accept(listener.fileDescriptor) != nil)
        #expect(try Folder.names(in: folder.path) == ["a.sock"])
    }

    @Test("Connecting to a path without a socket throws an error")
    func nobody() throws {
        let folder = try TemporaryFolder()
        #expect(throws: Errno.noSuchFileOrDirectory) { try UnixSocket.connect(to: folder.file("none")) }
    }

    @Test("A path of 107 bytes works, and a path of 108 bytes is reported as too long")
    func longPath() throws {
        let folder = try TemporaryFolder()
        let longest = folder.file(String(repeating: "x", count: 107 - folder.path.utf8.count - 1))
        let listener = try UnixSocket.listen(at: longest)
        #expect(throws: Never.self) { try UnixSocket.connect(to: longest) }
        let error = #expect(throws: UnixSocketError.pathTooLong(longest + "x")) {
            try UnixSocket.listen(at: longest + "x")
        }
        #expect(error?.description.contains("107 bytes") == true)
        #expect(throws: Errno.fileNameTooLong) { try UnixSocket.connect(to: longest + "x") }
        withExtendedLifetime(listener) {}
    }

    @Test("A path that would name a socket outside the file system is refused", arguments: ["", "\0abstract"])
    func abstract(path: String) {
        #expect(throws: Errno.invalidArgument) { try UnixSocket.connect(to: path) }
    }

    @Test("Connecting to a listener that accepts nothing fails after the timeout")
    func timeout() throws {
        let folder = try TemporaryFolder()
        let listener = try UnixSocket.listen(at: folder.file("a.sock"), backlog: 0)
        var clients: [Descriptor] = []
        #expect(throws: Errno.wouldBlock) {
            while true {
                clients.append(
                    try UnixSocket.connect(to: folder.file("a.sock"), timeout: .milliseconds(20)))
            }
        }
        withExtendedLifetime(listener) {}
    }
}

struct UnixSocketMessagesTests {
    @Test("Bytes and descriptors arrive together")
    func passes() throws {
        let (near, far) = try UnixSocket.pair()
        let pipe = try Pipe()
        #expect(try send([1, 2, 3], [pipe.writing], to: near) == 3)
        let received = try #require(try UnixSocket.receive(from: far.fileDescriptor, waits: true))
        #expect(received.bytes == [1, 2, 3])
        try #require(received.descriptors.count == 1)
        #expect(fcntl(received.descriptors[0].fileDescriptor.rawValue, F_GETFD) == FD_CLOEXEC)
        try received.descriptors[0].fileDescriptor.writeAll([9])
        #expect(try waitReadable(pipe.reading.fileDescriptor, until: .now))
    }

    @Test("The descriptors of two messages are received separately")
    func separates() throws {
        let (near, far) = try UnixSocket.pair()
        let pipe = try Pipe()
        _ = try send([1], [pipe.reading], to: near)
        _ = try send([2], [pipe.reading, pipe.writing], to: near)
        let first = try UnixSocket.receive(from: far.fileDescriptor, waits: true)
        let second = try UnixSocket.receive(from: far.fileDescriptor, waits: true)
        #expect(first?.bytes == [1])
        #expect(first?.descriptors.count == 1)
        #expect(second?.bytes == [2])
        #expect(second?.descriptors.count == 2)
    }

    @Test("A message carries at most as many descriptors as the kernel allows")
    func passesMany() throws {
        let (near, far) = try UnixSocket.pair()
        #expect(try send([1], Array(repeating: near, count: 253), to: near) == 1)
        #expect(try UnixSocket.receive(from: far.fileDescriptor, waits: true)?.descriptors.count == 253)
        #expect(throws: Errno.invalidArgument) { try send([1], Array(repeating: near, count: 254), to: near) }
    }

    @Test("Non-blocking calls return at once if there is no data or no room")
    func doesNotWait() throws {
        let (near, far) = try UnixSocket.pair()
        #expect(try UnixSocket.receive(from: near.fileDescriptor, waits: false) == nil)
        let bytes = pattern(100_000)[...]
        while try UnixSocket.send(bytes, to: near.fileDescriptor, waits: false) > 0 {}
        withExtendedLifetime(far) {}
    }

    @Test("After the end of the stream, reading returns no bytes, and writing throws an error without a signal")
    func ends() throws {
        let near: Descriptor
        do { near = try UnixSocket.pair().0 }
        #expect(try UnixSocket.receive(from: near.fileDescriptor, waits: true)?.bytes == [])
        #expect(throws: Errno.brokenPipe) { try send([1], [], to: near) }
    }

    @Test("Descriptors that the receiver does not keep are closed")
    func closesUntaken() throws {
        let (near, far) = try UnixSocket.pair()
        let reading: Descriptor
        do {
            let pipe = try Pipe()
            reading = pipe.reading
            _ = try send([1], [pipe.writing], to: near)
        }
        #expect(try UnixSocket.receive(from: far.fileDescriptor, waits: true)?.descriptors.count == 1)
        #expect(try readAll(reading.fileDescriptor) == [])
    }

    /// This runs in a separate process, because the limit applies to the whole process.
    @Test("A process without room for the descriptors gets an error and keeps none of them")
    func truncation() async {
        await #expect(processExitsWith: .success) {
            let (near, far) = try UnixSocket.pair()
            let reading = try Self.sendPipe(to: near)
            // This leaves room for one more descriptor: a duplicate gets the lowest free number.
            let lowest = try reading.duplicate().fileDescriptor.rawValue
            var limit = rlimit(rlim_cur: UInt(lowest) + 1, rlim_max: UInt(lowest) + 1)
            guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { exit(2) }
            do {
                _ = try UnixSocket.receive(from: far.fileDescriptor, waits: true)
                exit(3)
            } catch Errno.tooManyOpenFiles {
                // A descriptor that was kept would hold the pipe open.
                exit((try? waitReadable(reading.fileDescriptor, until: .now)) == true ? 0 : 4)
            }
        }
    }

    /// Sends the writing end of a pipe three times, closes it, and returns the reading end.
    private static func sendPipe(to socket: Descriptor) throws -> Descriptor {
        let pipe = try Pipe()
        _ = try UnixSocket.send(
            [1], descriptors: [pipe.writing, pipe.writing, pipe.writing], to: socket.fileDescriptor, waits: true)
        return pipe.reading
    }

    private func send(_ bytes: [UInt8], _ descriptors: [Descriptor], to socket: Descriptor) throws -> Int {
        try UnixSocket.send(bytes[...], descriptors: descriptors, to: socket.fileDescriptor, waits: true)
    }
}

struct PeerCredentialsTests {
    @Test("The peer of a socket within a process is that process")
    func ownPeer() throws {
        let (near, far) = try UnixSocket.pair()
        #expect(try PeerCredentials.of(near.fileDescriptor) == .own)
        withExtendedLifetime(far) {}
    }

    @Test("A pipe has no peer")
    func noPeer() throws {
        let pipe = try Pipe()
        #expect(throws: Errno.notSocket) { try PeerCredentials.of(pipe.reading.fileDescriptor) }
    }
}
