import EventLoop
import LinuxSystem
import Testing
import WaylandBridge

@Suite(.timeLimit(.minutes(10))) struct PipeDrainsTests {
    @Test("A pipe is closed after the limit of bytes")
    func endless() throws {
        let fixture = LoopFixture()
        let drains = PipeDrains(loop: fixture.loop, maxBytes: 100_000)
        let pipe = try Descriptor.pipe()
        drains.add(pipe.reading)
        for _ in 0..<3 {
            #expect(drains.count == 1)
            try pipe.writing.fileDescriptor.writeBytes(pattern(40_000))
            try fixture.run {
                drains.count == 0 || (try? waitReadable(pipe.reading.fileDescriptor, until: .now)) == false
            }
        }
        #expect(drains.count == 0)
    }
}
