import Glibc
import LinuxSystem
import SystemPackage
import TestSupport
import Testing

struct SpooledSocketTests {
    /// The block of bytes that ``pattern(_:)`` repeats.
    private static let block = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 12) }

    private static func pattern(_ count: Int) -> [UInt8] { repeating(block, count: count) }

    private let bytes = pattern(3_000_000)
    private let socket: SpooledSocket
    private let reading: Descriptor

    init() throws {
        socket = try SpooledSocket()
        reading = try #require(socket.takeReadingEnd())
    }

    private func append(_ bytes: some Sequence<UInt8>) throws {
        try unsafe Array(bytes).withUnsafeBytes { try unsafe socket.append($0.bytes) }
    }

    /// Returns the bytes that the socket contains now.
    private func read() throws -> [UInt8] { try Self.read(reading) }

    private static func read(_ reading: Descriptor) throws -> [UInt8] {
        var read: [UInt8] = []
        while try waitReadable(reading.fileDescriptor, until: .now) {
            let more = try reading.fileDescriptor.readBytes(atMost: 1 << 20)
            if more.isEmpty { break }
            read += more
        }
        return read
    }

    @Test("A reader that keeps up gets each part at once, and nothing waits in memory")
    func keepsUp() throws {
        for start in stride(from: 0, to: bytes.count, by: 50_000) {
            try append(bytes[start..<start + 50_000])
            #expect(socket.waiting == 0)
            #expect(try read() == Array(bytes[start..<start + 50_000]))
        }
        #expect(socket.appended == bytes.count)
        socket.close()
        #expect(try reading.fileDescriptor.readBytes(atMost: 1) == [])
    }

    @Test("A reader that stalls holds nobody up, and gets all bytes in order later")
    func stalls() throws {
        for start in stride(from: 0, to: bytes.count, by: 250_000) { try append(bytes[start..<start + 250_000]) }
        #expect(socket.appended == bytes.count)
        #expect(socket.waiting >= bytes.count - (1 << 20))
        var received: [UInt8] = []
        while received.count < bytes.count {
            received += try read()
            try socket.flush()
        }
        #expect(received == bytes)
        #expect(socket.waiting == 0)
    }

    @Test("Parts that come while bytes wait follow the waiting bytes")
    func order() throws {
        try append(bytes)
        var received = try read()
        try append(bytes.prefix(10))
        #expect(socket.waiting == bytes.count - received.count + 10)
        while socket.waiting > 0 {
            try socket.flush()
            received += try read()
        }
        received += try read()
        #expect(received == bytes + bytes.prefix(10))
    }

    /// This runs in a separate process, because the memory file is found among all descriptors of the process.
    @Test("The memory of bytes that the reader has taken is released while other bytes still wait")
    func released() async {
        await #expect(processExitsWith: .success) {
            let socket = try SpooledSocket()
            let reading = try #require(socket.takeReadingEnd())
            let piece = Self.pattern(4 << 20)
            for _ in 0..<4 { try unsafe piece.withUnsafeBytes { try unsafe socket.append($0.bytes) } }
            let held = try Self.heldMemory()
            #expect(held >= socket.waiting)
            var count = 0
            while count < 12 << 20 {
                count += try Self.read(reading).count
                try socket.flush()
            }
            #expect(socket.waiting > 0)
            #expect(try Self.heldMemory() <= held - (8 << 20))
        }
    }

    /// Returns the memory of all memory files of the process, in bytes.
    private static func heldMemory() throws -> Int {
        let files = ProcessTable.descriptors(of: getpid()).filter { $0.value.hasPrefix("/memfd:pasteboard") }
        try #require(!files.isEmpty)
        return files.keys.reduce(0) { sum, number in
            var status = stat()
            return unsafe fstat(number, &status) == 0 ? sum + Int(status.st_blocks) * 512 : sum
        }
    }

    @Test("A reader that closes its end causes an error, but no signal", arguments: [false, true])
    func closed(isStalled: Bool) throws {
        let socket = try SpooledSocket()
        var reading = socket.takeReadingEnd()
        #expect(reading != nil && socket.takeReadingEnd() == nil)
        if isStalled { try unsafe bytes.withUnsafeBytes { try unsafe socket.append($0.bytes) } }
        reading = nil
        try awaitHangup(socket.fileDescriptor)
        #expect(throws: Errno.brokenPipe) {
            if isStalled { return try socket.flush() }
            try unsafe bytes.withUnsafeBytes { try unsafe socket.append($0.bytes) }
        }
    }

    @Test("An empty stream ends at once, and a closed socket takes nothing")
    func empty() throws {
        try append([])
        try socket.flush()
        socket.close()
        #expect(try reading.fileDescriptor.readBytes(atMost: 1) == [])
        #expect(socket.appended == 0)
        #expect(throws: Errno.brokenPipe) { try append([1]) }
    }

    @Test("Bytes of a pipe arrive in order, with a reader that keeps up or stalls", arguments: [true, false])
    func fromPipe(keepsUp: Bool) throws {
        var source: (reading: Descriptor, writing: Descriptor?) = try Descriptor.pipe()
        #expect(try socket.append(availableIn: source.reading.fileDescriptor, limit: 10) == nil)
        var received: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 60_000) {
            try source.writing?.fileDescriptor.writeBytes(Array(bytes[start..<start + 60_000]))
            var moved = 0
            while moved < 60_000 {
                let count = try #require(try socket.append(availableIn: source.reading.fileDescriptor, limit: 50_000))
                #expect((1...50_000).contains(count))
                moved += count
            }
            if keepsUp { received += try read() }
        }
        source.writing = nil
        try awaitHangup(source.reading.fileDescriptor)
        #expect(try socket.append(availableIn: source.reading.fileDescriptor, limit: 10) == 0)
        #expect((socket.waiting > 0) != keepsUp)
        while received.count < bytes.count {
            received += try read()
            try socket.flush()
        }
        #expect(received == bytes)
        #expect(socket.appended == bytes.count)
    }

    @Test("The reader gets a socket, because a reader can lock a pipe with a splice(2) that blocks")
    func kind() throws {
        #expect(try reading.isSocket)
    }

    @Test("The bytes of a growing file arrive while it grows, and no byte is stored a second time")
    func following() throws {
        let file = try MemoryFileWriter()
        let socket = try SpooledSocket(following: file.descriptor)
        let reading = try #require(socket.takeReadingEnd())
        var received: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 500_000) {
            let part = Array(bytes[start..<start + 500_000])
            try file.append(part)
            try socket.follow(part, to: file.length)
            #expect(socket.appended == file.length)
            while received.count < file.length {
                #expect(received.count + socket.waiting <= file.length)
                received += try reading.fileDescriptor.readBytes(atMost: 1 << 18)
                try socket.flush()
            }
            #expect(socket.waiting == 0)
        }
        let whole = try file.seal()
        socket.close()
        #expect(received == bytes)
        #expect(try reading.fileDescriptor.readBytes(atMost: 1) == [])
        #expect(try whole.bytes(in: 0..<bytes.count) == bytes)
    }
}
