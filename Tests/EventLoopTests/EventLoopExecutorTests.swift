import EventLoop
import Testing

@Suite struct EventLoopExecutorTests {
    private final class Recorder {
        var steps: [String] = []
    }

    private struct Failure: Error, Equatable {}

    private let executor = EventLoopExecutor()
    private let recorder = Recorder()
    /// A time before all other times. When a duration has passed since `begin`, it has not yet passed since a task's
    /// start.
    private let begin = ContinuousClock.now

    /// Runs the timers that are due at a time.
    private func advance(to time: ContinuousClock.Instant) {
        for body in executor.timers.takeDue(at: time) { body() }
    }

    // MARK: Order

    @Test("A task runs up to its first suspension before `start` returns, and is resumed at once")
    func immediate() {
        let value = PendingValue<Int>()
        executor.start { [recorder] in
            recorder.steps.append("begins")
            let number = await value.get()
            recorder.steps.append("resumed with \(number)")
        }
        recorder.steps.append("started")
        value.deliver(7)
        recorder.steps.append("delivered")
        #expect(recorder.steps == ["begins", "started", "resumed with 7", "delivered"])
    }

    @Test("Tasks that a running task resumes continue after its suspension, in the order of their resumption")
    func resumedByTask() {
        let values = (0..<3).map { _ in PendingValue<Void>() }
        for (number, value) in values.enumerated() {
            executor.start { [recorder] in
                await value.get()
                recorder.steps.append("task \(number)")
            }
        }
        let pause = PendingValue<Void>()
        executor.start { [recorder] in
            for number in [2, 0, 1] { values[number].deliver(()) }
            recorder.steps.append("delivered")
            await pause.get()
            recorder.steps.append("ends")
        }
        #expect(recorder.steps == ["delivered", "task 2", "task 0", "task 1"])
        pause.deliver(())
        #expect(recorder.steps.last == "ends")
    }

    @Test("A task that another task starts runs up to its first suspension at once")
    func nestedStart() {
        let value = PendingValue<Void>()
        executor.start { [executor, recorder] in
            executor.start {
                recorder.steps.append("inner begins")
                await value.get()
                recorder.steps.append("inner ends")
            }
            recorder.steps.append("outer goes on")
            value.deliver(())
            recorder.steps.append("outer ends")
        }
        #expect(recorder.steps == ["inner begins", "outer goes on", "outer ends", "inner ends"])
    }

    @Test("A task can suspend and be resumed many times without recursion")
    func manySuspensions() {
        var rounds = 0
        executor.start { [executor] in
            for _ in 0..<100_000 {
                let value = PendingValue<Void>()
                executor.start { value.deliver(()) }
                await value.get()
                rounds += 1
            }
        }
        #expect(rounds == 100_000)
    }

    // MARK: Time

    @Test("A sleeping task continues at its deadline")
    func sleep() {
        executor.start { [executor, recorder] in
            await executor.sleep(until: .now + .seconds(10))
            recorder.steps.append("awake")
        }
        advance(to: begin + .seconds(9))
        #expect(recorder.steps == [])
        advance(to: .now + .seconds(10))
        #expect(recorder.steps == ["awake"])
        #expect(executor.timers.earliest == nil)
    }

    @Test("The cancellation of a sleeping task ends its sleep, and removes the timer")
    func cancelledSleep() {
        let task = executor.start { [executor, recorder] in
            await executor.sleep(until: .now + .seconds(10))
            recorder.steps.append(Task.isCancelled ? "cancelled" : "awake")
        }
        task.cancel()
        #expect(recorder.steps == ["cancelled"])
        #expect(executor.timers.earliest == nil)
    }

    @Test("An operation within its timeout returns its result, and leaves no timer")
    func withinTimeout() {
        let value = PendingValue<Int>()
        var result: Int?
        executor.start { [executor] in result = await executor.withTimeout(.seconds(10)) { await value.get() } }
        #expect(executor.timers.earliest != nil)
        value.deliver(7)
        #expect(result == 7)
        #expect(executor.timers.earliest == nil)
    }

    @Test("An error of an operation passes through its timeout")
    func failing() {
        var failures: [Failure] = []
        executor.start { [executor] in
            do throws(Failure) {
                _ = try await executor.withTimeout(.seconds(10)) { () async throws(Failure) -> Int in throw Failure() }
            } catch {
                failures.append(error)
            }
        }
        #expect(failures == [Failure()])
        #expect(executor.timers.earliest == nil)
    }

    @Test("After the timeout the caller continues, and the operation is cancelled unless it may continue")
    func afterTimeout() {
        for cancels in [true, false] {
            let value = PendingValue<Int>()
            let recorder = Recorder()
            executor.start { [executor] in
                let result = await executor.withTimeout(.seconds(10), cancels: cancels) {
                    let number = await value.get { value.deliver(0) }
                    recorder.steps.append("operation \(number)")
                    return number
                }
                recorder.steps.append(result == nil ? "timeout" : "result")
            }
            advance(to: begin + .seconds(9))
            #expect(recorder.steps == [])
            advance(to: .now + .seconds(10))
            #expect(Set(recorder.steps) == (cancels ? ["timeout", "operation 0"] : ["timeout"]))
            value.deliver(7)
            #expect(Set(recorder.steps) == ["timeout", cancels ? "operation 0" : "operation 7"])
        }
    }

    @Test("The timeout of an operation restarts when the operation makes progress")
    func progress() throws {
        var progress = Optional(begin + .seconds(3_600))
        var results: [Int?] = []
        executor.start { [executor] in
            let value = PendingValue<Int>()
            results.append(
                await executor.withTimeout(.seconds(10), since: { progress }) { await value.get { value.deliver(0) } })
        }
        advance(to: .now + .seconds(11))
        #expect(results == [])
        #expect(try #require(executor.timers.earliest) == begin + .seconds(3_610))
        progress = begin - .seconds(10)
        advance(to: .now + .seconds(3_610))
        #expect(results == [nil])
    }

    @Test("The cancellation of a caller cancels the operation that it waits for")
    func cancelledCaller() {
        let value = PendingValue<Int>()
        var result: Int?
        let task = executor.start { [executor] in
            result = await executor.withTimeout(.seconds(10)) { await value.get { value.deliver(-1) } }
        }
        task.cancel()
        #expect(result == -1)
        #expect(executor.timers.earliest == nil)
    }

    @Test("A timed task runs while its starter does other work, and its timeout counts from the task's start")
    func timedTask() {
        let value = PendingValue<Int>()
        var results: [Int?] = []
        executor.start { [executor] in
            let first = executor.start(timeout: .seconds(10)) { await value.get() }
            let second = executor.start(timeout: .seconds(10)) { await PendingValue<Int>().get() }
            let pause = PendingValue<Void>()
            executor.start {
                await executor.sleep(until: .now + .seconds(60))
                pause.deliver(())
            }
            value.deliver(1)
            await pause.get()
            results = [await first.value(), await second.value()]
        }
        advance(to: begin + .seconds(30))
        #expect(results.isEmpty)
        advance(to: .now + .seconds(60))
        #expect(results == [1, nil])
    }
}
