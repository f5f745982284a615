import EventLoop
import Testing

@Suite struct AsyncMutexTests {
    private struct Failure: Error {}

    private final class Recorder {
        var steps: [String] = []
    }

    private let executor = EventLoopExecutor()
    private let mutex = AsyncMutex()
    private let recorder = Recorder()

    @Test("Sections run one at a time, in the order of their callers")
    func order() {
        let ends = (0..<3).map { _ in PendingValue<Void>() }
        for (number, end) in ends.enumerated() {
            executor.start { [mutex, recorder] in
                await mutex.withLock {
                    recorder.steps.append("\(number) begins")
                    await end.get()
                    recorder.steps.append("\(number) ends")
                }
            }
        }
        #expect(recorder.steps == ["0 begins"])
        // Section 2 has not begun, so its end changes nothing yet.
        ends[2].deliver(())
        #expect(recorder.steps == ["0 begins"])
        ends[0].deliver(())
        #expect(recorder.steps == ["0 begins", "0 ends", "1 begins"])
        ends[1].deliver(())
        #expect(recorder.steps.suffix(3) == ["1 ends", "2 begins", "2 ends"])
    }

    @Test("A waiting caller gets the lock before the previous caller gets it again")
    func fairness() {
        let end = PendingValue<Void>()
        executor.start { [mutex, recorder] in
            await mutex.withLock {
                recorder.steps.append("first")
                await end.get()
            }
            await mutex.withLock { recorder.steps.append("first again") }
        }
        executor.start { [mutex, recorder] in await mutex.withLock { recorder.steps.append("second") } }
        end.deliver(())
        #expect(recorder.steps == ["first", "second", "first again"])
    }

    @Test("A caller whose deadline has passed fails without its section, and the next caller gets the lock")
    func deadline() {
        let end = PendingValue<Void>()
        let start = ContinuousClock.now
        executor.start { [mutex] in await mutex.withLock { await end.get() } }
        for (name, seconds) in [("short", 1), ("long", 3)] {
            executor.start { [mutex, recorder, executor] in
                do throws(Failure) {
                    try await mutex.withLock(
                        until: start + .seconds(seconds), executor.timers, orThrow: Failure()
                    ) { () async throws(Failure) in recorder.steps.append(name) }
                } catch {
                    recorder.steps.append("\(name) failed")
                }
            }
        }
        for body in executor.timers.takeDue(at: start + .seconds(2)) { body() }
        #expect(recorder.steps == ["short failed"])
        end.deliver(())
        #expect(recorder.steps == ["short failed", "long"])
        #expect(executor.timers.earliest == nil)
    }

    @Test("A section returns its value, and a section that throws releases the lock")
    func results() {
        executor.start { [mutex, recorder] in
            do throws(Failure) {
                try await mutex.withLock { () async throws(Failure) in throw Failure() }
            } catch {
                recorder.steps.append("failed")
            }
            recorder.steps.append(await mutex.withLock { "returned" })
        }
        #expect(recorder.steps == ["failed", "returned"])
    }
}
