import LinuxSystem
import PasteboardModel
import PasteboardStore
import SystemPackage

/// What outlives the bridge, as the service knows it: whether there is a store, and what it is asked to do.
final class StoreProxy {
    enum State {
        /// Nothing outlives the bridge; says why, where the user would not expect it.
        case none(reason: String?)
        case open(StoreThread)
        /// There should be a store, and it cannot be used: what would go there is refused.
        case refusing(reason: String)
    }

    private(set) var state = State.none(reason: nil)
    /// Where the store is, or would be.
    private(set) var folder: String?
    /// The number of the device it is on, once there is a store.
    private(set) var fileSystem: UInt64?
    private var floor: CountFloor?
    private var nextEntry = EntryID(1)
    /// Whether new contents stay out of the history.
    var isPaused = false
    /// Entries of the history, and bytes of all that is kept.
    typealias Usage = (entries: Int, bytes: Int)
    /// As it was told last.
    private(set) var usage: Usage = (0, 0)
    /// Why the change that was to be written last could not be; nil where it was.
    private(set) var trouble: String?
    /// Whether somebody has waited for it in vain, and it has done nothing since.
    var isLate = false

    /// Opens the store of a bridge.
    ///
    /// - Parameter deadline: Until when one is waited for that has the store and is about to give it back; nil for none.
    /// - Returns: What was there.
    func open(
        _ folder: String, limits: Store.Limits, awaitingOther deadline: ContinuousClock.Instant? = nil
    ) throws(StoreFailure) -> (opening: Store.Opening, store: Store) {
        self.folder = folder
        do throws(StoreFailure) {
            let store = try Self.store(at: folder, limits: limits, awaitingOther: deadline)
            // Behind the store, which knows of a floor that was lost, and before anything is told: a count that was told
            // before a crash is not told again.
            let floor = try CountFloor(at: folder)
            self.floor = floor
            fileSystem = try? FileStatus(ofPath: Array(folder.utf8), followsLink: true).fileSystem
            nextEntry = store.opening.nextEntry
            isPaused = store.opening.isPaused
            usage = Self.usage(of: store)
            return (store.opening, store)
        } catch {
            state =
                switch error {
                case .unusable(let reason): .none(reason: reason)
                default: .refusing(reason: error.message)
                }
            throw error
        }
    }

    private static func store(
        at folder: String, limits: Store.Limits, awaitingOther deadline: ContinuousClock.Instant?
    ) throws(StoreFailure) -> Store {
        while true {
            do throws(StoreFailure) {
                return try Store(at: folder, limits: limits, now: UnixTime.now)
            } catch {
                guard case .locked = error, let deadline, .now < deadline else { throw error }
                Store.awaitRelease(at: folder, until: deadline)
            }
        }
    }

    /// Puts the store onto its thread, once what is there was read.
    func start(_ store: Store) throws(Errno) -> StoreThread {
        let thread = try StoreThread(store)
        state = .open(thread)
        return thread
    }

    /// There is none, for that reason.
    func forgo(_ reason: String?) { state = .none(reason: reason) }

    var thread: StoreThread? {
        if case .open(let thread) = state { thread } else { nil }
    }

    /// A number for contents that are to be kept.
    func newEntry() -> EntryID {
        defer { nextEntry = EntryID(nextEntry.number + 1) }
        return nextEntry
    }

    /// Where counts start that nobody remembers.
    var countFloor: Int { floor?.floor ?? 0 }

    /// To be called before a count is told.
    func reserve(_ count: Int) { floor?.reserve(count) }

    // MARK: Writing

    /// Writes a change. Without a store it is written at once, to nowhere.
    ///
    /// - Parameters:
    ///   - entry: One without which nothing is to be written: it may be deleted by then.
    ///   - read: One that `finish` is called with, as it is stored then.
    func apply(
        _ change: StoreChange, needing entry: EntryID? = nil, thenReading read: EntryID? = nil,
        _ finish: @escaping (Result<StoredContents?, StoreFailure>) -> Void
    ) {
        guard thread != nil else { return finish(.success(nil)) }
        ask(
            { (store) throws(StoreFailure) -> StoredContents? in
                var change = change
                for index in change.entries.indices {
                    change.entries[index].summary = EntrySummaries.summary(
                        of: change.entries[index].contents, files: change.entries[index].files)
                }
                if let entry, try !store.contains(entry) { throw .noSuchEntry(entry) }
                try store.apply(change, now: UnixTime.now)
                guard let read else { return nil }
                guard let stored = try store.contents(of: read) else { throw .noSuchEntry(read) }
                return stored
            },
            { [self] result in
                switch result {
                case .success: trouble = nil
                // It was deleted, and that is nothing wrong.
                case .failure(.noSuchEntry): break
                case .failure(let failure): trouble = failure.message
                }
                finish(result)
            })
    }

    /// Calls `finish` when all is written that was to be written until now.
    func settle(_ finish: @escaping () -> Void) {
        guard let thread, !thread.isIdle else { return finish() }
        thread.perform { _ in
        } _: { [self] in
            isLate = false
            finish()
        }
    }

    /// Asks the store, where there is one.
    func ask<Outcome: Sendable>(
        _ question: @escaping @Sendable (Store) throws(StoreFailure) -> Outcome,
        _ finish: @escaping (Result<Outcome, StoreFailure>) -> Void
    ) {
        guard let thread else { return finish(.failure(.unusable(reason ?? "nothing is stored"))) }
        thread.perform { store in
            (Result { () throws(StoreFailure) in try question(store) }, Self.usage(of: store))
        } _: { [self] (result: Result<Outcome, StoreFailure>, usage: Usage) in
            self.usage = usage
            isLate = false
            finish(result)
        }
    }

    /// Why there is no store, or why it refuses.
    var reason: String? {
        switch state {
        case .none(let reason): reason
        case .refusing(let reason): reason
        case .open: nil
        }
    }

    private static func usage(of store: Store) -> Usage { (try? store.usage()) ?? (entries: 0, bytes: 0) }
}
