import Glibc
import LinuxSystem
import SystemPackage
import Testing

struct MemoryFileWriterTests {
    @Test("The bytes that a blocking pipe contains are appended without waiting for more")
    func available() throws {
        let writer = try MemoryFileWriter()
        var pipe = try Pipe() as Pipe?
        let reading = try #require(pipe?.reading)
        #expect(try writer.append(availableIn: reading.fileDescriptor, limit: 10) == nil)
        try pipe?.writing.fileDescriptor.writeAll([1, 2, 3, 4])
        #expect(try writer.append(availableIn: reading.fileDescriptor, limit: 3) == 3)
        #expect(try writer.append(availableIn: reading.fileDescriptor, limit: 3) == 1)
        #expect(try writer.append(availableIn: reading.fileDescriptor, limit: 3) == nil)
        pipe = nil
        try awaitHangup(reading.fileDescriptor)
        #expect(try writer.append(availableIn: reading.fileDescriptor, limit: 3) == 0)
        #expect(try writer.seal().bytes(in: 0..<4) == [1, 2, 3, 4])
    }

    @Test("Arrays and spans are appended in order")
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

    @Test("Nothing can be appended to a sealed file")
    func ends() throws {
        let writer = try MemoryFileWriter()
        _ = try writer.seal()
        #expect(throws: Errno.notPermitted) { try writer.append([1]) }
    }

    @Test("A file is read from its current position to its end")
    func takesFile() throws {
        let folder = try TemporaryFolder()
        let source = try folder.make("source", pattern(200_000))
        try source.fileDescriptor.seek(offset: 5, from: .start)
        #expect(try readAll(source.fileDescriptor) == Array(pattern(200_000)[5...]))
    }

    @Test("A file in /proc, whose length is reported as zero, is read completely")
    func takesKernelFile() throws {
        let source = try opened("/proc/version", .readOnly)
        #expect(try !readAll(source.fileDescriptor).isEmpty)
    }

    @Test("More bytes than a pipe holds are read, whether the pipe is blocking or not", arguments: [false, true])
    func takesPipe(nonBlocking: Bool) throws {
        let bytes = try bytesSent {
            let pipe = try Pipe()
            if nonBlocking { try #require(fcntl(pipe.reading.fileDescriptor.rawValue, F_SETFL, O_NONBLOCK) == 0) }
            return (pipe.reading, pipe.writing)
        }
        #expect(bytes == pattern(1_000_000))
    }

    @Test("More bytes than a socket holds are read")
    func takesSocket() throws {
        #expect(try bytesSent { try UnixSocket.pair() } == pattern(1_000_000))
    }

    /// Returns the bytes read from one end while a thread writes to the other and closes it.
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

    @Test("An endless source is read up to one byte more than the limit", arguments: [0, 1, 70_000])
    func stopsAtLimit(limit: Int) throws {
        let source = try opened("/dev/zero", .readOnly)
        let writer = try MemoryFileWriter()
        #expect(try writer.append(from: source.fileDescriptor, limit: limit) == limit + 1)
        #expect(writer.length == limit + 1)
    }

    @Test("Reading from a folder throws an error")
    func refusesFolder() throws {
        let source = try opened("/", .readOnly)
        let writer = try MemoryFileWriter()
        #expect(throws: Errno.isDirectory) { try writer.append(from: source.fileDescriptor, limit: 10) }
    }

    /// This runs in a separate process, because the limit applies to the whole process.
    @Test("A write that fails midway leaves no bytes, and the next write takes their place")
    func failsMidway() async {
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            for way in Way.allCases {
                let (first, second) = (try way.appending(pattern(10_000)), try way.appending(pattern(20_000)))
                let writer = try MemoryFileWriter()
                try writer.append([1, 2, 3])
                try limitFiles(to: 5_000)
                guard (try? first(writer)) == nil else { exit(2) }
                // From a source, the writer keeps the bytes that fit.
                guard way.isWhole ? writer.length == 3 : writer.length <= 5_000 else { exit(3) }
                try limitFiles(to: .max)
                let kept = [1, 2, 3] + pattern(10_000).prefix(writer.length - 3)
                try second(writer)
                let file = try writer.seal()
                guard try file.bytes(in: 0..<file.length) == kept + pattern(20_000) else { exit(4) }
            }
        }
    }

    @Test("A file sealed after a failed write has the length that its receiver sees")
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

/// The ways in which bytes reach a writer.
private enum Way: CaseIterable {
    case bytes, memoryFile, file, pipe, socket

    /// True if either all bytes are appended or none.
    var isWhole: Bool { [.bytes, .memoryFile].contains(self) }

    /// Returns a function that appends these bytes once.
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

/// Limits the size of files written by this process.
private func limitFiles(to length: UInt) throws {
    var limit = rlimit(rlim_cur: length, rlim_max: .max)
    guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else {
        throw Errno(rawValue: errno)
    }
}
