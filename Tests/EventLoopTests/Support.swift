import LinuxSystem
import SystemPackage

struct Pipe {
    let reading: Descriptor
    let writing: Descriptor

    init() throws {
        let ends = try FileDescriptor.pipe(options: .closeOnExec)
        reading = Descriptor(adopting: ends.readEnd)
        writing = Descriptor(adopting: ends.writeEnd)
    }
}

/// Returns an event descriptor that is readable.
func signalled() throws -> EventDescriptor {
    let event = try EventDescriptor()
    event.signal()
    return event
}
