import LinuxSystem
import Synchronization
import Testing

@testable import Pasteboard

@Suite struct WorkExecutorTests {
    @Test("A job that blocks its thread does not hold up other jobs")
    func blocked() async throws {
        let executor = try #require(WorkExecutor.shared)
        let latch = Latch()
        let waiting = Task(executorPreference: executor) { latch.wait() }
        await Task(executorPreference: executor) { latch.open() }.value
        await waiting.value
    }

    @Test("More jobs than there are threads are all done")
    func many() async throws {
        let executor = try #require(WorkExecutor.shared)
        let sum = Sum()
        await withDiscardingTaskGroup { group in
            for number in 1...1_000 {
                group.addTask(executorPreference: executor) {
                    await Task.yield()
                    sum.add(number)
                }
            }
        }
        #expect(sum.value == 500_500)
    }

    @Test("A pause ends after its time, or at once when its task is cancelled")
    func sleep() async throws {
        try await PasteboardEvents.sleep(for: .milliseconds(1))
        let long = Task { try await PasteboardEvents.sleep(for: .seconds(3_600)) }
        long.cancel()
        await #expect(throws: CancellationError.self) { try await long.value }
    }

    private final class Sum: Sendable {
        private let number = Mutex(0)

        var value: Int { number.withLock(\.self) }

        func add(_ other: Int) { number.withLock { $0 += other } }
    }
}
