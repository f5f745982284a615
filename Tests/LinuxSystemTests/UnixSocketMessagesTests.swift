import Glibc
import LinuxSystem
import SystemPackage
import Testing

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

    @Test("The descriptors of two messages come one by one")
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

    @Test("As many descriptors pass as the kernel carries, and one more is refused")
    func passesMany() throws {
        let (near, far) = try UnixSocket.pair()
        #expect(try send([1], Array(repeating: near, count: 253), to: near) == 1)
        #expect(try UnixSocket.receive(from: far.fileDescriptor, waits: true)?.descriptors.count == 253)
        #expect(throws: Errno.invalidArgument) { try send([1], Array(repeating: near, count: 254), to: near) }
    }

    @Test("Nothing to read, and no room to write, are told at once")
    func doesNotWait() throws {
        let (near, far) = try UnixSocket.pair()
        #expect(try UnixSocket.receive(from: near.fileDescriptor, waits: false) == nil)
        let bytes = pattern(100_000)[...]
        while try UnixSocket.send(bytes, to: near.fileDescriptor, waits: false) > 0 {}
        withExtendedLifetime(far) {}
    }

    @Test("The end of the stream is an empty piece, and writing into it an error without a signal")
    func ends() throws {
        let near: Descriptor
        do { near = try UnixSocket.pair().0 }
        #expect(try UnixSocket.receive(from: near.fileDescriptor, waits: true)?.bytes == [])
        #expect(throws: Errno.brokenPipe) { try send([1], [], to: near) }
    }

    @Test("Descriptors that are not taken are closed")
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

    /// In a process of its own, as the limit is one of the process.
    @Test("A process with no room for the descriptors gets an error, and keeps none of them")
    func truncation() async {
        await #expect(processExitsWith: .success) {
            let (near, far) = try UnixSocket.pair()
            let pipe = try Pipe()
            _ = try UnixSocket.send(
                [1], descriptors: [pipe.writing, pipe.writing, pipe.writing], to: near.fileDescriptor, waits: true)
            // Room for one more: the lowest free number is the one a duplicate gets.
            let lowest = try pipe.reading.duplicate().fileDescriptor.rawValue
            var limit = rlimit(rlim_cur: UInt(lowest) + 1, rlim_max: UInt(lowest) + 1)
            guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { exit(2) }
            do {
                _ = try UnixSocket.receive(from: far.fileDescriptor, waits: true)
                exit(3)
            } catch Errno.tooManyOpenFiles {
                // The number is free again, or a lower one that the process has closed meanwhile.
                guard let free = try? pipe.reading.duplicate().fileDescriptor.rawValue, free <= lowest else { exit(4) }
                exit(0)
            }
        }
    }

    private func send(_ bytes: [UInt8], _ descriptors: [Descriptor], to socket: Descriptor) throws -> Int {
        try UnixSocket.send(bytes[...], descriptors: descriptors, to: socket.fileDescriptor, waits: true)
    }
}
