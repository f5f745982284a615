package import EventLoop
import LinuxSystem
package import PasteboardStore
package import PasteboardWire
package import SystemPackage

/// The reason why a bridge stores nothing, as its status reports it.
package struct StoreAbsence: Error {
    package let cause: WireStore.Cause
    package let message: String

    package init(_ cause: WireStore.Cause, _ message: String) {
        self.cause = cause
        self.message = message
    }

    package static let unwanted = StoreAbsence(.unwanted, "the program that the bridge is a part of keeps nothing")
    package static let forwarded = StoreAbsence(.forwarded, "the display is forwarded from another machine")
    package static let ofAnotherUser = StoreAbsence(.forwarded, "the display is that of another user")
    package static let ofOneCommand = StoreAbsence(.forwarded, "xvfb-run started this display for a single command")
    static let offAtStart = StoreAbsence(.off, "the setting 'persist' was false when the bridge started")
    package static let off = StoreAbsence(.off, "the setting 'persist' is false")
    /// Returns the reason for a bridge of root, which makes no folders among those of a user.
    package static func inFolder(_ folder: String, of user: UInt32) -> StoreAbsence {
        StoreAbsence(.homeless, "\(folder) belongs to user \(user), and this bridge to root")
    }
    package static let homeless = StoreAbsence(.homeless, "neither XDG_STATE_HOME nor HOME is an absolute path")
}

/// The store as the service sees it: its state, and the queries to it.
package final class StoreProxy {
    package enum State {
        /// Nothing outlives the bridge. The reason is nil before the store is opened.
        case none(StoreAbsence?)
        case open(StoreThread)
        /// The store cannot be used now: contents that would be stored are refused. See ``reopen(limits:)``.
        case refusing(StoreAbsence)
    }

    /// A store that was opened while the bridge was already serving clients.
    package struct Reopening: Sendable {
        package let opening: Store.Opening
        /// The stored contents of the pasteboards.
        package let contents: [EntryID: StoredContents]
        fileprivate let floor: CountFloor
        fileprivate let usage: Usage
    }

    /// The number of entries in the history, and of bytes in all stored contents.
    package typealias Usage = (entries: Int, bytes: Int)

    package private(set) var state = State.none(nil)
    /// The folder of the store, even if the store could not be opened.
    package private(set) var folder: String?
    /// The device number of the folder's file system, once there is a store.
    package private(set) var fileSystem: UInt64?
    private var floor: CountFloor?
    /// The thread of a store that refused at the start, for ``reopen(limits:)``.
    private var idleThread: StoreThread?
    private let opening = AsyncMutex()
    private var nextEntry = EntryID(1)

    package init() {}
    /// True while new contents stay out of the history.
    package var isPaused = false
    /// The usage as of the last answer of the store.
    package private(set) var usage: Usage = (0, 0)
    /// The reason why the latest change could not be written; nil if it was written.
    package private(set) var trouble: String?
    /// True after a task has waited for the store in vain for a second or longer, until the store answers again.
    private(set) var isLate = false

    /// Opens the store.
    ///
    /// - Parameter deadline: The deadline of the wait for another bridge that has the store and is about to end; nil
    ///   not to wait.
    /// - Returns: The store and the contents found in it. The caller reads what it needs, then calls ``start(_:)``.
    package func open(
        _ folder: String, limits: Store.Limits, awaitingOther deadline: ContinuousClock.Instant? = nil
    ) throws(StoreFailure) -> (opening: Store.Opening, store: Store) {
        self.folder = folder
        do throws(StoreFailure) {
            let store = try Self.store(at: folder, limits: limits, awaitingOther: deadline)
            // The floor is opened after the store, from which a lost floor is restored, and before any count is
            // reported: a count that was reported before a crash must not be reported again.
            let floor = try CountFloor(at: folder)
            adopt(store.opening, floor, Self.usage(of: store))
            return (store.opening, store)
        } catch {
            let absence = Self.absence(after: error)
            state = if case .unusable = error { .none(absence) } else { .refusing(absence) }
            throw error
        }
    }

    private func adopt(_ opening: Store.Opening, _ floor: CountFloor, _ usage: Usage) {
        self.floor = floor
        self.usage = usage
        fileSystem = folder.flatMap { try? FileStatus(ofPath: Array($0.utf8), followsSymlink: true).fileSystem }
        nextEntry = opening.nextEntry
        isPaused = opening.isPaused
    }

    private static func absence(after failure: StoreFailure) -> StoreAbsence {
        switch failure {
        case .unusable(let reason): StoreAbsence(.failed, reason)
        case .locked: StoreAbsence(.locked, failure.message)
        default: StoreAbsence(.failed, failure.message)
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

    package func start(_ store: Store) throws(Errno) -> StoreThread {
        let thread = try StoreThread(store)
        state = .open(thread)
        return thread
    }

    // MARK: Opening the store later

    /// Starts the thread that will open a refusing store. Returns nil if no store refuses.
    func startIdle() throws(Errno) -> StoreThread? {
        guard case .refusing = state else { return nil }
        let thread = try StoreThread(nil)
        idleThread = thread
        return thread
    }

    /// Opens a store that refuses: a disk that was full when the bridge started may have room again, and another
    /// bridge that had the store may have ended.
    ///
    /// - Returns: The store's state; nil if it still refuses, or does not refuse at all.
    package func reopen(limits: Store.Limits) async -> Reopening? {
        await opening.withLock {
            guard case .refusing = state, let idleThread, let folder else { return nil }
            let result: Result<Reopening, StoreFailure> = await idleThread.open {
                do throws(StoreFailure) {
                    let store = try Store(at: folder, limits: limits, now: UnixTime.now)
                    let reopening = try Self.reopening(of: store, in: folder)
                    store.rehearse(now: UnixTime.now)
                    return (store, .success(reopening))
                } catch {
                    return (nil, .failure(error))
                }
            }
            do throws(StoreFailure) {
                let reopening = try result.get()
                adopt(reopening.opening, reopening.floor, reopening.usage)
                state = .open(idleThread)
                return reopening
            } catch {
                // The next attempt may succeed, whatever the reason.
                state = .refusing(Self.absence(after: error))
                return nil
            }
        }
    }

    private static func reopening(of store: Store, in folder: String) throws(StoreFailure) -> Reopening {
        var contents: [EntryID: StoredContents] = [:]
        for entry in store.opening.pasteboards.compactMap(\.entry) { contents[entry] = try? store.contents(of: entry) }
        return Reopening(
            opening: store.opening, contents: contents, floor: try CountFloor(at: folder), usage: usage(of: store))
    }

    /// Runs the bridge without a store.
    func disable(_ absence: StoreAbsence) { state = .none(absence) }

    package var thread: StoreThread? {
        if case .open(let thread) = state { thread } else { nil }
    }

    /// The thread to end at the end of the bridge, even if the thread has no store.
    var runningThread: StoreThread? { thread ?? idleThread }

    /// The reason why there is no store, or why it refuses.
    package var absence: StoreAbsence? {
        switch state {
        case .none(let absence): absence
        case .refusing(let absence): absence
        case .open: nil
        }
    }

    /// Returns a number for contents that are to be stored.
    package func newEntry() -> EntryID {
        defer { nextEntry = EntryID(nextEntry.number + 1) }
        return nextEntry
    }

    /// Takes back the last numbers, unless other numbers were given out since.
    package func giveBack(_ numbers: ArraySlice<EntryID>) {
        if let first = numbers.first, let last = numbers.last, nextEntry.number == last.number + 1 { nextEntry = first }
    }

    // MARK: Counts

    /// The first count of pasteboards that the store does not know.
    var countFloor: Int { floor?.floor ?? 0 }

    /// Makes sure that no later bridge starts below `count`. Call this before the count is reported.
    package func reserve(_ count: Int) { floor?.reserve(count) }

    // MARK: Questions

    /// Asks the store. Questions are answered in the order in which they are asked.
    package func ask<Outcome: Sendable>(
        _ question: @escaping @Sendable (Store) throws(StoreFailure) -> Outcome
    ) async throws(StoreFailure) -> Outcome {
        guard let thread else { throw .unusable(absence?.message ?? "nothing is stored") }
        let (result, usage) = await thread.perform { store in
            (Result { () throws(StoreFailure) in try question(store) }, Self.usage(of: store))
        }
        self.usage = usage
        isLate = false
        return try result.get()
    }

    /// Writes a change. Without a store there is nothing to write, and this returns nil at once.
    ///
    /// - Parameters:
    ///   - entry: An entry without which nothing is written: it may have been deleted.
    ///   - read: An entry to be read afterwards.
    /// - Returns: The contents of the entry `read`, as the store has them.
    @discardableResult
    package func apply(
        _ change: StoreChange, needing entry: EntryID? = nil, thenReading read: EntryID? = nil
    ) async throws(StoreFailure) -> StoredContents? {
        guard thread != nil else { return nil }
        do throws(StoreFailure) {
            let stored = try await ask { (store) throws(StoreFailure) -> StoredContents? in
                var change = change
                for index in change.entries.indices where change.staged[change.entries[index].id] == nil {
                    change.entries[index].summary = EntrySummaries.summary(
                        of: change.entries[index].contents, files: change.entries[index].files)
                }
                if let entry, try !store.contains(entry) { throw .noSuchEntry(entry) }
                try store.apply(change)
                guard let read else { return nil }
                guard let stored = try store.contents(of: read) else { throw .noSuchEntry(read) }
                return stored
            }
            trouble = nil
            return stored
        } catch {
            note(error)
            throw error
        }
    }

    private func note(_ failure: StoreFailure) {
        // A deleted entry is not a failure of the store.
        if case .noSuchEntry = failure { return }
        trouble = failure.message
    }

    /// Starts to write the blob of long contents, ahead of their change.
    ///
    /// - Parameter expires: The time when the contents expire, in milliseconds since the Unix epoch.
    /// - Returns: nil without a store.
    package func stage(
        _ entry: NewEntry, expires: Int?
    ) -> (progress: CopyProgress, outcome: PendingValue<Result<StagedBlob, StoreFailure>?>)? {
        guard let thread, let folder else { return nil }
        return thread.copy { progress in
            var entry = entry
            entry.summary = EntrySummaries.summary(of: entry.contents, files: entry.files)
            return Result { () throws(StoreFailure) in
                try StagedBlob(entry, expires: expires, in: folder, progress: progress)
            }
        }
    }

    /// Records that the blob of long contents could not be written.
    func didNotStage(_ failure: StoreFailure) { note(failure) }

    /// Makes room on a full disk, as far as that is possible without losing anything.
    package func makeRoom() async -> Bool {
        await thread?.perform { $0.makeRoom() } ?? false
    }

    /// Records that a task has waited for the store in vain. A short wait says nothing about the disk: a client that
    /// waits only ten milliseconds must not cause other clients' writes to be refused.
    func didNotAnswer(within timeout: Duration) {
        if timeout >= .seconds(1) { isLate = true }
    }

    /// Waits until all changes made before now are written.
    package func settle() async {
        guard let thread, !thread.isIdle else { return }
        await thread.perform { _ in }
        isLate = false
    }

    private static func usage(of store: Store) -> Usage { (try? store.usage()) ?? (entries: 0, bytes: 0) }
}
