import LinuxSystem
import SystemPackage
import Testing

struct FileDescriptorBytesTests {
    @Test("Bytes are read as they come, and none at the end")
    func reading() throws {
        let pipe = try FileDescriptor.pipe(options: .closeOnExec)
        let reading = Descriptor(adopting: pipe.readEnd)
        try pipe.writeEnd.closeAfter { try pipe.writeEnd.writeBytes(Array("three".utf8)) }
        #expect(try reading.fileDescriptor.readBytes(atMost: 3) == Array("thr".utf8))
        #expect(try reading.fileDescriptor.readBytes(atMost: 30) == Array("ee".utf8))
        #expect(try reading.fileDescriptor.readBytes(atMost: 3).isEmpty)
    }

    @Test("A descriptor that does not block is waited for")
    func writing() throws {
        let pipe = try FileDescriptor.pipe(options: [.closeOnExec, .nonBlocking])
        let reading = Descriptor(adopting: pipe.readEnd)
        let writing = Descriptor(adopting: pipe.writeEnd)
        // More than a pipe holds.
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

    @Test("An error of the device is passed on")
    func full() throws {
        let full = try opened("/dev/full", .writeOnly)
        #expect(throws: Errno.noSpace) { try full.fileDescriptor.writeBytes([1]) }
    }
}
