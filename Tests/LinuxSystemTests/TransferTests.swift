import Glibc
import LinuxSystem
import Synchronization
import SystemPackage
import Testing

struct TransferTests {
    @Test("A range goes to a file, from where that stands, opened for appending or not", arguments: [false, true])
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

    @Test("A range of a file of a disk goes to another one, opened for appending or not", arguments: [false, true])
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

    @Test("A file of a disk that became shorter is an error, and what it has is written")
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

    @Test("More than a pipe holds goes through it, whether or not it waits", arguments: [false, true])
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

    /// The only one to hold the descriptor.
    private func copy(_ file: MemoryFile, _ destination: consuming Descriptor) throws {
        try Transfer.copy(from: file, range: 0..<file.length, to: destination.fileDescriptor)
    }

    @Test("A full disk is an error")
    func full() throws {
        let file = try MemoryFile.containing(pattern(10))
        let full = try opened("/dev/full", .writeOnly)
        #expect(throws: Errno.noSpace) { try Transfer.copy(from: file, range: 0..<10, to: full.fileDescriptor) }
    }

    @Test("A reader that is gone is an error")
    func closedPipe() throws {
        Signal.ignore(.brokenPipe)
        let file = try MemoryFile.containing(pattern(10))
        let writing: Descriptor
        do { writing = try Pipe().writing }
        #expect(throws: Errno.brokenPipe) { try Transfer.copy(from: file, range: 0..<10, to: writing.fileDescriptor) }
    }

    @Test("A range that is not of the file is refused, and nothing is written")
    func refuses() throws {
        let folder = try TemporaryFolder()
        let file = try MemoryFile.containing(pattern(10))
        let destination = try folder.make("out")
        #expect(throws: Errno.invalidArgument) {
            try Transfer.copy(from: file, range: 5..<11, to: destination.fileDescriptor)
        }
        #expect(try readAll(destination.fileDescriptor) == [])
    }

    @Test("Nothing is written for an empty range, to a full disk neither")
    func empty() throws {
        let file = try MemoryFile.containing([])
        let full = try opened("/dev/full", .writeOnly)
        try Transfer.copy(from: file, range: 0..<0, to: full.fileDescriptor)
    }
}
