import CLinux
import Glibc
import LinuxSystem
import Synchronization
import SystemPackage
import Testing

struct MemoryFileTests {
    @Test("What is put in is what comes out, in any range", arguments: [0, 1, 4_096, 100_001])
    func keeps(count: Int) throws {
        let bytes = pattern(count)
        let file = try MemoryFile.containing(bytes)
        #expect(file.length == count)
        for range in [0..<count, 0..<count / 2, count / 3..<count, count..<count] {
            #expect(try file.bytes(in: range) == Array(bytes[range]))
            #expect(try file.withBytes(in: range) { Array(copying: $0) } == Array(bytes[range]))
        }
    }

    @Test("A range that is not of the file is refused", arguments: [-1..<2, 3..<5, 5..<5])
    func refusesRange(range: Range<Int>) throws {
        let file = try MemoryFile.containing(pattern(4))
        #expect(throws: Errno.invalidArgument) { try file.bytes(in: range) }
        #expect(throws: Errno.invalidArgument) { try file.withBytes(in: range) { _ in } }
    }

    @Test("Reading leaves the offset alone that the descriptor shares with others")
    func keepsOffset() throws {
        let file = try MemoryFile.containing(pattern(10))
        let before = try file.descriptor.fileDescriptor.seek(offset: 0, from: .current)
        _ = try file.bytes(in: 2..<5)
        #expect(try file.descriptor.fileDescriptor.seek(offset: 0, from: .current) == before)
    }

    @Test("Nobody can change it any more")
    func isSealed() throws {
        let sealed = try MemoryFile.containing(pattern(4))
        let file = sealed.descriptor.fileDescriptor
        #expect(throws: Errno.notPermitted) { try file.writeAll(toAbsoluteOffset: 0, [0]) }
        #expect(throws: Errno.notPermitted) { try file.writeAll(toAbsoluteOffset: 4, [0]) }
        #expect(throws: Errno.notPermitted) { try file.resize(to: 0) }
        #expect(fcntl(file.rawValue, F_ADD_SEALS, F_SEAL_SEAL) == -1)
        #expect(try sealed.bytes(in: 0..<4) == pattern(4))
    }

    @Test("Two threads may read it for the first time at once")
    func isShared() throws {
        let bytes = pattern(300_000)
        let file = try MemoryFile.containing(bytes)
        let results = Mutex<[[UInt8]]>([])
        let threads = try (0..<4).map { _ in
            try WorkerThread.start(name: "reader") {
                let copy = try? file.withBytes(in: 0..<file.length) { Array(copying: $0) }
                results.withLock { $0.append(copy ?? []) }
            }
        }
        for thread in threads { thread.join() }
        #expect(results.withLock { $0 } == Array(repeating: bytes, count: 4))
    }

    @Test("A sealed memory file that came from elsewhere is taken")
    func adopts() throws {
        let sent = try MemoryFile.containing(pattern(5_000)).descriptor.duplicate()
        let file = try MemoryFile(adopting: sent)
        #expect(file.length == 5_000)
        #expect(try file.bytes(in: 0..<5_000) == pattern(5_000))
    }

    @Test("A file on a disk, a pipe and a socket are no memory files")
    func refusesOthers() throws {
        let folder = try TemporaryFolder()
        for other in [try folder.make("file"), try Pipe().reading, try UnixSocket.pair().0] {
            #expect(throws: MemoryFileError.self) { try MemoryFile(adopting: other) }
        }
    }

    @Test("A memory file that lacks one of the seals is refused", arguments: [0x1, 0x2, 0x4, 0x8] as [Int32])
    func refusesUnsealed(missing: Int32) throws {
        let number = try #require(try? unsealedMemoryFile())
        let descriptor = Descriptor(adopting: FileDescriptor(rawValue: number))
        try #require(fcntl(number, F_ADD_SEALS, 0xF & ~missing) == 0)
        #expect(throws: MemoryFileError.notSealed) { try MemoryFile(adopting: descriptor) }
    }

    @Test("A sealed memory file that was opened to be written only is refused")
    func refusesWriteOnly() throws {
        let number = try #require(try? unsealedMemoryFile())
        let file = Descriptor(adopting: FileDescriptor(rawValue: number))
        let path = FilePath("/proc/self/fd/\(number)")
        let writing = Descriptor(adopting: try FileDescriptor.open(path, .writeOnly, options: .closeOnExec))
        try #require(fcntl(number, F_ADD_SEALS, 0xF) == 0)
        #expect(throws: MemoryFileError.notReadable) { try MemoryFile(adopting: writing) }
        _ = try MemoryFile(adopting: file)
    }

    @Test("A regular file that is trusted is read like a sealed one, and copied into one")
    func trusted() throws {
        let path = "/tmp/xpb-trusted-\(UInt64.random(in: 0 ... .max))"
        let writer = try FileDescriptor.open(
            FilePath(path), .writeOnly, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite)
        defer { _ = unsafe unlink(path) }
        try writer.writeBytes(Array("trusted".utf8))
        try writer.close()
        let file = try MemoryFile(trusting: Descriptor(adopting: try FileDescriptor.open(FilePath(path), .readOnly)))
        #expect(file.length == 7)
        #expect(try file.bytes(in: 1..<4) == Array("rus".utf8))
        #expect(try file.withBytes(in: 0..<7) { Array(copying: $0) } == Array("trusted".utf8))
        #expect(throws: MemoryFileError.notAMemoryFile) { try MemoryFile(adopting: file.descriptor) }
        let copy = try file.sealedCopy()
        #expect(try copy.bytes(in: 0..<7) == Array("trusted".utf8))
        _ = try MemoryFile(adopting: try copy.descriptor.duplicate())
    }

    @Test("What is no regular file is not trusted")
    func trustedFolder() throws {
        let folder = Descriptor(adopting: try FileDescriptor.open(FilePath("/tmp"), .readOnly))
        #expect(throws: Errno.invalidArgument) { try MemoryFile(trusting: folder) }
    }

    private func unsealedMemoryFile() throws -> Int32 {
        let number = unsafe memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING)
        if number < 0 { throw Errno(rawValue: errno) }
        return number
    }
}

extension Array where Element == UInt8 {
    init(copying span: RawSpan) {
        self = span.byteOffsets.map { unsafe span.unsafeLoadUnaligned(fromUncheckedByteOffset: $0, as: UInt8.self) }
    }
}
