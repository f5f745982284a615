import Configuration
import Logging
import PasteboardModel
import PasteboardStore

/// What an earlier bridge left.
extension Service {
    /// Opens the store and takes what was on the pasteboards. To be called before anybody is served.
    ///
    /// - Parameters:
    ///   - folder: Where to, or why nothing is stored.
    ///   - deadline: Until when the bridge is waited for that this one replaces, and that has the store; nil for none.
    /// - Returns: The store's thread, if there is a store.
    func restart(
        from folder: Result<String, StoreAbsence>, awaitingOther deadline: ContinuousClock.Instant? = nil
    ) -> StoreThread? {
        do {
            let folder = try folder.get()
            guard settings.configuration.persist else { throw StoreAbsence.setOff }
            let (opening, opened) = try store.open(
                folder, limits: settings.storeLimits, awaitingOther: deadline)
            for notice in opening.notices { logger.warning("\(notice)") }
            if !opening.wasClosed { table.value.raise(to: store.countFloor) }
            for (name, count) in opening.counts { table.value.restore(count, of: name, at: UnixTime.now) }
            for board in opening.boards { restore(board, from: opened) }
            let thread = try store.start(opened)
            // What is gone, or too old to come back, is not to be there another time.
            for board in table.all where board.isPersistent { writeRecord(of: board) }
            return thread
        } catch let absence as StoreAbsence {
            store.forgo(absence.rawValue)
            // The others are as somebody wants it.
            if absence == .homeless { logger.error("contents are not stored: \(absence.rawValue)") }
        } catch let failure as StoreFailure {
            logger.error("contents are not stored: \(failure.message)")
        } catch {
            store.forgo("no thread could be started: \(error)")
            logger.error("contents are not stored: \(error)")
        }
        return nil
    }

    private func restore(_ stored: StoredBoard, from opened: Store) {
        var holder = Board.Holder.nobody
        var levels = stored.undo
        let left = stored.expires.map { $0 - UnixTime.now }
        if let entry = stored.entry, left ?? 1 > 0 {
            do throws(StoreFailure) {
                if let contents = try opened.contents(of: entry) {
                    let draft = Draft(contents, expiry: left.map { .now + .milliseconds($0) })
                    holder = .client(
                        version(
                            of: draft, by: Board.Writer(process: 0, program: contents.program),
                            as: .copy(action: contents.action), kept: Kept(entry, mayReturn: draft.mayBeKept)))
                }
            } catch {
                logger.warning("stored contents could not be read: \(error.message)")
                // Another time they may be: they can be gone back to.
                if left == nil { levels.append(StoredBoard.Level(entry)) }
            }
        }
        table.value.restore(stored.name, count: stored.count, holder, at: UnixTime.now)
        guard let board = table[stored.name] else { return }
        func kept(_ levels: [StoredBoard.Level]) -> [(value: Kept, action: String?)] {
            levels.map { (Kept($0.entry), $0.action) }
        }
        board.undo.restore(undo: kept(levels), redo: kept(stored.redo))
        board.kept = board.version?.kept
        board.record = stored
        link.watch(board.selection)
        expire(board)
    }

    /// The user changed the settings: what is kept beyond them goes.
    func applySettings() {
        link.keep(to: settings.configuration.limits)
        for board in table.all where board.name.isSystem {
            board.undo.levels = settings.configuration.undoLevels
            writeRecord(of: board)
        }
        uploads.limits = settings.configuration.limits
        let limits = settings.storeLimits
        store.thread?.perform {
            $0.limits = limits
        } _: {
        }
    }

    /// An orderly end: the counts are kept as they are.
    func closeStore() {
        guard let thread = store.thread else { return }
        let counts = table.value.allCounts
        thread.close { $0.close(counts: counts) }
    }
}

extension Settings {
    var storeLimits: Store.Limits {
        Store.Limits(
            entries: configuration.historyLimit, age: configuration.historyAge.map { .seconds($0) },
            bytes: configuration.historyBytes)
    }
}
