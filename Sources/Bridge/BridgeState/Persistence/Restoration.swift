import Configuration
import EventLoop
import LinuxSystem
import Logging
import PasteboardModel
import PasteboardStore
import PasteboardWire

/// The state that an earlier bridge left in the store.
extension PasteboardPersistence {
    /// Opens the store and restores the pasteboards. Call this before any client is served.
    ///
    /// - Parameters:
    ///   - folder: The folder of the store, or the reason why nothing is stored.
    ///   - deadline: The deadline of the wait for the replaced bridge to release the store; nil not to wait.
    package func restore(
        from folder: Result<String, StoreAbsence>, awaitingOther deadline: ContinuousClock.Instant? = nil
    ) -> StoreThread? {
        do {
            let folder = try folder.get()
            guard settings.configuration.persist else { throw StoreAbsence.offAtStart }
            let (opening, opened) = try store.open(folder, limits: settings.storeLimits, awaitingOther: deadline)
            for notice in opening.notices { logger.warning("\(notice)") }
            if !opening.wasClosed || opening.forgetsCounts { registry.value.raise(to: store.countFloor) }
            for (name, count) in opening.counts { registry.value.restore(count, of: name, at: UnixTime.now) }
            for record in opening.pasteboards {
                let pasteboard = restore(record) { entry throws(StoreFailure) in try opened.contents(of: entry) }
                if let pasteboard { didRestore(pasteboard) }
            }
            let thread = try store.start(opened)
            // Contents that are lost, or have expired, must not come back later.
            for pasteboard in registry.all where pasteboard.isPersistent { writeRecord(of: pasteboard) }
            return thread
        } catch let absence as StoreAbsence {
            store.disable(absence)
            // The other reasons are intended.
            if absence.cause == .homeless { logger.error("contents are not stored: \(absence.message)") }
        } catch let failure as StoreFailure {
            logger.error("contents are not stored: \(failure.message)")
            return try? store.startIdle()
        } catch {
            store.disable(StoreAbsence(.failed, "no thread could be started: \(error)"))
            logger.error("contents are not stored: \(error)")
        }
        return nil
    }

    /// Opens a store that refused when the bridge started, if the store can be opened now. Later contents and the
    /// history are stored there. Pasteboards that exist already keep their contents.
    ///
    /// A disk that does not answer within the timeout leaves the store as it is.
    package func reopenStore(within timeout: Duration = CallTimeout.default) async {
        guard case .refusing = store.state else { return }
        await executor.withTimeout(timeout, cancels: false) { [self] in
            guard let reopening = await store.reopen(limits: settings.storeLimits) else { return }
            for notice in reopening.opening.notices { logger.warning("\(notice)") }
            logger.notice("contents are stored from now on: the store can be used again")
            adopt(reopening)
        }
    }

    private func adopt(_ reopening: StoreProxy.Reopening) {
        // Counts that the previous bridge has reported must not be reported again.
        registry.value.raise(to: (reopening.opening.pasteboards.map(\.count) + [store.countFloor]).max() ?? 0)
        for record in reopening.opening.pasteboards {
            if let pasteboard = registry[record.name] {
                registry.value.persist(record.name)
                pasteboard.maker = pasteboard.maker ?? record.maker
                prependLevels(of: record, to: pasteboard)
            } else if let pasteboard = restore(record, reading: { reopening.contents[$0] }) {
                didRestore(pasteboard)
            }
        }
        for pasteboard in registry.all where pasteboard.isPersistent {
            if !storeLate(pasteboard) { writeRecord(of: pasteboard) }
        }
    }

    /// Puts stored contents, and the levels before them, below the undo levels of a pasteboard. Contents that undo may
    /// not restore do not become a level.
    private func prependLevels(of record: StoredPasteboard, to pasteboard: PasteboardState) {
        let present = record.expires == nil && !record.isDeleted ? record.entry : nil
        let stored = record.undo + [present.map { StoredPasteboard.Level($0) }].compactMap(\.self)
        let recent = pasteboard.undo.undoable.map { (value: $0.value, action: $0.action) }
        pasteboard.undo.restore(undo: Self.restorable(stored) + recent, redo: [])
    }

    private static func restorable(
        _ levels: [StoredPasteboard.Level]
    ) -> [(value: RestorableContents, action: String?)] {
        levels.map { (RestorableContents($0.entry), $0.action) }
    }

    /// - Parameter read: Returns the contents of an entry; nil if they are lost.
    private func restore(
        _ record: StoredPasteboard, reading read: (EntryID) throws(StoreFailure) -> StoredContents?
    ) -> PasteboardState? {
        var holder = PasteboardState.Holder.nobody
        var levels = record.undo
        let left = timeLeft(of: record)
        if let entry = record.entry, left ?? 1 > 0 {
            do throws(StoreFailure) {
                if let contents = try read(entry) {
                    holder = .client(version(of: contents, expiringIn: left.map { bounded($0, record, contents) }))
                }
            } catch {
                logger.warning("stored contents could not be read: \(error.message)")
                // The contents may be readable later: undo leads back to them.
                if left == nil, !record.isDeleted { levels.append(StoredPasteboard.Level(entry)) }
            }
        }
        registry.value.restore(record.name, count: record.count, holder, at: UnixTime.now)
        guard let pasteboard = registry[record.name] else { return nil }
        pasteboard.undo.restore(undo: Self.restorable(levels), redo: Self.restorable(record.redo))
        let restorable = pasteboard.version?.restorable
        if record.isDeleted { restorable?.didDelete() }
        pasteboard.stored.restore(restorable, as: record)
        if let origin = record.origin { pasteboard.origin = origin }
        pasteboard.maker = record.maker
        return pasteboard
    }

    /// Returns the milliseconds until contents expire; nil if they do not expire. If the machine has not restarted, the
    /// time comes from a clock that is never set.
    private func timeLeft(of record: StoredPasteboard) -> Int? {
        guard let expires = record.expires else { return nil }
        if let boot = record.bootExpires, boot.boot == BootTime.identifier { return boot.time - BootTime.now }
        return expires - UnixTime.now
    }

    /// Returns the time left, but at most the time that the contents were given: the clock may have been set back.
    private func bounded(_ left: Int, _ record: StoredPasteboard, _ contents: StoredContents) -> Int {
        let given = record.expires.map { $0 - contents.created } ?? left
        return given > 0 ? min(left, given) : left
    }

    /// - Parameter left: The milliseconds until the expiry.
    private func version(
        of contents: StoredContents, expiringIn left: Int?
    ) -> PasteboardState.Version {
        let draft = Draft(contents, expiry: left.map { .now + .milliseconds($0) })
        return versions.version(
            of: draft, by: PasteboardState.Writer(process: 0, program: contents.program),
            as: .copy(action: contents.action),
            restoring: RestorableContents(contents.id, mayBeRestored: draft.isRestorable))
    }

    /// Applies changed settings, and removes entries and undo levels beyond them.
    package func applySettings() {
        for pasteboard in registry.all where pasteboard.hasUndo {
            pasteboard.undo.levels = settings.configuration.undoLevels
            writeRecord(of: pasteboard)
        }
        let limits = settings.storeLimits
        guard let thread = store.thread else { return }
        executor.start { await thread.perform { $0.limits = limits } }
    }

    /// Closes the store in an orderly way, with the present counts, after long contents under way are written.
    package func close() {
        guard let thread = store.runningThread else { return }
        isClosing = true
        // The last late write closes the store.
        guard lateWrites == 0 else { return }
        let counts = registry.value.allCounts
        thread.close { $0.close(counts: counts) }
    }
}

extension Store.Opening {
    /// True if ``counts`` may lack some of the removed pasteboards: the previous bridge remembered only a limited
    /// number.
    fileprivate var forgetsCounts: Bool { counts.count >= PasteboardRegistry.Value.defaultLimit }
}

extension Settings {
    fileprivate var storeLimits: Store.Limits {
        Store.Limits(
            entries: configuration.historyLimit, age: configuration.historyAge.map { .seconds($0) },
            bytes: configuration.historyBytes)
    }
}
