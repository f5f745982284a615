import EventLoop
import LinuxSystem
import SystemPackage
import Testing
import WaylandBridge

/// Tests of contents from another program that go to a reader's socket while they arrive.
@Suite(.timeLimit(.minutes(10))) struct StreamingTests {
    /// The pipe, its reading end, and the outcome.
    private final class Reading {
        var pipe: SpooledSocket?
        var end: Descriptor?
        var parts = 0
        var outcome: Result<MemoryFile?, PipeFailure>?

        func read() throws -> [UInt8] {
            var read: [UInt8] = []
            guard let end else { return read }
            while try waitReadable(end.fileDescriptor, until: .now) {
                let more = try end.fileDescriptor.readBytes(atMost: 1 << 20)
                if more.isEmpty { break }
                read += more
            }
            return read
        }
    }

    private func receive(
        by fixture: WaylandFixture, idleTimeout: Duration = .seconds(60), limit: Int? = nil
    ) throws -> Reading {
        let offer = try #require(fixture.recorder.offer())
        let reading = Reading()
        fixture.executor.start { [display = fixture.display] in
            do throws(PipeFailure) {
                let file = try await display.receive(
                    offer, type: "text/plain", idleTimeout: idleTimeout, limit: limit
                ) { pipe in
                    if reading.pipe == nil { reading.end = pipe.takeReadingEnd() }
                    reading.pipe = pipe
                    reading.parts += 1
                }
                reading.outcome = .success(file)
            } catch {
                reading.outcome = .failure(error)
            }
        }
        return reading
    }

    @Test("Long contents arrive in parts, with a reader that keeps up or stalls", arguments: [true, false])
    func long(keepsUp: Bool) throws {
        let fixture = try WaylandFixture()
        let bytes = pattern(8 << 20)
        try fixture.copyElsewhere(bytes)
        let reading = try receive(by: fixture)
        var received: [UInt8] = []
        try fixture.run {
            if keepsUp { received += (try? reading.read()) ?? [] }
            return reading.outcome != nil
        }
        #expect(try reading.outcome?.get() == nil)
        #expect(reading.parts > 1)
        let pipe = try #require(reading.pipe)
        #expect(pipe.appended == bytes.count)
        if !keepsUp { #expect(pipe.waiting >= bytes.count - (1 << 20)) }
        while received.count < bytes.count {
            received += try reading.read()
            try pipe.flush()
        }
        #expect(received == bytes)
        #expect(fixture.display.transferCount == 0)
        #expect(fixture.executor.timers.earliest == nil)
    }

    @Test("Short contents arrive as a file", arguments: [0, 1, 60_000])
    func short(length: Int) throws {
        let fixture = try WaylandFixture()
        let bytes = pattern(length)
        try fixture.copyElsewhere { _, descriptor in try? descriptor.fileDescriptor.writeBytes(bytes) }
        let reading = try receive(by: fixture)
        try fixture.run { reading.outcome != nil }
        let file = try #require(try reading.outcome?.get())
        #expect(try file.bytes(in: 0..<length) == bytes)
        #expect(reading.pipe == nil)
    }

    @Test("The first bytes of a program that pauses reach the reader, and the timeout ends the stream after them")
    func pauses() throws {
        let fixture = try WaylandFixture()
        var pipes: [Descriptor] = []
        try fixture.copyElsewhere { _, descriptor in
            pipes.append(descriptor)
            try? descriptor.fileDescriptor.writeBytes([1, 2, 3])
        }
        let patient = try receive(by: fixture)
        try fixture.run { patient.pipe != nil }
        #expect(patient.outcome == nil)
        #expect(try patient.read() == [1, 2, 3])
        // The bytes arrive before any timer, and then the stream begins before the timeout.
        let held = fixture.display.bytesHeld
        let reading = try receive(by: fixture, idleTimeout: .seconds(1))
        try fixture.run(hasTimers: false) { fixture.display.bytesHeld == held + 3 }
        try fixture.run { reading.outcome != nil }
        #expect(throws: PipeFailure.stalled(received: 3)) { try reading.outcome?.get() }
        #expect(try reading.read() == [1, 2, 3])
        #expect(patient.outcome == nil)
    }

    @Test("A reader that closes the pipe cancels the transfer")
    func closed() throws {
        let fixture = try WaylandFixture()
        var pipes: [Descriptor] = []
        try fixture.copyElsewhere { _, descriptor in
            pipes.append(descriptor)
            try? descriptor.fileDescriptor.writeBytes([1])
        }
        let reading = try receive(by: fixture)
        try fixture.run { reading.pipe != nil }
        reading.end = nil
        try pipes.first?.fileDescriptor.writeBytes([2])
        try fixture.run { reading.outcome != nil }
        #expect(throws: PipeFailure.cancelled) { try reading.outcome?.get() }
    }

    @Test("Contents beyond the limit end the stream")
    func limit() throws {
        let fixture = try WaylandFixture()
        try fixture.copyElsewhere(pattern(2 << 20))
        let reading = try receive(by: fixture, limit: 1 << 20)
        try fixture.run {
            _ = try? reading.read()
            return reading.outcome != nil
        }
        #expect(throws: PipeFailure.tooLong) { try reading.outcome?.get() }
    }
}
