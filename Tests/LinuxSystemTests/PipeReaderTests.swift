import Foundation
import LinuxSystem
import SystemPackage
import Testing

struct PipeReaderTests {
    private let bytes = (0..<60_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 12) }

    /// Returns a reader of a pipe that contains the bytes, and ends after them.
    private func reader() throws -> PipeReader {
        let (reading, writing) = try Descriptor.pipe()
        try writing.fileDescriptor.writeBytes(bytes)
        return PipeReader(reading)
    }

    private func moveAll(to destination: FileDescriptor) throws {
        var reader = try reader()
        var moved = 0
        while case let count = try reader.move(to: destination), count > 0 { moved += count }
        #expect(moved == bytes.count)
        #expect(try reader.move(to: destination) == 0)
    }

    @Test("All bytes go to a file, also to one that is opened for appending", arguments: [false, true])
    func file(appends: Bool) throws {
        let path = "/tmp/xpb-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = try FileDescriptor.open(
            FilePath(path), .writeOnly, options: appends ? [.create, .append] : [.create],
            permissions: .ownerReadWrite)
        defer { try? file.close() }
        try moveAll(to: file)
        #expect(try Array(Data(contentsOf: URL(filePath: path))) == bytes)
    }

    @Test("All bytes go to a pipe or a socket", arguments: [false, true])
    func pipe(isSocket: Bool) throws {
        let (reading, writing) = isSocket ? try UnixSocket.pair() : try Descriptor.pipe()
        try moveAll(to: writing.fileDescriptor)
        var received: [UInt8] = []
        while received.count < bytes.count { received += try reading.fileDescriptor.readBytes(atMost: bytes.count) }
        #expect(received == bytes)
    }

    @Test("A destination that cannot be written is an error")
    func unwritable() throws {
        var reader = try reader()
        let null = try Descriptor.open(toRead: Array("/dev/null".utf8))
        #expect(throws: Errno.badFileDescriptor) { try reader.move(to: null.fileDescriptor) }
    }
}
