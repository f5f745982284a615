import Glibc
import LinuxSystem
import SystemPackage
import Testing

struct SpooledPipeTests {
    private static func pattern(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 12) }
    }

    private let bytes = pattern(3_000_000)
    private let pipe: SpooledPipe
    private let reading: Descriptor

    init() throws {
        pipe = try SpooledPipe()
        reading = try #require(pipe.takeReadingEnd())
    }

    private func append(_ bytes: some Sequence<UInt8>) throws {
        try unsafe Array(bytes).withUnsafeBytes { try unsafe pipe.append($0.bytes) }
    }

    /// Returns the bytes that the pipe contains now.
    private func read() throws -> [UInt8] {
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
            #expect(pipe.waiting == 0)
            #expect(try read() == Array(bytes[start..<start + 50_000]))
        }
        #expect(pipe.appended == bytes.count)
        pipe.close()
        #expect(try reading.fileDescriptor.readBytes(atMost: 1) == [])
    }

    @Test("A reader that stalls holds nobody up, and gets all bytes in their order later")
    func stalls() throws {
        for start in stride(from: 0, to: bytes.count, by: 250_000) { try append(bytes[start..<start + 250_000]) }
        #expect(pipe.appended == bytes.count)
        #expect(pipe.waiting >= bytes.count - (1 << 20))
        var received: [UInt8] = []
        while received.count < bytes.count {
            received += try read()
            try pipe.flush()
        }
        #expect(received == bytes)
        #expect(pipe.waiting == 0)
    }

    @Test("Parts that come while bytes wait follow these")
    func order() throws {
        try append(bytes)
        var received = try read()
        try append(bytes.prefix(10))
        #expect(pipe.waiting == bytes.count - received.count + 10)
        while pipe.waiting > 0 {
            try pipe.flush()
            received += try read()
        }
        received += try read()
        #expect(received == bytes + bytes.prefix(10))
    }

    @Test("The memory of bytes that the reader has taken is released while others still wait")
    func released() throws {
        let piece = Self.pattern(4 << 20)
        for _ in 0..<4 { try append(piece) }
        // Other tests of the process have memory files as well.
        let length = pipe.waiting
        let held = try Self.memory(ofLength: length)
        #expect(held >= length)
        var count = 0
        while count < 12 << 20 {
            count += try read().count
            try pipe.flush()
        }
        #expect(pipe.waiting > 0)
        #expect(try Self.memory(ofLength: length) <= held - (8 << 20))
    }

    /// Returns the memory of the largest memory file of a length, in bytes.
    private static func memory(ofLength length: Int) throws -> Int {
        let folder = "/proc/self/fd"
        let blocks = try Folder.names(in: folder).compactMap { name -> Int? in
            let path = "\(folder)/\(name)"
            var target = [CChar](repeating: 0, count: 64)
            guard unsafe readlink(path, &target, target.count - 1) > 0,
                String(decoding: target.map { UInt8(bitPattern: $0) }, as: UTF8.self).hasPrefix("/memfd:pasteboard")
            else { return nil }
            var status = stat()
            guard unsafe stat(path, &status) == 0, Int(status.st_size) == length else { return nil }
            return Int(status.st_blocks) * 512
        }
        return blocks.max() ?? 0
    }

    @Test("A reader that closes its end is an error, and no signal", arguments: [false, true])
    func closed(isStalled: Bool) throws {
        let pipe = try SpooledPipe()
        var reading = pipe.takeReadingEnd()
        #expect(reading != nil && pipe.takeReadingEnd() == nil)
        if isStalled { try unsafe bytes.withUnsafeBytes { try unsafe pipe.append($0.bytes) } }
        reading = nil
        #expect(throws: Errno.brokenPipe) {
            if isStalled { return try pipe.flush() }
            try unsafe bytes.withUnsafeBytes { try unsafe pipe.append($0.bytes) }
        }
    }

    @Test("An empty stream is an end at once, and a closed pipe takes nothing")
    func empty() throws {
        try append([])
        try pipe.flush()
        pipe.close()
        #expect(try reading.fileDescriptor.readBytes(atMost: 1) == [])
        #expect(pipe.appended == 0)
        #expect(throws: Errno.brokenPipe) { try append([1]) }
    }

    @Test("Bytes of another pipe arrive in order, with a reader that keeps up or stalls", arguments: [true, false])
    func fromPipe(keepsUp: Bool) throws {
        var source: (reading: Descriptor, writing: Descriptor?) = try Descriptor.pipe()
        #expect(try pipe.append(availableIn: source.reading.fileDescriptor, limit: 10) == nil)
        var received: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 60_000) {
            try source.writing?.fileDescriptor.writeBytes(Array(bytes[start..<start + 60_000]))
            var moved = 0
            while moved < 60_000 {
                let count = try #require(try pipe.append(availableIn: source.reading.fileDescriptor, limit: 50_000))
                #expect((1...50_000).contains(count))
                moved += count
            }
            if keepsUp { received += try read() }
        }
        source.writing = nil
        #expect(try pipe.append(availableIn: source.reading.fileDescriptor, limit: 10) == 0)
        #expect((pipe.waiting > 0) != keepsUp)
        while received.count < bytes.count {
            received += try read()
            try pipe.flush()
        }
        #expect(received == bytes)
        #expect(pipe.appended == bytes.count)
    }
}
