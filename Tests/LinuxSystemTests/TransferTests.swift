import Glibc
import LinuxSystem
import Synchronization
import SystemPackage
import Testing

struct TransferTests {
    @Test("A range is written to a file at its current position, with or without O_APPEND", arguments: [false, true])
    func toFile(appending: Bool) throws {
        let folder = try TemporaryFolder()
        let file = try MemoryFile.containing(pattern(100_000))
        let destination = try folder.make("out", [1, 2], options: appending ? [.append] : [])
        try destination.fileDescriptor.seek(offset: 0, from: .end)
        try Transfer.copy(from: file, range: 10..<90_000, to: destination.fileDescriptor)
        try Transfer.copy(from: file, range: 0..<1, to: destination.fileDescriptor)
        try destination.fileDescriptor.seek(offset: 0, from: .start)
        #expect(try readAll(destination.fileDescriptor) == [1, 2] + pattern(100_000)[10..<90_000] + pattern(1))
    }

    @Test("A range of a file on disk is written to another file, with or without O_APPEND", arguments: [false, true])
    func fromDisk(appending: Bool) throws {
        let folder = try TemporaryFolder()
        let file = try MemoryFile(.stored, onDisk: try folder.make("in", pattern(3 << 20)))
        let destination = try folder.make("out", [1, 2], options: appending ? [.append] : [])
        try destination.fileDescriptor.seek(offset: 0, from: .end)
        try Transfer.copy(from: file, range: 10..<2 << 20, to: destination.fileDescriptor)
        try Transfer.copy(from: file, range: 0..<1, to: destination.fileDescriptor)
        try destination.fileDescriptor.seek(offset: 0, from: .start)
        #expect(try readAll(destination.fileDescriptor) == [1, 2] + pattern(2 << 20)[10...] + pattern(1))
    }

    @Test("Copying from a file that has become shorter throws an error after writing the remaining bytes")
    func cut() throws {
        let folder = try TemporaryFolder()
        let source = try folder.make("in", pattern(1_000))
        let file = try MemoryFile(.borrowed, onDisk: source)
        try source.fileDescriptor.resize(to: 600)
        let destination = try folder.make("out")
        #expect(throws: Errno.ioError) {
            try Transfer.copy(from: file, range: 0..<1_000, to: destination.fileDescriptor)
        }
        try destination.fileDescriptor.seek(offset: 0, from: .start)
        #expect(try readAll(destination.fileDescriptor) == Array(pattern(1_000)[..<600]))
    }

    @Test("More bytes than a pipe holds are written, whether the pipe is blocking or not", arguments: [false, true])
    func toPipe(nonBlocking: Bool) throws {
        let file = try MemoryFile.containing(pattern(1_000_000))
        let pipe = try Pipe()
        if nonBlocking { try #require(fcntl(pipe.writing.fileDescriptor.rawValue, F_SETFL, O_NONBLOCK) == 0) }
        let reading = pipe.reading
        let result = Mutex<[UInt8]>([])
        let thread = try WorkerThread.start(name: "reader") {
            let bytes = try? readAll(reading.fileDescriptor)
            result.withLock { $0 = bytes ?? [] }
        }
        try copy(file, (consume pipe).writing)
        thread.join()
        #expect(result.withLock { $0 } == pattern(1_000_000))
    }

    /// Copies the whole file and releases the only reference to the destination.
    private func copy(_ file: MemoryFile, _ destination: consuming Descriptor) throws {
        try Transfer.copy(from: file, range: 0..<file.length, to: destination.fileDescriptor)
    }

    @Test("A full disk throws an error")
    func full() throws {
        let file = try MemoryFile.containing(pattern(10))
        let full = try opened("/dev/full", .writeOnly)
        #expect(throws: Errno.noSpace) { try Transfer.copy(from: file, range: 0..<10, to: full.fileDescriptor) }
    }

    /// This runs in a separate process, because the disposition of a signal belongs to the whole process, and to the
    /// programs that it starts.
    @Test("A closed reading end throws an error")
    func closedPipe() async {
        await #expect(processExitsWith: .success) {
            Signal.ignore(.brokenPipe)
            let file = try MemoryFile.containing(pattern(10))
            let writing: Descriptor
            do { writing = try Pipe().writing }
            #expect(throws: Errno.brokenPipe) {
                try Transfer.copy(from: file, range: 0..<10, to: writing.fileDescriptor)
            }
        }
    }

    @Test("A range beyond the file is refused, and nothing is written")
    func refuses() throws {
        let folder = try TemporaryFolder()
        let file = try MemoryFile.containing(pattern(10))
        let destination = try folder.make("out")
        #expect(throws: Errno.invalidArgument) {
            try Transfer.copy(from: file, range: 5..<11, to: destination.fileDescriptor)
        }
        #expect(try readAll(destination.fileDescriptor) == [])
    }

    @Test("A file that cannot share blocks with the destination is not cloned, and the destination is unchanged")
    func notCloned() throws {
        let folder = try TemporaryFolder()
        let file = try MemoryFile.containing(pattern(8_192))
        let destination = try folder.make("out")
        _ = try destination.fileDescriptor.writeAll([1, 2])
        #expect(try !Transfer.clone(0..<8_192, of: file.descriptor.fileDescriptor, to: destination.fileDescriptor))
        #expect(try destination.fileDescriptor.seek(offset: 0, from: .current) == 2)
        #expect(try destination.fileDescriptor.seek(offset: 0, from: .end) == 2)
    }

    @Test("An empty range writes nothing, not even to a full disk")
    func empty() throws {
        let file = try MemoryFile.containing([])
        let full = try opened("/dev/full", .writeOnly)
        try Transfer.copy(from: file, range: 0..<0, to: full.fileDescriptor)
    }
}
