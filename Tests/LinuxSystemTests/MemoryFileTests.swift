import CLinux
import Glibc
import LinuxSystem
import Synchronization
import SystemPackage
import Testing

struct MemoryFileTests {
    @Test("Any range of the bytes can be read back", arguments: [0, 1, 4_096, 100_001])
    func keeps(count: Int) throws {
        let bytes = pattern(count)
        let file = try MemoryFile.containing(bytes)
        #expect(file.length == count)
        for range in [0..<count, 0..<count / 2, count / 3..<count, count..<count] {
            #expect(try file.bytes(in: range) == Array(bytes[range]))
            #expect(try file.withBytes(in: range) { Array(copying: $0) } == Array(bytes[range]))
        }
    }

    @Test("A range beyond the file is refused", arguments: [-1..<2, 3..<5, 5..<5])
    func refusesRange(range: Range<Int>) throws {
        let file = try MemoryFile.containing(pattern(4))
        #expect(throws: Errno.invalidArgument) { try file.bytes(in: range) }
        #expect(throws: Errno.invalidArgument) { try file.withBytes(in: range) { _ in } }
    }

    @Test("Reading does not move the offset that the descriptor shares with other descriptors")
    func keepsOffset() throws {
        let file = try MemoryFile.containing(pattern(10))
        let before = try file.descriptor.fileDescriptor.seek(offset: 0, from: .current)
        _ = try file.bytes(in: 2..<5)
        #expect(try file.descriptor.fileDescriptor.seek(offset: 0, from: .current) == before)
    }

    @Test("A sealed file cannot be changed")
    func isSealed() throws {
        let sealed = try MemoryFile.containing(pattern(4))
        let file = sealed.descriptor.fileDescriptor
        #expect(throws: Errno.notPermitted) { try file.writeAll(toAbsoluteOffset: 0, [0]) }
        #expect(throws: Errno.notPermitted) { try file.writeAll(toAbsoluteOffset: 4, [0]) }
        #expect(throws: Errno.notPermitted) { try file.resize(to: 0) }
        #expect(fcntl(file.rawValue, F_ADD_SEALS, F_SEAL_SEAL) == -1)
        #expect(try sealed.bytes(in: 0..<4) == pattern(4))
    }

    @Test("Several threads may read a file for the first time simultaneously")
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

    @Test("A sealed memory file from another process is adopted")
    func adopts() throws {
        let sent = try MemoryFile.containing(pattern(5_000)).descriptor.duplicate()
        let file = try MemoryFile(adopting: sent)
        #expect(file.length == 5_000)
        #expect(try file.bytes(in: 0..<5_000) == pattern(5_000))
    }

    @Test("A file on disk, a pipe and a socket are not memory files")
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

    @Test("A sealed memory file that was opened write-only is refused")
    func refusesWriteOnly() throws {
        let number = try #require(try? unsealedMemoryFile())
        let file = Descriptor(adopting: FileDescriptor(rawValue: number))
        let path = FilePath("/proc/self/fd/\(number)")
        let writing = Descriptor(adopting: try FileDescriptor.open(path, .writeOnly, options: .closeOnExec))
        try #require(fcntl(number, F_ADD_SEALS, 0xF) == 0)
        #expect(throws: MemoryFileError.notReadable) { try MemoryFile(adopting: writing) }
        _ = try MemoryFile(adopting: file)
    }

    @Test(
        "A file on disk is read like a sealed file, and can be copied into a sealed file",
        arguments: [MemoryFile.Kind.stored, .borrowed])
    func onDisk(kind: MemoryFile.Kind) throws {
        let folder = try TemporaryFolder()
        let file = try MemoryFile(kind, onDisk: try folder.make("file", Array("stored".utf8)))
        #expect(file.length == 6 && file.kind == kind)
        #expect(try file.bytes(in: 1..<4) == Array("tor".utf8))
        #expect(try file.withBytes(in: 0..<6) { Array(copying: $0) } == Array("stored".utf8))
        #expect(throws: MemoryFileError.notAMemoryFile) { try MemoryFile(adopting: file.descriptor) }
        let copy = try file.sealedCopy()
        #expect(try copy.bytes(in: 0..<6) == Array("stored".utf8))
        _ = try MemoryFile(adopting: try copy.descriptor.duplicate())
    }

    @Test("Only a readable regular file is accepted as a file on disk")
    func notOnDisk() throws {
        let folder = try TemporaryFolder()
        _ = try folder.make("file")
        let path = Descriptor(adopting: FileDescriptor(rawValue: unsafe open(folder.file("file"), LINUX_O_PATH)))
        for other in [try opened("/tmp", .readOnly), try opened(folder.file("file"), .writeOnly), path] {
            #expect(throws: Errno.invalidArgument) { try MemoryFile(.stored, onDisk: other) }
        }
    }

    @Test("Bytes cut off a file on disk are reported as an error, however the file is read")
    func cut() throws {
        let folder = try TemporaryFolder()
        let descriptor = try folder.make("file", pattern(3 << 20))
        let file = try MemoryFile(.borrowed, onDisk: descriptor)
        let whole = 0..<file.length
        // The first read makes sure that the later errors do not come from reads that never succeed.
        #expect(try file.withBytes(in: whole) { $0.byteCount } == whole.count)
        #expect(!file.isTruncated)
        try descriptor.fileDescriptor.resize(to: 2 << 20)
        #expect(file.isTruncated)
        #expect(throws: Errno.ioError) { try file.withBytes(in: whole) { _ in } }
        #expect(throws: Errno.ioError) { try file.forEachPiece(of: whole) { _ in true } }
        #expect(throws: Errno.ioError) { try file.data(in: whole) }
        #expect(throws: Errno.ioError) { try file.sealedCopy() }
    }

    @Test("The pieces cover a range in order, until the caller stops")
    func pieces() throws {
        let folder = try TemporaryFolder()
        let bytes = pattern(3 << 20)
        for file in [
            try MemoryFile(.stored, onDisk: try folder.make("file", bytes)), try MemoryFile.containing(bytes),
        ] {
            var seen: [UInt8] = []
            try file.forEachPiece(of: 5..<bytes.count - 7) { piece in
                seen += Array(copying: piece)
                return true
            }
            #expect(seen == Array(bytes[5..<bytes.count - 7]))
            var count = 0
            try file.forEachPiece(of: 0..<bytes.count) { _ in
                count += 1
                return false
            }
            #expect(count == 1)
        }
    }

    private func unsealedMemoryFile() throws -> Int32 {
        let number = unsafe memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING)
        if number < 0 { throw Errno(rawValue: errno) }
        return number
    }
}

extension Array where Element == UInt8 {
    init(copying span: RawSpan) {
        self = unsafe span.withUnsafeBytes { unsafe Array($0) }
    }
}

struct MemoryFileTextTests {
    @Test(
        "Text is valid UTF-8 without a NUL",
        arguments: [
            ([], true), (Array("Ünïcode\n".utf8), true), ([0x61, 0, 0x62], false), ([0xFF], false), ([0xC3], false),
            ([0xED, 0xA0, 0x80], false),
        ] as [([UInt8], Bool)])
    func text(bytes: [UInt8], isText: Bool) throws {
        let file = try MemoryFile.containing([0xFF] + bytes + [0xFF])
        #expect(try file.isUTF8Text(in: 1..<1 + bytes.count) == isText)
    }

    @Test("Long text in a file on disk is recognized wherever its pieces end", arguments: 0..<4)
    func pieces(offset: Int) throws {
        let folder = try TemporaryFolder()
        let text =
            Array(repeating: UInt8(ascii: "a"), count: offset) + Array(String(repeating: "😀", count: 300_000).utf8)
        for (change, isText) in [(nil, true), (text.count - 1, false), ((1 << 18) - 1, false), (1 << 18, false)] {
            var bytes = text
            if let change { bytes[change] = 0xFF }
            let file = try MemoryFile(.stored, onDisk: try folder.make("text", bytes))
            #expect(try file.isUTF8Text(in: 0..<bytes.count) == isText, "\(change ?? -1)")
        }
        let endless = Array(repeating: 0x80 as UInt8, count: 2 << 20)
        let file = try MemoryFile(.stored, onDisk: try folder.make("endless", endless))
        #expect(try !file.isUTF8Text(in: 0..<endless.count))
    }
}
