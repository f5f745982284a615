import Glibc
import LinuxSystem
import Synchronization
import SystemPackage
import Testing

struct WorkerThreadTests {
    @Test("The body runs on another thread, which has the given name")
    func runs() throws {
        let found = Mutex<(thread: pthread_t, name: String)?>(nil)
        let thread = try WorkerThread.start(name: "a name that is too long") {
            let file = try? opened("/proc/thread-self/comm", .readOnly)
            let name = file.flatMap { try? readAll($0.fileDescriptor) }
            found.withLock { $0 = (pthread_self(), String(decoding: name ?? [], as: UTF8.self)) }
        }
        thread.join()
        thread.join()
        let result = try #require(found.withLock { $0 })
        #expect(result.thread != pthread_self())
        #expect(result.name == "a name that is \n")
    }

    @Test("The body's references are released when it ends, whether the thread is joined or not")
    func releases() throws {
        let pipe = try Pipe()
        let reading = pipe.reading
        try start(holding: (consume pipe).writing)
        #expect(try readAll(reading.fileDescriptor) == [])
    }

    private func start(holding descriptor: Descriptor) throws {
        _ = try WorkerThread.start(name: "holder") { withExtendedLifetime(descriptor) {} }
    }
}

@Suite struct LatchTests {
    @Test("Opening releases all waiting threads, and later threads do not wait")
    func opening() throws {
        let latch = Latch()
        let passed = Mutex(0)
        let threads = try (0..<8).map { _ in
            try WorkerThread.start(name: "waiter") {
                latch.wait()
                passed.withLock { $0 += 1 }
            }
        }
        latch.open()
        latch.open()
        for thread in threads { thread.join() }
        latch.wait()
        #expect(passed.withLock { $0 } == 8)
    }
}
