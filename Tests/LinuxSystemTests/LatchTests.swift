import Synchronization
import Testing

@testable import LinuxSystem

@Suite struct LatchTests {
    @Test("All threads that wait go on when it is opened, and who comes later does not wait")
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
