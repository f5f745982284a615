/// An executor of tasks on the thread of an event loop.
///
/// A task starts on the stack of its starter and runs up to its first suspension. Code that resumes a task runs it up
/// to the next suspension at once, or, if another task is running, after that task. So a task never waits for a round
/// of the loop, and between two of its suspensions nothing else runs.
///
/// All of this happens on the loop's thread: tasks are started there, and await only values delivered there, so the
/// unchecked conformance and the unsafe captures below are correct. A global actor would add a hop, and all bridges of
/// a process would share it; the executor preference alone keeps tasks on the thread (SE-0417).
package final class EventLoopExecutor: TaskExecutor, @unchecked Sendable {
    /// The timers of the loop's thread. The loop has to run the timers that are due.
    package let timers = TimerQueue()
    private var jobs = Backlog<UnownedJob>()
    private var isRunning = false

    package init() {}

    /// Starts a task and runs it up to its first suspension.
    @discardableResult
    package func start(_ body: @escaping () async -> Void) -> LoopTask {
        nonisolated(unsafe) let body = body
        let wasRunning = isRunning
        isRunning = true
        let task = Task.immediate(executorPreference: self) { await unsafe body() }
        isRunning = wasRunning
        runJobs()
        return LoopTask(task, on: self)
    }

    /// Cancels a task. Tasks that the cancellation resumes run after it: while the runtime calls the task's
    /// cancellation handlers, a task that ran on would remove its own handler.
    fileprivate func cancel(_ task: Task<Void, Never>) {
        let wasRunning = isRunning
        isRunning = true
        task.cancel()
        isRunning = wasRunning
        runJobs()
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        jobs.append(UnownedJob(job))
        runJobs()
    }

    private func runJobs() {
        guard !isRunning else { return }
        isRunning = true
        while let job = jobs.next() { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
        isRunning = false
    }

    // MARK: Time

    /// Returns the result of `operation`, or nil if it takes longer than `timeout`: no task waits without a deadline
    /// (invariant 8).
    ///
    /// The operation runs in a separate task. After the timeout, that task is canceled unless `cancels` is false, and
    /// no other task waits for its end.
    ///
    /// - Parameter progress: Returns the time of the operation's last progress, from which the timeout is counted
    ///   again; nil if there was no progress.
    package func withTimeout<Value, Failure: Error>(
        _ timeout: Duration, since progress: @escaping () -> ContinuousClock.Instant? = { nil }, cancels: Bool = true,
        _ operation: @escaping () async throws(Failure) -> Value
    ) async throws(Failure) -> Value? {
        try await start(timeout: timeout, since: progress, cancels: cancels, operation).value()
    }

    /// Starts an operation that has to end in time, for a caller that does other work before waiting.
    package func start<Value, Failure: Error>(
        timeout: Duration, since progress: @escaping () -> ContinuousClock.Instant? = { nil }, cancels: Bool = true,
        _ operation: @escaping () async throws(Failure) -> Value
    ) -> TimedTask<Value, Failure> {
        TimedTask(timeout: timeout, since: progress, cancels: cancels, on: self, operation)
    }

    /// Waits until `deadline`, or until the task is canceled.
    package func sleep(until deadline: ContinuousClock.Instant) async {
        let end = PendingValue<Void>()
        let timer = timers.set(deadline) { end.deliver(()) }
        await end.get { end.deliver(()) }
        timers.cancel(timer)
    }
}

/// A task on the thread of an event loop.
package struct LoopTask {
    private let task: Task<Void, Never>
    private let executor: EventLoopExecutor

    fileprivate init(_ task: Task<Void, Never>, on executor: EventLoopExecutor) {
        self.task = task
        self.executor = executor
    }

    /// Cancels the task. If this ends the task's wait, the task continues after the caller's task.
    package func cancel() { executor.cancel(task) }

    package func wait() async { await task.value }
}

/// A task whose result counts only if it comes in time.
package final class TimedTask<Value, Failure: Error> {
    private let result = PendingValue<Result<Value, Failure>?>()
    private let timers: TimerQueue
    private var task: LoopTask?
    private var timer: TimerQueue.Identifier?
    private let timeout: Duration
    private let progress: () -> ContinuousClock.Instant?
    private let cancels: Bool

    fileprivate init(
        timeout: Duration, since progress: @escaping () -> ContinuousClock.Instant?, cancels: Bool,
        on executor: EventLoopExecutor, _ operation: @escaping () async throws(Failure) -> Value
    ) {
        timers = executor.timers
        self.timeout = timeout
        self.progress = progress
        self.cancels = cancels
        let result = result
        let task = executor.start {
            do throws(Failure) {
                result.deliver(.success(try await operation()))
            } catch {
                result.deliver(.failure(error))
            }
        }
        guard !result.isDelivered else { return }
        self.task = task
        setTimer(for: .now + timeout)
    }

    private func setTimer(for deadline: ContinuousClock.Instant) {
        timer = timers.set(deadline) { [self] in timeOut() }
    }

    private func timeOut() {
        if let progress = progress(), progress + timeout > .now { return setTimer(for: progress + timeout) }
        result.deliver(nil)
        if cancels { task?.cancel() }
    }

    /// Returns the result of the operation, or nil after the timeout. If the waiting task is canceled, so is the
    /// operation.
    package func value() async throws(Failure) -> Value? {
        let result = await result.get { [task] in task?.cancel() }
        if let timer { timers.cancel(timer) }
        return try result?.get()
    }
}
