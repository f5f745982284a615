import EventLoop
import LinuxSystem
import Synchronization

/// The threads on which the work of ``PasteboardEvents`` and the providers of promises run.
///
/// The runtime's own threads come from libdispatch, whose thread monitor on Linux wakes each second from its first use
/// until the program ends (`HAVE_DISPATCH_WORKQ_MONITORING`). An idle program with a window should not wake.
///
/// There are several threads, since a provider may compute for a long time, or wait for another promise of the
/// same program.
package final class WorkExecutor: TaskExecutor {
    /// The executor; nil if no thread can be started. Tasks without a preference run on the runtime's threads.
    package static let shared = try? WorkExecutor()
    static let maxThreads = 4

    private struct State {
        var jobs: [UnownedJob] = []
        /// The threads without a job.
        var idle: [Latch] = []
        var threads = 1
    }

    private let state = Mutex(State())
    private let timers: MessageQueue<WorkTimers.Timer>
    private let hasTimerThread = Mutex(false)

    private init() throws {
        timers = try MessageQueue()
        try start()
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let (idle, needsThread) = state.withLock { state -> (Latch?, Bool) in
            state.jobs.append(job)
            if let latch = state.idle.popLast() { return (latch, false) }
            guard state.threads < Self.maxThreads else { return (nil, false) }
            state.threads += 1
            return (nil, true)
        }
        idle?.open()
        guard needsThread else { return }
        do {
            try start()
        } catch {
            // The existing threads do the job later.
            state.withLock { $0.threads -= 1 }
        }
    }

    private func start() throws {
        _ = try WorkerThread.start(name: "xpb tasks") { [self] in
            while true { runNext() }
        }
    }

    /// Runs a job, or waits until there is one.
    private func runNext() {
        let latch = Latch()
        let job = state.withLock { state -> UnownedJob? in
            guard state.jobs.isEmpty else { return state.jobs.removeFirst() }
            state.idle.append(latch)
            return nil
        }
        if let job { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) } else { latch.wait() }
    }

    // MARK: Timers

    /// Waits as `Task.sleep(for:)` does, but without a timer of libdispatch.
    ///
    /// - Throws: `CancellationError`.
    func sleep(for time: Duration) async throws {
        let end = Completion<Void>()
        timers.send(WorkTimers.Timer(time: .now + time, end: end))
        try hasTimerThread.withLock { isRunning in
            guard !isRunning else { return }
            _ = try WorkerThread.start(name: "xpb timers") { [timers] in WorkTimers(timers).run() }
            isRunning = true
        }
        try await end.value()
    }
}

/// The timers of ``WorkExecutor``, on a thread of their own.
private final class WorkTimers {
    struct Timer: Sendable {
        let time: ContinuousClock.Instant
        let end: Completion<Void>
    }

    private let added: MessageQueue<Timer>
    private let loop = EventLoop()
    private var timers: [Timer] = []

    init(_ added: MessageQueue<Timer>) { self.added = added }

    func run() {
        let registration = loop.add(added.fileDescriptor, interest: .readable) { [unowned self] _ in
            timers += added.drain()
        }
        loop.earliestDeadline = { [unowned self] in timers.map(\.time).min() }
        loop.deadlinesPassed = { [unowned self] now in
            let passed = timers.filter { $0.time <= now }
            timers.removeAll { $0.time <= now }
            for timer in passed { timer.end.complete(.success(())) }
        }
        // The loop fails if the system is briefly out of memory, so it is restarted.
        while (try? loop.run()) == nil {}
        registration.cancel()
    }
}

extension PasteboardEvents {
    /// Waits for a time, within the work of ``perform(_:completion:)``.
    package static func sleep(for time: Duration) async throws {
        guard let executor = WorkExecutor.shared else { return try await Task.sleep(for: time) }
        try await executor.sleep(for: time)
    }
}
