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
        set.append(FileDescriptor(rawValue: .max), .input)
        #expect(try set.wait(until: nil) == 3)
        #expect((0..<5).map { set.result(at: $0) } == [[], .output, .input, [], .invalid])
        withExtendedLifetime(far) {}
    }

    @Test("A past deadline ends the wait at once, and a future deadline is kept")
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

    /// The handler writes to this descriptor.
    private static let handled = Atomic<Int32>(-1)

    /// This runs in a separate process, because the handler belongs to the whole process.
    @Test("A handled signal does not end the wait")
    func signals() async {
        await #expect(processExitsWith: .success) {
            let (started, handled, pipe) = (try Pipe(), try Pipe(), try Pipe())
            Self.handled.store(handled.writing.fileDescriptor.rawValue, ordering: .sequentiallyConsistent)
            _ = signal(SIGUSR1) { _ in
                var byte: UInt8 = 0
                _ = unsafe write(PollSetTests.handled.load(ordering: .sequentiallyConsistent), &byte, 1)
            }
            let number = Mutex<pthread_t?>(nil)
            let result = Mutex<Bool?>(nil)
            let areSent = Latch()
            let thread = try WorkerThread.start(name: "waiting") {
                Self.unblock(SIGUSR1)
                number.withLock { $0 = pthread_self() }
                _ = try? started.writing.fileDescriptor.writeAll([0])
                let isReadable = try? waitReadable(pipe.reading.fileDescriptor, until: nil)
                result.withLock { $0 = isReadable }
                // The thread must exist until the last signal has been sent.
                areSent.wait()
            }
            _ = try started.reading.fileDescriptor.readBytes(atMost: 1)
            let waiting = try #require(number.withLock { $0 })
            for _ in 0..<2_000 {
                pthread_kill(waiting, SIGUSR1)
                _ = try handled.reading.fileDescriptor.readBytes(atMost: 1)
            }
            try pipe.writing.fileDescriptor.writeAll([1])
            areSent.open()
            thread.join()
            #expect(result.withLock { $0 } == true)
        }
    }

    /// Lets the calling thread, which blocks signals, handle this signal.
    private static func unblock(_ signal: Int32) {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, signal)
        _ = unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }
}

struct WaitingTests {
    @Test("Waiting for a closed descriptor throws an error instead of blocking forever")
    func closed() {
        #expect(throws: Errno.badFileDescriptor) {
            try waitReadable(FileDescriptor(rawValue: .max), until: nil)
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
