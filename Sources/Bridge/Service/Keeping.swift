import Configuration
import Logging
import PasteboardModel
import PasteboardStore
import PasteboardWire

/// Why contents came.
enum Cause {
    /// Somebody copied. Changes in a row of the same group are undone at once.
    case copy(action: String?, group: String? = nil)
    /// Earlier contents came back; what can be undone and redone from there.
    case travel(UndoStack<Kept>)
}

/// What outlives those who wrote it, and the bridge: after each change the store is told what is on a pasteboard, and
/// what can be gone back to from there.
extension Service {
    // MARK: Before a write

    /// Makes sure that contents outlive the bridge before they are owned, where they are to: what is acknowledged cannot
    /// be lost, and where it cannot be kept nothing has changed. Who owns the pasteboard may change meanwhile, and once
    /// more before they are owned: they are held until ``arrived(_:on:_:)`` or ``withdraw(from:_:)``.
    ///
    /// - Parameters:
    ///   - patience: What is not stored by then is not owned, and is in no history once it is.
    ///   - finish: Called with the version to be owned, and what the store was told in advance; that is nil for contents
    ///     that are not stored.
    func keep(
        _ version: Board.Version, on board: Board, within patience: Duration,
        _ finish: @escaping (Result<(version: Board.Version, record: StoredBoard?), BridgeError>) -> Void
    ) {
        let isBorrowed = version.draft.isBorrowed
        func finishUnstored() { finish(isBorrowed ? .failure(.borrowedOnly) : .success((version, nil))) }
        guard board.isPersistent, settings.configuration.persist, version.draft.mayBeStored else {
            return finishUnstored()
        }
        switch store.state {
        case .none: return finishUnstored()
        case .refusing(let reason): return finish(.failure(.cannotBeKept(reason)))
        case .open where store.isLate: return finish(.failure(.diskStandsStill))
        case .open: break
        }
        let former = board.record
        guard let kept = version.kept, let change = addition(of: version, kept, to: board, count: board.count + 1)
        else {
            return finishUnstored()
        }
        let record = change.boards.first
        let isNew = !change.entries.isEmpty
        board.record = record
        board.coming = (kept, isNew)
        let late = { [self] in
            withdrawComing(from: board)
            finish(.failure(.diskStandsStill))
        }
        let done = inTime(patience, late: late) { [self] (result: Result<StoredContents?, StoreFailure>) in
            switch result {
            case .success(let stored):
                kept.stored()
                let settled = stored.map { self.version(version, settledIn: $0) } ?? version
                finish(.success((settled, record)))
            case .failure(let failure):
                board.coming = nil
                if isNew { kept.notStored() }
                if board.record == record { board.record = former }
                if case .sourceCut = failure { return finish(.failure(BridgeError(failure))) }
                logger.warning("contents could not be stored: \(failure.message)")
                if case .noSuchEntry = failure { return finish(.failure(BridgeError(failure))) }
                finish(.failure(.cannotBeKept(failure.message)))
            }
        }
        store.apply(
            change, needing: kept.entry.flatMap { isNew ? nil : $0 }, thenReading: isBorrowed ? kept.entry : nil, done)
        // What the claim will need, while the store works.
        link.prepareClaim()
        if link.isAttached, !isBorrowed { _ = version.plan }
    }

    /// A version whose bytes are where the store has them, and no longer in files that their owners may change.
    private func version(_ version: Board.Version, settledIn stored: StoredContents) -> Board.Version {
        self.version(of: version.draft.settled(in: stored), by: version.writer, as: version.cause, like: version)
    }

    /// Contents are owned that the store was told of in advance. What it was told in between is told anew by then, and
    /// waited for.
    func arrived(
        _ record: StoredBoard?, on board: Board, within patience: Duration,
        _ finish: @escaping (BridgeError?) -> Void
    ) {
        guard let record, board.record != record else { return finish(nil) }
        whenKept([board], within: patience, finish)
    }

    /// Contents are not owned that the store was told of in advance: they are not there after a restart, and in no history.
    func withdraw(from board: Board, within patience: Duration, _ finish: @escaping () -> Void) {
        // It may have been there for a moment.
        guard board.coming != nil else { return finish() }
        withdrawComing(from: board)
        // Late or not, it is told what came of the contents.
        store.settle(inTime(patience, late: finish, finish))
    }

    private func withdrawComing(from board: Board) {
        guard let coming = board.coming else { return }
        board.coming = nil
        writeRecord(of: board, withdrawing: coming.isNew ? [coming.kept.entry].compactMap(\.self) : [])
    }

    /// What the store is to be told of contents that are about to be those of a pasteboard; nil for what cannot be stored.
    private func addition(of version: Board.Version, _ kept: Kept, to board: Board, count: Int) -> StoreChange? {
        var entries: [NewEntry] = []
        if kept.entry == nil {
            guard let entry = newEntry(of: version, kept, on: board, count: count) else { return nil }
            entries = [entry]
        }
        let stack = undoStack(of: board, after: version.cause)
        return StoreChange(
            entries: entries,
            boards: [record(of: board, count: count, entry: kept.entry, expiry: version.expiry, undo: stack)])
    }

    private func newEntry(of version: Board.Version, _ kept: Kept, on board: Board, count: Int) -> NewEntry? {
        // Turned off while the store is open, contents stay in memory from then on.
        guard settings.configuration.persist, let files = version.draft.files else { return nil }
        let id = store.newEntry()
        kept.store(as: id)
        var action: String?
        if case .copy(let name, _) = version.cause { action = name }
        return NewEntry(
            id: id, contents: files.contents, files: files.files, pasteboard: board.name, count: count,
            created: UnixTime.now, action: action, program: version.writer.program, isLocalOnly: version.isLocalOnly,
            isListed: isListed(version, on: board))
    }

    /// Whether contents go to the history.
    private func isListed(_ version: Board.Version, on board: Board) -> Bool {
        settings.configuration.history && !store.isPaused && board.name.isSystem && version.draft.mayBeKept
            && !version.contents.marks.isAutoGenerated
    }

    private func undoStack(of board: Board, after cause: Cause) -> UndoStack<Kept> {
        switch cause {
        case .travel(var stack):
            // What was deleted since.
            stack.removeAll { !$0.isThere }
            return stack
        case .copy(let action, let group):
            var stack = board.undo
            stack.record(board.kept ?? .nothing, action: action, event: group.map { board.event(of: $0) })
            return stack
        }
    }

    private func record(
        of board: Board, count: Int, entry: EntryID?, expiry: ContinuousClock.Instant?, undo: UndoStack<Kept>
    ) -> StoredBoard {
        func levels(_ entries: [UndoStack<Kept>.Entry]) -> [StoredBoard.Level] {
            entries.compactMap { level in level.value.entry.map { StoredBoard.Level($0, action: level.action) } }
        }
        return StoredBoard(
            name: board.name, count: count, entry: entry, coming: board.coming?.kept.entry,
            expires: entry == nil ? nil : expiry.map { UnixTime.now + ($0 - .now).wholeMilliseconds },
            undo: levels(undo.undoable), redo: levels(undo.redoable))
    }

    // MARK: After a change

    /// A pasteboard changed: what was there can be gone back to, and the store is told.
    func keepTrack(of board: Board) {
        let cause: Cause
        let kept: Kept?
        switch board.holder {
        case .client(let version): (cause, kept) = (version.cause, version.kept)
        case .foreign: (cause, kept) = (.copy(action: nil, group: board.foreignEvent), nil)
        case .nobody: (cause, kept) = (.copy(action: "Clear"), nil)
        }
        // A system pasteboard alone can be gone back on.
        if board.name.isSystem { board.undo = undoStack(of: board, after: cause) }
        board.kept = kept
        if let kept, kept === board.coming?.kept { board.coming = nil }
        // Of contents that could not be stored in advance the last promise may have been kept since.
        if !keepLate(board) { writeRecord(of: board) }
    }

    /// Tells the store how a pasteboard is, unless it knows. Told before it is asked, a count apart: that of a change is
    /// kept by the floor of all counts.
    ///
    /// - Parameter withdrawn: Entries that leave the history with that.
    func writeRecord(of board: Board, withdrawing withdrawn: [EntryID] = []) {
        guard store.thread != nil else { return }
        let present =
            !board.isPersistent || board.isRemoved
            ? nil
            : record(
                of: board, count: board.count, entry: board.kept?.entry, expiry: board.version?.expiry,
                undo: board.undo)
        let isKnown = present.map { isTold($0, of: board) } ?? true
        guard !isKnown || !withdrawn.isEmpty else { return }
        if let present { board.record = present }
        store.apply(StoreChange(boards: present.map { [$0] } ?? [], withdrawn: withdrawn)) { [self] result in
            guard case .failure(let failure) = result else { return }
            if board.record == present { board.record = nil }
            board.notKept = failure.message
            logger.warning("what is on \(board.name) could not be stored: \(failure.message)")
        }
    }

    private func isTold(_ present: StoredBoard, of board: Board) -> Bool {
        guard let last = board.record else { return false }
        var same = present
        same.count = last.count
        // Computed anew from another clock, it may differ by a little.
        same.expires = last.entry == present.entry ? last.expires : present.expires
        return same == last
    }

    /// What was captured of a foreign owner, or what was promised, is there now: it is kept as well. So is what is on a
    /// pasteboard that is persistent from now on.
    ///
    /// - Returns: Whether the store is told of it.
    @discardableResult
    func keepLate(_ board: Board) -> Bool {
        guard let version = board.captured ?? board.version, let kept = version.kept else { return false }
        let former = board.kept
        board.kept = kept
        if board.captured != nil, case .copy(let action?, _) = version.cause { board.undo.nameLast(action) }
        guard kept.entry == nil, store.thread != nil, board.isPersistent, !board.isRemoved, version.draft.mayBeStored,
            let entry = newEntry(of: version, kept, on: board, count: board.count)
        else { return false }
        let present = record(
            of: board, count: board.count, entry: entry.id, expiry: version.expiry, undo: board.undo)
        board.record = present
        // It has all that was captured of the same contents before.
        let replaced = former === kept ? [] : [former?.entry].compactMap(\.self)
        store.apply(StoreChange(entries: [entry], boards: [present], withdrawn: replaced)) { [self] result in
            switch result {
            case .success: kept.stored()
            case .failure(let failure):
                kept.notStored()
                if board.record == present { board.record = nil }
                board.notKept = failure.message
                logger.warning("what is on \(board.name) could not be stored: \(failure.message)")
            }
        }
        return true
    }

    /// Calls `finish` when the store knows all that was changed until now: a change that was acknowledged does not come
    /// undone when the bridge is killed. What it could not be told before is told once more.
    func whenKept(
        _ boards: [Board], within patience: Duration = Patience.usual, _ finish: @escaping (BridgeError?) -> Void
    ) {
        for board in boards where board.record == nil { writeRecord(of: board) }
        let late = { finish(.changedAndNotKept("the disk does not answer")) }
        store.settle(
            inTime(patience, late: late) {
                let reason = boards.lazy.compactMap(\.notKept).first
                for board in boards { board.notKept = nil }
                finish(reason.map { .changedAndNotKept($0) })
            })
    }

    // MARK: Pasteboards that come and go

    /// A pasteboard is no longer to be kept.
    func forget(_ board: Board) {
        // Another one of that name may have been made, and told of, since this one was removed.
        if let present = table[board.name], present !== board, present.isPersistent { return }
        board.record = nil
        board.kept?.unstored((board.captured ?? board.version)?.draft)
        store.apply(StoreChange(removed: [board.name])) { [logger] result in
            guard case .failure(let failure) = result else { return }
            board.notKept = failure.message
            logger.warning("the removal of \(board.name) could not be stored: \(failure.message)")
        }
    }
}

extension BridgeError {
    static func cannotBeKept(_ reason: String) -> BridgeError {
        BridgeError(
            .refused,
            "nothing was changed, since it could not be kept on disk: \(reason); "
                + "'xpb set --memory' keeps it until the bridge ends")
    }

    /// A file that can still change is copied into the store, and nowhere else.
    static let borrowedOnly = BridgeError(
        .invalidBytes,
        "a descriptor is of a file that can still change, and what is written does not go to the disk; "
            + "pass a sealed memory file")

    static func changedAndNotKept(_ reason: String) -> BridgeError {
        BridgeError(
            .notStored, "it was done, and may come undone when the bridge ends, since it could not be stored: \(reason)"
        )
    }
}

extension Draft {
    /// What a copy of these contents is called where its writer gives it no name.
    func action(by writer: Board.Writer) -> String {
        guard let program = writer.program else { return "Copy" }
        return "Copy from \(program)"
    }
}
