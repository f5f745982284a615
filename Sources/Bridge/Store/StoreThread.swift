import EventLoop
import LinuxSystem
import PasteboardStore
import SystemPackage

/// The store's thread and the service thread's end of it: a disk may keep it waiting for as long as it likes.
///
/// What it is given to do is done in that order. What it can put off it does when nothing else was to be done for a moment,
/// so that who writes again and again does not wait for the disk each time.
final class StoreThread {
    private enum Job: Sendable {
        case work(number: Int, @Sendable (Store) -> any Sendable)
        case close(@Sendable (Store) -> Void)
    }

    private enum Report: Sendable {
        case done(number: Int, any Sendable)
        case notice(String)
        case closed
    }

    private let jobs: MessageQueue<Job>
    private let reports: MessageQueue<Report>
    private var waiting: [Int: (any Sendable) -> Void] = [:]
    private var inbox = Backlog<Report>()
    private var count = 0
    private var isClosing = false
    /// Whether the thread has ended, or there never was one.
    private(set) var isClosed = false
    /// Something to be logged.
    var onNotice: (String) -> Void = { _ in }
    /// The thread has ended.
    var onClose: () -> Void = {}

    /// Hands the store to a thread of its own. Nobody else is to use it from then on.
    init(_ store: Store) throws(Errno) {
        jobs = try MessageQueue()
        reports = try MessageQueue()
        // Safe, since it goes to one thread and nobody here keeps it.
        nonisolated(unsafe) let handed = store
        _ = try WorkerThread.start(name: "xpb-store") { [jobs, reports] in
            StoreWork(jobs: jobs, reports: reports).run(unsafe handed)
        }
    }

    /// Readable when something was done: to be registered with the loop, which calls ``receive()`` then.
    var fileDescriptor: FileDescriptor { reports.fileDescriptor }

    /// Has something done with the store, and calls `finish` with what came of it.
    func perform<Outcome: Sendable>(
        _ work: @escaping @Sendable (Store) -> Outcome, _ finish: @escaping (Outcome) -> Void
    ) {
        guard !isClosing else { return }
        count += 1
        waiting[count] = { outcome in
            if let outcome = outcome as? Outcome { finish(outcome) }
        }
        jobs.send(.work(number: count, work))
    }

    /// Whether nothing is being done that anybody waits for.
    var isIdle: Bool { waiting.isEmpty }

    /// Has the store closed behind all that is to be done, and the thread end.
    func close(_ body: @escaping @Sendable (Store) -> Void) {
        guard !isClosing else { return }
        isClosing = true
        jobs.send(.close(body))
    }

    /// Takes what was done.
    func receive() {
        // As in DisplayLink: what is finished here may come back for more.
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

    /// The loop of the thread.
    private struct StoreWork: Sendable {
        let jobs: MessageQueue<Job>
        let reports: MessageQueue<Report>

        /// How long nothing was to be done before what can be put off is done.
        private static let quiet = Duration.milliseconds(100)
        /// So many pieces of it are done when they are not to be put off any longer: for 32 new entries, their files, the log,
        /// the index, and as many old entries.
        private static let catchUp = 8

        func run(_ store: Store) {
            store.rehearse(now: UnixTime.now)
            var hasMore = true
            var quietSince = ContinuousClock.now
            while true {
                do {
                    // What can be put off is done in small pieces, and each lets what came meanwhile go before.
                    let due = hasMore ? quietSince + Self.quiet : nil
                    if try waitReadable(jobs.fileDescriptor, until: due) == false {
                        hasMore = tidy(store)
                        continue
                    }
                } catch {
                    // poll(2) fails for want of memory alone.
                    return reports.send(.closed)
                }
                for job in jobs.drain() {
                    switch job {
                    case .work(let number, let body): reports.send(.done(number: number, body(store)))
                    case .close(let body):
                        body(store)
                        return reports.send(.closed)
                    }
                }
                tell(store)
                // Where it is never quiet, all of it would be put off for good.
                if store.isBehind {
                    for _ in 0..<Self.catchUp where !tidy(store) { break }
                }
                hasMore = true
                quietSince = .now
            }
        }

        private func tell(_ store: Store) {
            for notice in store.takeNotices() { reports.send(.notice(notice)) }
        }

        private func tidy(_ store: Store) -> Bool {
            defer { tell(store) }
            do throws(StoreFailure) {
                return try store.tidy(now: UnixTime.now)
            } catch {
                reports.send(.notice("the stored contents could not be tidied up: \(error.message)"))
                return false
            }
        }
    }
}
