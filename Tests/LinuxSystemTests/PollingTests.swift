import Glibc
import LinuxSystem
import Synchronization
import SystemPackage
import Testing

struct PollSetTests {
    @Test("The ready descriptors and their events are reported")
    func readiness() throws {
        let pipe = try Pipe()
        let (near, far) = try UnixSocket.pair()
        try pipe.writing.fileDescriptor.writeAll([1])
        var set = PollSet()
        set.append(near.fileDescriptor, .input)
        set.append(near.fileDescriptor, [.input, .output])
        set.append(pipe.reading.fileDescriptor, .input)
        set.append(pipe.reading.fileDescriptor, [])
        set.append(FileDescriptor(rawValue: 1_000_000), .input)
        #expect(try set.wait(until: nil) == 3)
        #expect((0..<5).map { set.result(at: $0) } == [[], .output, .input, [], .invalid])
        withExtendedLifetime(far) {}
    }

    @Test("A past deadline returns at once, and a future one is kept")
    func deadline() throws {
        var set = PollSet()
        #expect(try set.wait(until: .now - .seconds(1)) == 0)
        let deadline = ContinuousClock.now + .milliseconds(3)
        #expect(try set.wait(until: deadline) == 0)
        #expect(ContinuousClock.now >= deadline)
    }

    @Test(
        "A timeout is rounded up to the next millisecond",
        arguments: [
            (Duration.zero, 0), (.seconds(-1), 0), (.nanoseconds(1), 1), (.milliseconds(1), 1),
            (.nanoseconds(1_000_001), 2), (.seconds(3), 3000), (.seconds(1 << 40), .max),
            (.seconds(Int64.max / 2), .max),
        ] as [(Duration, Int32)])
    func rounds(left: Duration, milliseconds: Int32) {
        let now = ContinuousClock.Instant.now
        #expect(PollSet.milliseconds(from: now, to: now + left) == milliseconds)
    }

    @Test("A handled signal does not end the wait")
    func signals() throws {
        _ = signal(SIGUSR1) { _ in }
        let pipe = try Pipe()
        let result = Mutex<Bool?>(nil)
        let isDone = Mutex(false)
        let number = Mutex<pthread_t?>(nil)
        let thread = try WorkerThread.start(name: "waiting") {
            number.withLock { $0 = pthread_self() }
            let isReadable = try? waitReadable(pipe.reading.fileDescriptor, until: nil)
            result.withLock { $0 = isReadable }
            // The thread must exist until the last signal has been sent.
            isDone.withLock { _ in }
        }
        isDone.withLock { _ in
            var sent = 0
            while sent < 2_000 {
                if let number = number.withLock({ $0 }) {
                    pthread_kill(number, SIGUSR1)
                    sent += 1
                }
                sched_yield()
            }
            _ = try? pipe.writing.fileDescriptor.writeAll([1])
        }
        thread.join()
        #expect(result.withLock { $0 } == true)
    }
}

struct WaitingTests {
    @Test("Waiting for a closed descriptor throws an error instead of blocking forever")
    func closed() {
        #expect(throws: Errno.badFileDescriptor) {
            try waitReadable(FileDescriptor(rawValue: 1_000_000), until: nil)
        }
    }

    @Test("A full socket is not writable")
    func writable() throws {
        let (near, far) = try UnixSocket.pair()
        #expect(try waitWritable(near.fileDescriptor, until: nil))
        let bytes = pattern(100_000)[...]
        while try UnixSocket.send(bytes, to: near.fileDescriptor, waits: false) > 0 {}
        #expect(try !waitWritable(near.fileDescriptor, until: .now))
        withExtendedLifetime(far) {}
    }
}

struct EventDescriptorTests {
    @Test("The descriptor is readable from the first signal until it is drained")
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
