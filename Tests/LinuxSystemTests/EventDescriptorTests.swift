import LinuxSystem
import Testing

struct EventDescriptorTests {
    @Test("It is readable from the first signal until it is drained")
    func signals() throws {
        let event = try EventDescriptor()
        #expect(try !waitReadable(event.fileDescriptor, until: .now))
        event.signal()
        event.signal()
        #expect(try waitReadable(event.fileDescriptor, until: .now))
        event.drain()
        #expect(try !waitReadable(event.fileDescriptor, until: .now))
    }

    @Test("Draining without a signal returns at once")
    func drainsNothing() throws {
        let event = try EventDescriptor()
        event.drain()
        #expect(try !waitReadable(event.fileDescriptor, until: .now))
    }
}
