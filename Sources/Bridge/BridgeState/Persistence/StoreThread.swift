package import EventLoop
import LinuxSystem
package import PasteboardStore
package import SystemPackage

/// The thread of the store, as the service thread uses it: a disk may block a thread indefinitely.
///
/// The thread does its work in order. Maintenance waits for a pause, so that a client that writes again and again does
/// not wait for the disk each time. Long contents are copied by other threads, so that short contents do not wait for
/// them.
package final class StoreThread {
    private enum Job: Sendable {
        case open(number: Int, @Sendable () -> (store: Store?, outcome: any Sendable))
        case work(number: Int, @Sendable (Store) -> any Sendable)
        case close(@Sendable (Store) -> Void)
    }

    private enum Report: Sendable {
        case done(number: Int, any Sendable)
        case notice(String)
        case closed
    }

    /// A copy that waits for its turn.
    private struct PendingCopy {
        let number: Int
        let work: @Sendable () -> any Sendable
    }

    /// The maximum number of copies at once: a stalled disk blocks no more threads than that.
    private static let maxCopies = 4

    private let jobs: MessageQueue<Job>
    private let reports: MessageQueue<Report>
    /// The receivers of the outcomes of the jobs under way, by the jobs' numbers.
    private var waiting: [Int: (any Sendable) -> Void] = [:]
    private var inbox = Backlog<Report>()
    private var count = 0
    private var isClosing = false
    private var pendingCopies = Backlog<PendingCopy>()
    /// The number of copies under way.
    private var copies = 0
    /// Called after each piece of a copy, by the thread that copies. Tests simulate a slow disk there.
    package var afterPiece: @Sendable () -> Void = {}
    /// True once the thread has ended.
    package private(set) var isClosed = false
    /// Called with each line to be logged.
    package var onNotice: (String) -> Void = { _ in }
    package var onClose: () -> Void = {}

    /// Hands the store to its own thread. No other thread may use the store afterwards.
    ///
    /// - Parameter store: nil if the store could not be opened yet; ``open(_:)`` opens it later.
    package init(_ store: Store?) throws(Errno) {
        jobs = try MessageQueue()
        reports = try MessageQueue()
        // Safe: the store goes to one thread, and this one keeps no reference.
        nonisolated(unsafe) let handed = store
        _ = try WorkerThread.start(name: "xpb-store") { [jobs, reports] in
            StoreLoop(jobs: jobs, reports: reports).run(unsafe handed)
        }
    }

    /// A descriptor that is readable when there are reports. Register it with the loop, and call ``receive()`` when it
    /// is readable.
    package var fileDescriptor: FileDescriptor { reports.fileDescriptor }

    /// Does `work` with the store after all earlier work, and returns its outcome. After ``close(_:)`` nothing is done,
    /// and this does not return.
    ///
    /// The thread must have a store.
    package func perform<Outcome: Sendable>(_ work: @escaping @Sendable (Store) -> Outcome) async -> Outcome {
        await outcome { number in .work(number: number, work) }
    }

    /// Opens the store on the thread, which has no store yet, and returns the outcome.
    package func open<Outcome: Sendable>(
        _ work: @escaping @Sendable () -> (store: Store?, outcome: Outcome)
    ) async -> Outcome {
        await outcome { number in
            .open(number: number) {
                let (store, outcome) = work()
                return (store, outcome)
            }
        }
    }

    private func outcome<Outcome: Sendable>(of job: (_ number: Int) -> Job) async -> Outcome {
        let outcome = PendingValue<Outcome>()
        if !isClosing {
            count += 1
            waiting[count] = { value in
                if let value = value as? Outcome { outcome.deliver(value) }
            }
            jobs.send(job(count))
        }
        return await outcome.get()
    }

    /// Starts a copy on its own thread.
    ///
    /// - Returns: The copy's progress, and its future outcome.
    package func copy<Outcome: Sendable>(
        _ work: @escaping @Sendable (CopyProgress) -> Outcome
    ) -> (progress: CopyProgress, outcome: PendingValue<Outcome?>) {
        let progress = CopyProgress(afterPiece: afterPiece)
        let outcome = PendingValue<Outcome?>()
        count += 1
        waiting[count] = { [unowned self] value in
            copies -= 1
            startCopies()
            if let value = value as? Outcome { outcome.deliver(value) }
        }
        pendingCopies.append(PendingCopy(number: count) { work(progress) })
        startCopies()
        return (progress, outcome)
    }

    private func startCopies() {
        while copies < Self.maxCopies, let next = pendingCopies.next() {
            copies += 1
            let work = { @Sendable [reports] in reports.send(.done(number: next.number, next.work())) }
            if (try? WorkerThread.start(name: "xpb-copy", work)) == nil {
                // No thread can be started, so the store's own thread copies, and short contents wait.
                jobs.send(.work(number: next.number) { _ in next.work() })
            }
        }
    }

    /// True while no work is under way.
    package var isIdle: Bool { waiting.isEmpty }

    /// Closes the store after all work that was sent, and ends the thread.
    package func close(_ body: @escaping @Sendable (Store) -> Void) {
        guard !isClosing else { return }
        isClosing = true
        jobs.send(.close(body))
    }

    /// Takes the reports of the thread, and resumes the tasks that wait for them.
    package func receive() {
        // A task that is resumed here may call this again: it then sees the older reports first.
        inbox.append(contentsOf: reports.drain())
        while let report = inbox.next() {
            switch report {
            case .done(let number, let outcome): waiting.removeValue(forKey: number)?(outcome)
            case .notice(let text): onNotice(text)
            case .closed:
                isClosed = true
                onClose()
            }
        }
    }

    private struct StoreLoop: Sendable {
        let jobs: MessageQueue<Job>
        let reports: MessageQueue<Report>

        /// The pause after the last work before maintenance begins.
        private static let pause = Duration.milliseconds(100)
        /// The pause between two checks of the history's age, if the age has a limit.
        private static let agePause = Duration.seconds(300)
        /// The number of pieces of maintenance that are done at once when maintenance can wait no longer. For 32 new
        /// entries, the pieces are the entries' files, the log, the index, and as many old entries.
        private static let overduePieces = 8

        func run(_ opened: Store?) {
            var store = opened
            store?.rehearse(now: UnixTime.now)
            var hasMore = store != nil
            var idleSince = ContinuousClock.now
            while true {
                // Maintenance is done in small pieces, and new work goes before the next piece.
                let pause = hasMore ? Self.pause : store?.limits.age.map { min($0, Self.agePause) }
                let hasJobs = try? waitReadable(jobs.fileDescriptor, until: pause.map { idleSince + $0 })
                // poll(2) fails only for lack of memory.
                guard let hasJobs else { return reports.send(.closed) }
                guard hasJobs else {
                    hasMore = store.map(performMaintenance) ?? false
                    if !hasMore { idleSince = .now }
                    continue
                }
                for job in jobs.drain() where !perform(job, on: &store) { return reports.send(.closed) }
                guard let store else { continue }
                reportNotices(of: store)
                // Without a pause, maintenance would be deferred forever.
                if store.isMaintenanceOverdue {
                    for _ in 0..<Self.overduePieces where !performMaintenance(on: store) { break }
                }
                hasMore = true
                idleSince = .now
            }
        }

        /// - Returns: false for the last job.
        private func perform(_ job: Job, on store: inout Store?) -> Bool {
            switch job {
            case .open(let number, let body):
                let (opened, outcome) = body()
                store = opened ?? store
                reports.send(.done(number: number, outcome))
            case .work(let number, let body):
                if let store { reports.send(.done(number: number, body(store))) }
            case .close(let body):
                if let store { body(store) }
                return false
            }
            return true
        }

        private func reportNotices(of store: Store) {
            for notice in store.drainNotices() { reports.send(.notice(notice)) }
        }

        /// - Returns: true while there is more maintenance to do.
        private func performMaintenance(on store: Store) -> Bool {
            defer { reportNotices(of: store) }
            do throws(StoreFailure) {
                return try store.performMaintenance(now: UnixTime.now)
            } catch {
                reports.send(.notice("maintenance of the stored contents failed: \(error.message)"))
                return false
            }
        }
    }
}
