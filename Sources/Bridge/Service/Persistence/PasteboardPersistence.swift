import Configuration
import EventLoop
import Logging
import PasteboardModel
import PasteboardStore
import PasteboardWire
import X11Bridge

/// The contents that outlive their writers and the bridge: after each change the store receives a record of the
/// pasteboard, with what undo and redo can restore.
package final class PasteboardPersistence {
    let store: StoreProxy
    let registry: PasteboardRegistry
    let settings: Settings
    let versions: VersionFactory
    private let display: DisplayProxy
    let executor: EventLoopExecutor
    let logger: Logger

    init(
        store: StoreProxy, registry: PasteboardRegistry, versions: VersionFactory, settings: Settings,
        display: DisplayProxy, executor: EventLoopExecutor, logger: Logger
    ) {
        self.store = store
        self.registry = registry
        self.versions = versions
        self.settings = settings
        self.display = display
        self.executor = executor
        self.logger = logger
    }

    // MARK: Before a claim

    /// Contents that are stored ahead of their claim.
    struct StoredVersion {
        /// The version to be claimed, whose bytes are where the store has them.
        let version: PasteboardState.Version
        /// The record that the store received; nil for contents that are not stored.
        let record: StoredBoard?
    }

    /// Stores a version that is about to be the contents of a pasteboard: acknowledged contents cannot be lost, and if
    /// they cannot be stored, nothing has changed. The caller ends this by ``confirm(_:on:within:)`` or
    /// ``rollBack(_:within:)``; the owner of the pasteboard may change meanwhile.
    func storeAhead(
        _ version: PasteboardState.Version, on pasteboard: PasteboardState, within timeout: Duration
    ) async throws(BridgeError) -> StoredVersion {
        guard try canStore(version, on: pasteboard), let restorable = version.restorable,
            let change = addition(of: version, restorable, to: pasteboard)
        else {
            if version.draft.isBorrowed { throw .borrowedOnly }
            return StoredVersion(version: version, record: nil)
        }
        let (former, record, isNew) = (pasteboard.record, change.boards.first, !change.entries.isEmpty)
        pasteboard.record = record
        pasteboard.coming = (restorable, isNew)
        let writing = executor.start(timeout: timeout) { [store] () throws(StoreFailure) in
            try await store.apply(
                change, needing: isNew ? nil : restorable.entry,
                thenReading: version.draft.isBorrowed ? restorable.entry : nil)
        }
        // While the store works: what the claim will need.
        display.prepareClaim()
        if display.isAttached, !version.draft.isBorrowed { _ = version.plan }
        do {
            guard let stored = try await writing.value() else {
                store.isLate = true
                withdrawComing(from: pasteboard)
                throw BridgeError.diskStandsStill
            }
            restorable.didStore()
            return StoredVersion(version: stored.map { settled(version, in: $0) } ?? version, record: record)
        } catch let failure as StoreFailure {
            pasteboard.coming = nil
            if isNew { restorable.didNotStore() }
            if pasteboard.record == record { pasteboard.record = former }
            throw error(of: failure)
        } catch {
            throw error as? BridgeError ?? .diskStandsStill
        }
    }

    /// - Returns: false for contents that are not to be stored.
    private func canStore(
        _ version: PasteboardState.Version, on pasteboard: PasteboardState
    ) throws(BridgeError) -> Bool {
        guard pasteboard.isPersistent, settings.configuration.persist, version.draft.mayBeStored else { return false }
        switch store.state {
        case .none: return false
        case .refusing(let reason): throw .cannotBeStored(reason)
        case .open where store.isLate: throw .diskStandsStill
        case .open: return true
        }
    }

    private func error(of failure: StoreFailure) -> BridgeError {
        if case .sourceCut = failure { return BridgeError(failure) }
        logger.warning("contents could not be stored: \(failure.message)")
        if case .noSuchEntry = failure { return BridgeError(failure) }
        return .cannotBeStored(failure.message)
    }

    /// The version with its bytes where the store has them, and no longer in files that their owners may change.
    private func settled(_ version: PasteboardState.Version, in stored: StoredContents) -> PasteboardState.Version {
        versions.renewed(version, as: version.draft.settled(in: stored))
    }

    /// Ends ``storeAhead(_:on:within:)`` for contents that are owned now.
    func confirm(
        _ record: StoredBoard?, on pasteboard: PasteboardState, within timeout: Duration
    ) async throws(BridgeError) {
        // Another record that was written in between has replaced it, and it was written again after that.
        if let record, pasteboard.record != record { try await settle([pasteboard], within: timeout) }
    }

    /// Rolls back a store write whose claim failed, so that a restart does not restore it and the history does not list
    /// it.
    func rollBack(_ pasteboard: PasteboardState, within timeout: Duration) async {
        // The contents may have been there for a moment: then they count.
        guard pasteboard.coming != nil else { return }
        withdrawComing(from: pasteboard)
        await settle(within: timeout)
    }

    private func withdrawComing(from pasteboard: PasteboardState) {
        guard let coming = pasteboard.coming else { return }
        pasteboard.coming = nil
        writeRecord(of: pasteboard, withdrawing: coming.isNew ? [coming.contents.entry].compactMap(\.self) : [])
    }

    /// Returns the change that stores contents which are about to be those of a pasteboard; nil for contents that
    /// cannot be stored.
    private func addition(
        of version: PasteboardState.Version, _ restorable: RestorableContents, to pasteboard: PasteboardState
    ) -> StoreChange? {
        let count = pasteboard.count + 1
        var entries: [NewEntry] = []
        if restorable.entry == nil {
            guard let entry = newEntry(of: version, restorable, on: pasteboard, count: count) else { return nil }
            entries = [entry]
        }
        let stack = undoStack(of: pasteboard, after: version.cause)
        let record = record(
            of: pasteboard, count: count, entry: restorable.entry, expiry: version.expiry, undo: stack)
        return StoreChange(entries: entries, boards: [record])
    }

    private func newEntry(
        of version: PasteboardState.Version, _ restorable: RestorableContents, on pasteboard: PasteboardState,
        count: Int
    ) -> NewEntry? {
        // If the setting is turned off while the store is open, contents stay in memory from then on.
        guard settings.configuration.persist, let files = version.draft.files else { return nil }
        let id = store.newEntry()
        restorable.willStore(as: id)
        var action: String?
        if case .copy(let name, _) = version.cause { action = name }
        return NewEntry(
            id: id, contents: files.contents, files: files.files, pasteboard: pasteboard.name, count: count,
            created: UnixTime.now, action: action, program: version.writer.program, isLocalOnly: version.isLocalOnly,
            isListed: isListed(version, on: pasteboard))
    }

    /// True if contents go to the history.
    private func isListed(_ version: PasteboardState.Version, on pasteboard: PasteboardState) -> Bool {
        settings.configuration.history && !store.isPaused && pasteboard.name.isSystem && version.draft.mayBeKept
            && !version.contents.marks.isAutoGenerated
    }

    // MARK: Records

    private func undoStack(of pasteboard: PasteboardState, after cause: ChangeCause) -> UndoStack<RestorableContents> {
        switch cause {
        case .undo(var stack):
            // Some may have been deleted since.
            stack.removeAll { !$0.isRestorable }
            return stack
        case .copy(let action, let group):
            var stack = pasteboard.undo
            stack.record(
                pasteboard.restorable ?? .nothing, action: action, event: group.map { pasteboard.event(of: $0) })
            return stack
        }
    }

    private func record(
        of pasteboard: PasteboardState, count: Int, entry: EntryID?, expiry: ContinuousClock.Instant?,
        undo: UndoStack<RestorableContents>
    ) -> StoredBoard {
        func levels(_ entries: [UndoStack<RestorableContents>.Entry]) -> [StoredBoard.Level] {
            entries.compactMap { level in level.value.entry.map { StoredBoard.Level($0, action: level.action) } }
        }
        return StoredBoard(
            name: pasteboard.name, count: count, entry: entry, coming: pasteboard.coming?.contents.entry,
            expires: entry == nil ? nil : expiry.map { UnixTime.now + ($0 - .now).wholeMilliseconds },
            undo: levels(undo.undoable), redo: levels(undo.redoable))
    }

    /// Writes the record of a pasteboard, unless the store has it. A count alone is not written: no later bridge starts
    /// below it, see ``StoreProxy/reserve(_:)``.
    ///
    /// - Parameter withdrawn: Entries that leave the history with it.
    func writeRecord(of pasteboard: PasteboardState, withdrawing withdrawn: [EntryID] = []) {
        guard store.thread != nil else { return }
        var present: StoredBoard?
        if pasteboard.isPersistent, !pasteboard.isRemoved {
            present = record(
                of: pasteboard, count: pasteboard.count, entry: pasteboard.restorable?.entry,
                expiry: pasteboard.version?.expiry, undo: pasteboard.undo)
        }
        let isKnown = present.map { isStored($0, for: pasteboard) } ?? true
        guard !isKnown || !withdrawn.isEmpty else { return }
        if let present { pasteboard.record = present }
        write(StoreChange(boards: present.map { [$0] } ?? [], withdrawn: withdrawn), of: pasteboard, present)
    }

    private func isStored(_ present: StoredBoard, for pasteboard: PasteboardState) -> Bool {
        guard let last = pasteboard.record else { return false }
        var same = present
        same.count = last.count
        // Computed from another clock each time, it may differ by a little.
        same.expires = last.entry == present.entry ? last.expires : present.expires
        return same == last
    }

    /// Writes a change in the background. A failure is reported by the next ``settle(_:within:)``.
    private func write(
        _ change: StoreChange, of pasteboard: PasteboardState, _ record: StoredBoard?,
        onSuccess: @escaping () -> Void = {}, onFailure: @escaping () -> Void = {}
    ) {
        executor.start { [store, logger] in
            do throws(StoreFailure) {
                try await store.apply(change)
                onSuccess()
            } catch {
                onFailure()
                if pasteboard.record == record { pasteboard.record = nil }
                pasteboard.storeFailure = error.message
                logger.warning("the contents of \(pasteboard.name) could not be stored: \(error.message)")
            }
        }
    }

    // MARK: After a change

    /// Notes a change: undo can restore the former contents, and the store receives the new record.
    func noteChange(of pasteboard: PasteboardState) {
        let cause: ChangeCause
        let restorable: RestorableContents?
        switch pasteboard.holder {
        case .client(let version): (cause, restorable) = (version.cause, version.restorable)
        case .foreign: (cause, restorable) = (.copy(action: nil, group: pasteboard.foreignEvent), nil)
        case .nobody: (cause, restorable) = (.copy(action: "Clear"), nil)
        }
        // Only the system's pasteboards have undo.
        if pasteboard.name.isSystem { pasteboard.undo = undoStack(of: pasteboard, after: cause) }
        pasteboard.restorable = restorable
        if let restorable, restorable === pasteboard.coming?.contents { pasteboard.coming = nil }
        // Contents that could not be stored ahead may have had their last promise fulfilled since.
        if !storeLate(pasteboard) { writeRecord(of: pasteboard) }
    }

    /// Stores contents that have become complete: a capture, or the last promise; or the contents of a pasteboard that
    /// has become persistent.
    ///
    /// - Returns: true if the store receives them.
    @discardableResult
    func storeLate(_ pasteboard: PasteboardState) -> Bool {
        guard let version = pasteboard.captured ?? pasteboard.version, let restorable = version.restorable else {
            return false
        }
        let former = pasteboard.restorable
        pasteboard.restorable = restorable
        if pasteboard.captured != nil, case .copy(let action?, _) = version.cause { pasteboard.undo.nameLast(action) }
        guard restorable.entry == nil, store.thread != nil, pasteboard.isPersistent, !pasteboard.isRemoved,
            version.draft.mayBeStored,
            let entry = newEntry(of: version, restorable, on: pasteboard, count: pasteboard.count)
        else { return false }
        let present = record(
            of: pasteboard, count: pasteboard.count, entry: entry.id, expiry: version.expiry, undo: pasteboard.undo)
        pasteboard.record = present
        // The new entry includes all that an earlier capture of the same contents has.
        let replaced = former === restorable ? [] : [former?.entry].compactMap(\.self)
        write(
            StoreChange(entries: [entry], boards: [present], withdrawn: replaced), of: pasteboard, present,
            onSuccess: restorable.didStore, onFailure: restorable.didNotStore)
        return true
    }

    /// Waits until the store has all changes made so far: an acknowledged change does not come undone when the bridge
    /// is killed. Records that could not be written before are written again.
    func settle(
        _ pasteboards: [PasteboardState], within timeout: Duration = CallTimeout.default
    ) async throws(BridgeError) {
        for pasteboard in pasteboards where pasteboard.record == nil { writeRecord(of: pasteboard) }
        guard await settle(within: timeout) else { throw .changedButNotStored("the disk does not answer") }
        let reason = pasteboards.lazy.compactMap(\.storeFailure).first
        for pasteboard in pasteboards { pasteboard.storeFailure = nil }
        if let reason { throw .changedButNotStored(reason) }
    }

    /// - Returns: false if the store does not answer in time.
    @discardableResult
    private func settle(within timeout: Duration) async -> Bool {
        let isSettled = await executor.withTimeout(timeout) { [store] in await store.settle() } != nil
        if !isSettled { store.isLate = true }
        return isSettled
    }

    /// Asks the store, without a timeout.
    func ask<Outcome: Sendable>(
        _ question: @escaping @Sendable (Store) throws(StoreFailure) -> Outcome
    ) async throws(BridgeError) -> Outcome {
        guard store.thread != nil else {
            let reason = store.reason.map { ": \($0)" } ?? ""
            throw BridgeError(.refused, "there is no history, since nothing is stored\(reason)")
        }
        do throws(StoreFailure) {
            return try await store.ask(question)
        } catch {
            throw BridgeError(error)
        }
    }

    /// Returns the result of `work`, or throws if the disk does not answer in time. The work is completed all the same
    /// once the disk answers.
    func withDiskTimeout<Value>(
        _ work: @escaping () async throws(BridgeError) -> Value
    ) async throws(BridgeError) -> Value {
        if let value = try await executor.withTimeout(CallTimeout.default, cancels: false, work) { return value }
        store.isLate = true
        throw BridgeError(
            .refused, "the disk that the history is on does not answer; what was to be changed is, once it does")
    }

    /// Removes a pasteboard from the store.
    func removeRecord(of pasteboard: PasteboardState) {
        // Another pasteboard of that name may have been made, and stored, since this one was removed.
        if let present = registry[pasteboard.name], present !== pasteboard, present.isPersistent { return }
        pasteboard.record = nil
        pasteboard.restorable?.didUnstore((pasteboard.captured ?? pasteboard.version)?.draft)
        executor.start { [store, logger] in
            do throws(StoreFailure) {
                try await store.apply(StoreChange(removed: [pasteboard.name]))
            } catch {
                pasteboard.storeFailure = error.message
                logger.warning("the removal of \(pasteboard.name) could not be stored: \(error.message)")
            }
        }
    }
}

extension BridgeError {
    init(_ failure: StoreFailure) {
        switch failure {
        case .noSuchEntry: self.init(.noSuchEntry, "\(failure.message); 'xpb history' lists those that are")
        case .sourceCut: self.init(.transferBroken, "\(failure.message); nothing was changed")
        default: self.init(.refused, failure.message)
        }
    }

    fileprivate static func cannotBeStored(_ reason: String) -> BridgeError {
        BridgeError(
            .refused,
            "nothing was changed, since it could not be kept on disk: \(reason); "
                + "'xpb set --memory' keeps it until the bridge ends")
    }

    fileprivate static let diskStandsStill = BridgeError.cannotBeStored("the disk does not answer")

    /// A file that can still change is copied into the store, and nowhere else.
    fileprivate static let borrowedOnly = BridgeError(
        .invalidBytes,
        "a descriptor is of a file that can still change, and what is written does not go to the disk; "
            + "pass a sealed memory file")

    fileprivate static func changedButNotStored(_ reason: String) -> BridgeError {
        BridgeError(
            .notStored, "it was done, and may come undone when the bridge ends, since it could not be stored: \(reason)"
        )
    }
}
