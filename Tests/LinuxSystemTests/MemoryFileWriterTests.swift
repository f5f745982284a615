import Glibc
import LinuxSystem
import SystemPackage
import Testing

struct MemoryFileWriterTests {
    @Test("Pieces follow each other, arrays and spans")
    func appends() throws {
        let writer = try MemoryFileWriter()
        try writer.append([1, 2, 3])
        let piece: [UInt8] = [4, 5]
        try writer.append(unsafe piece.span.bytes)
        try writer.append([])
        #expect(writer.length == 5)
        let file = try writer.seal()
        #expect(try file.bytes(in: 0..<5) == [1, 2, 3, 4, 5])
    }

    @Test("Nothing can be appended once it is sealed")
    func ends() throws {
        let writer = try MemoryFileWriter()
        _ = try writer.seal()
        #expect(throws: Errno.notPermitted) { try writer.append([1]) }
    }

    @Test("A file is taken from where it stands to its end")
    func takesFile() throws {
        let folder = try TemporaryFolder()
        let source = try folder.make("source", pattern(200_000))
        try source.fileDescriptor.seek(offset: 5, from: .start)
        #expect(try readAll(source.fileDescriptor) == Array(pattern(200_000)[5...]))
    }

    @Test("A file of the kernel, which says that it is empty, is taken")
    func takesKernelFile() throws {
        let source = try opened("/proc/self/cmdline", .readOnly)
        #expect(try !readAll(source.fileDescriptor).isEmpty)
    }

    @Test("More than a pipe holds is taken, whether or not the pipe waits", arguments: [false, true])
    func takesPipe(nonBlocking: Bool) throws {
        let bytes = try bytesSent {
            let pipe = try Pipe()
            if nonBlocking { try #require(fcntl(pipe.reading.fileDescriptor.rawValue, F_SETFL, O_NONBLOCK) == 0) }
            return (pipe.reading, pipe.writing)
        }
        #expect(bytes == pattern(1_000_000))
    }

    @Test("More than a socket holds is taken")
    func takesSocket() throws {
        #expect(try bytesSent { try UnixSocket.pair() } == pattern(1_000_000))
    }

    /// What comes out of one end while a thread fills the other and closes it.
    private func bytesSent(
        through makeEnds: () throws -> (reading: Descriptor, writing: Descriptor)
    ) throws -> [UInt8] {
        let reading: Descriptor
        let thread: WorkerThread
        do {
            let ends = try makeEnds()
            reading = ends.reading
            let writing = ends.writing
            thread = try WorkerThread.start(name: "writer") {
                _ = try? writing.fileDescriptor.writeAll(pattern(1_000_000))
            }
        }
        defer { thread.join() }
        return try readAll(reading.fileDescriptor)
    }

    @Test("Of an endless source one byte more than allowed is taken", arguments: [0, 1, 70_000])
    func stopsAtLimit(limit: Int) throws {
        let source = try opened("/dev/zero", .readOnly)
        let writer = try MemoryFileWriter()
        #expect(try writer.append(from: source.fileDescriptor, limit: limit) == limit + 1)
        #expect(writer.length == limit + 1)
    }

    @Test("A folder cannot be taken, and the error says so")
    func refusesFolder() throws {
        let source = try opened("/", .readOnly)
        let writer = try MemoryFileWriter()
        #expect(throws: Errno.isDirectory) { try writer.append(from: source.fileDescriptor, limit: 10) }
    }

    /// In a process of its own, as the limit is one of the process.
    @Test("What could not be written whole has left nothing behind: what is appended next takes its place")
    func failsMidway() async {
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            for way in Way.allCases {
                let (first, second) = (try way.appending(pattern(10_000)), try way.appending(pattern(20_000)))
                let writer = try MemoryFileWriter()
                try writer.append([1, 2, 3])
                try limitFiles(to: 5_000)
                guard (try? first(writer)) == nil else { exit(2) }
                // Of a source the writer has what there was room for.
                guard way.isWhole ? writer.length == 3 : writer.length <= 5_000 else { exit(3) }
                try limitFiles(to: .max)
                let kept = [1, 2, 3] + pattern(10_000).prefix(writer.length - 3)
                try second(writer)
                let file = try writer.seal()
                guard try file.bytes(in: 0..<file.length) == kept + pattern(20_000) else { exit(4) }
            }
        }
    }

    @Test("A file that is sealed after a failure is as long as it says to whoever is passed it")
    func sealedAfterFailure() async {
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            let writer = try MemoryFileWriter()
            try limitFiles(to: 5_000)
            guard (try? writer.append(pattern(10_000))) == nil else { exit(2) }
            let file = try writer.seal()
            guard file.length == 0, try MemoryFile(adopting: file.descriptor).length == 0 else { exit(3) }
        }
    }
}

/// How bytes come to a writer.
private enum Way: CaseIterable {
    case bytes, memoryFile, file, pipe, socket

    /// Whether all come or none.
    var isWhole: Bool { [.bytes, .memoryFile].contains(self) }

    /// What appends these bytes, once.
    func appending(_ bytes: [UInt8]) throws -> (MemoryFileWriter) throws -> Void {
        let source: Descriptor
        switch self {
        case .bytes: return { try $0.append(bytes) }
        case .memoryFile:
            let file = try MemoryFile.containing(bytes)
            return { try $0.append(file) }
        case .file: source = try TemporaryFolder().make("source", bytes)
        case .pipe:
            let pipe = try Pipe()
            try pipe.writing.fileDescriptor.writeAll(bytes)
            source = pipe.reading
        case .socket:
            let (near, far) = try UnixSocket.pair()
            try near.fileDescriptor.writeAll(bytes)
            source = far
        }
        return { _ = try $0.append(from: source.fileDescriptor, limit: .max) }
    }
}

/// Of this process.
private func limitFiles(to length: UInt) throws {
    var limit = rlimit(rlim_cur: length, rlim_max: .max)
    guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else {
        throw Errno(rawValue: errno)
    }
}
