import Glibc
import LinuxSystem
import SystemPackage
import Testing

struct DescriptorTests {
    @Test("A descriptor is closed when its last reference is released")
    func closes() throws {
        let reading: Descriptor
        do {
            let pipe = try Pipe()
            reading = pipe.reading
        }
        #expect(try readAll(reading.fileDescriptor) == [])
    }

    @Test("A duplicate refers to the same open file and is close-on-exec")
    func duplicates() throws {
        let pipe = try Pipe()
        let duplicate = try pipe.writing.duplicate()
        #expect(duplicate.fileDescriptor != pipe.writing.fileDescriptor)
        #expect(fcntl(duplicate.fileDescriptor.rawValue, F_GETFD) == FD_CLOEXEC)
        try duplicate.fileDescriptor.writeAll([7])
        #expect(try waitReadable(pipe.reading.fileDescriptor, until: .now))
    }

    @Test("Duplicating a closed descriptor throws an error")
    func refuses() {
        let closed = Descriptor(adopting: FileDescriptor(rawValue: .max))
        #expect(throws: Errno.badFileDescriptor) { try closed.duplicate() }
    }
}

struct FileDescriptorBytesTests {
    @Test("Available bytes are returned, and no bytes at the end")
    func reading() throws {
        let pipe = try FileDescriptor.pipe(options: .closeOnExec)
        let reading = Descriptor(adopting: pipe.readEnd)
        try pipe.writeEnd.closeAfter { try pipe.writeEnd.writeBytes(Array("three".utf8)) }
        #expect(try reading.fileDescriptor.readBytes(atMost: 3) == Array("thr".utf8))
        #expect(try reading.fileDescriptor.readBytes(atMost: 30) == Array("ee".utf8))
        #expect(try reading.fileDescriptor.readBytes(atMost: 3).isEmpty)
    }

    @Test("Reading to the end stops at the limit, and otherwise returns all bytes")
    func readingToTheEnd() throws {
        let bytes = pattern(200_000)
        let file = try MemoryFile.containing(bytes)
        _ = try file.descriptor.fileDescriptor.seek(offset: 0, from: .start)
        #expect(try file.descriptor.fileDescriptor.readToEnd(atMost: 70_000) == Array(bytes[..<70_000]))
        #expect(try file.descriptor.fileDescriptor.readToEnd(expecting: 10) == Array(bytes[70_000...]))
        #expect(try file.descriptor.fileDescriptor.readToEnd() == [])
    }

    @Test("Writing to a non-blocking descriptor waits for room")
    func writing() throws {
        let pipe = try FileDescriptor.pipe(options: [.closeOnExec, .nonBlocking])
        let reading = Descriptor(adopting: pipe.readEnd)
        let writing = Descriptor(adopting: pipe.writeEnd)
        // This exceeds the capacity of a pipe.
        let bytes = [UInt8](repeating: 7, count: 1 << 20)
        let reader = try WorkerThread.start(name: "reader") {
            var count = 0
            while count < 1 << 20, (try? waitReadable(reading.fileDescriptor, until: nil)) == true {
                count += (try? reading.fileDescriptor.readBytes(atMost: 1 << 16))?.count ?? 0
            }
        }
        try writing.fileDescriptor.writeBytes(bytes)
        reader.join()
    }

    @Test("An error of the device is thrown")
    func full() throws {
        let full = try opened("/dev/full", .writeOnly)
        #expect(throws: Errno.noSpace) { try full.fileDescriptor.writeBytes([1]) }
    }
}
