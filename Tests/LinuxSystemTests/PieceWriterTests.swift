import LinuxSystem
import SystemPackage
import Testing

struct PieceWriterTests {
    private static let pattern = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 12) }
    private let bytes = pattern

    /// Writes all bytes into a pipe or socket, and returns the bytes that are read from its other end.
    private func transfer(_ writer: inout PieceWriter, to reading: Descriptor) throws -> [UInt8] {
        var received: [UInt8] = []
        while !writer.rest.isEmpty {
            #expect(try writer.write() > 0)
            // The kernel has no room for more until something is read.
            while try writer.write() > 0 {}
            while try waitReadable(reading.fileDescriptor, until: .now) {
                received += try reading.fileDescriptor.readBytes(atMost: 1 << 20)
            }
        }
        return received
    }

    @Test("A range of a file is written to a blocking pipe or socket, without blocking", arguments: [true, false])
    func file(isSocket: Bool) throws {
        let (reading, writing) = isSocket ? try UnixSocket.pair() : try Descriptor.pipe()
        let range = 1..<199_999
        var writer = try PieceWriter(.file(try MemoryFile.containing(bytes)), range, to: writing)
        #expect(try transfer(&writer, to: reading) == Array(bytes[range]))
        #expect(try writer.write() == 0)
    }

    @Test("A secret is written to a pipe or socket that is almost full, in parts", arguments: [true, false])
    func secret(isSocket: Bool) throws {
        let (reading, writing) = isSocket ? try UnixSocket.pair() : try Descriptor.pipe()
        let secret = try unsafe bytes.prefix(50_000).withUnsafeBytes { try unsafe SecretMemory.copying($0.bytes) }
        try writing.fileDescriptor.writeBytes(bytes.suffix(40_000))
        var writer = try PieceWriter(.secret(secret), 0..<50_000, to: writing)
        #expect(try transfer(&writer, to: reading) == bytes.suffix(40_000) + bytes.prefix(50_000))
    }

    @Test("A destination without a reader causes an error, but no signal", arguments: [true, false])
    func broken(isSocket: Bool) throws {
        var ends: (reading: Descriptor?, writing: Descriptor)
        if isSocket { ends = try UnixSocket.pair() } else { ends = try Descriptor.pipe() }
        ends.reading = nil
        try awaitHangup(ends.writing.fileDescriptor)
        var writer = try PieceWriter(.file(try MemoryFile.containing(bytes)), 0..<bytes.count, to: ends.writing)
        #expect(throws: Errno.brokenPipe) { try writer.write() }
    }

    @Test("Other destinations, and ranges beyond the bytes, are refused")
    func refused() throws {
        let file = ImmutableBytes.file(try MemoryFile.containing([1, 2]))
        let (_, writing) = try Descriptor.pipe()
        #expect(throws: Errno.invalidArgument) { _ = try PieceWriter(file, 0..<3, to: writing) }
        let null = try Descriptor.open(toRead: Array("/dev/null".utf8))
        #expect(throws: Errno.invalidArgument) { _ = try PieceWriter(file, 0..<2, to: null) }
    }
}
