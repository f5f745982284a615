import Glibc
import LinuxSystem
import SystemPackage
import Testing

struct DescriptorTests {
    @Test("A descriptor is closed when nobody holds it any more")
    func closes() throws {
        let reading: Descriptor
        do {
            let pipe = try Pipe()
            reading = pipe.reading
        }
        #expect(try readAll(reading.fileDescriptor) == [])
    }

    @Test("A duplicate is another descriptor of the same file, and is not inherited by programs")
    func duplicates() throws {
        let pipe = try Pipe()
        let duplicate = try pipe.writing.duplicate()
        #expect(duplicate.fileDescriptor != pipe.writing.fileDescriptor)
        #expect(fcntl(duplicate.fileDescriptor.rawValue, F_GETFD) == FD_CLOEXEC)
        try duplicate.fileDescriptor.writeAll([7])
        #expect(try waitReadable(pipe.reading.fileDescriptor, until: .now))
    }

    @Test("A duplicate of a descriptor that is not open is refused")
    func refuses() {
        let closed = Descriptor(adopting: FileDescriptor(rawValue: 1_000_000))
        #expect(throws: Errno.badFileDescriptor) { try closed.duplicate() }
    }
}
