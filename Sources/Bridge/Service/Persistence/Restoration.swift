import Configuration
import EventLoop
import LinuxSystem
import Logging
import PasteboardModel
import PasteboardStore
import PasteboardWire

/// The state that an earlier bridge left in the store.
extension PasteboardPersistence {
    /// Opens the store and restores the pasteboards. Call it before anybody is served.
    ///
    /// - Parameters:
    ///   - folder: The folder of the store, or the reason why nothing is stored.
    ///   - deadline: The time until which to wait for the bridge that this one replaces, and that has the store; nil to
    ///     wait for none.
    func restore(
        from folder: Result<String, StoreAbsence>, awaitingOther deadline: ContinuousClock.Instant? = nil,
        didRestore: (PasteboardState) -> Void
    ) -> StoreThread? {
        do {
            let folder = try folder.get()
            guard settings.configuration.persist else { throw StoreAbsence.offAtStart }
            let (opening, opened) = try store.open(folder, limits: settings.storeLimits, awaitingOther: deadline)
            for notice in opening.notices { logger.warning("\(notice)") }
            if !opening.wasClosed { registry.value.raise(to: store.countFloor) }
            for (name, count) in opening.counts { registry.value.restore(count, of: name, at: UnixTime.now) }
            for record in opening.pasteboards {
                if let pasteboard = restore(record, from: opened) { didRestore(pasteboard) }
            }
            let thread = try store.start(opened)
            // Contents that are lost, or have expired, must not come back another time.
            for pasteboard in registry.all where pasteboard.isPersistent { writeRecord(of: pasteboard) }
            return thread
        } catch let absence as StoreAbsence {
            store.disable(absence)
            // The other reasons are intended.
            if absence.cause == .homeless { logger.error("contents are not stored: \(absence.message)") }
        } catch let failure as StoreFailure {
            logger.error("contents are not stored: \(failure.message)")
        } catch {
            store.disable(StoreAbsence(.failed, "no thread could be started: \(error)"))
            logger.error("contents are not stored: \(error)")
        }
        return nil
    }

    private func restore(_ record: StoredPasteboard, from opened: Store) -> PasteboardState? {
        var holder = PasteboardState.Holder.nobody
        var levels = record.undo
        let left = record.expires.map { $0 - UnixTime.now }
        if let entry = record.entry, left ?? 1 > 0 {
            do throws(StoreFailure) {
                if let version = try version(of: entry, expiringIn: left, from: opened) { holder = .client(version) }
            } catch {
                logger.warning("stored contents could not be read: \(error.message)")
                // They may be readable another time: undo leads back to them.
                if left == nil { levels.append(StoredPasteboard.Level(entry)) }
            }
        }
        registry.value.restore(record.name, count: record.count, holder, at: UnixTime.now)
        guard let pasteboard = registry[record.name] else { return nil }
        func restorable(_ levels: [StoredPasteboard.Level]) -> [(value: RestorableContents, action: String?)] {
            levels.map { (RestorableContents($0.entry), $0.action) }
        }
        pasteboard.undo.restore(undo: restorable(levels), redo: restorable(record.redo))
        pasteboard.restorable = pasteboard.version?.restorable
        pasteboard.record = record
        return pasteboard
    }

    /// - Parameter left: The milliseconds until the expiry.
    private func version(
        of entry: EntryID, expiringIn left: Int?, from opened: Store
    ) throws(StoreFailure) -> PasteboardState.Version? {
        guard let contents = try opened.contents(of: entry) else { return nil }
        let draft = Draft(contents, expiry: left.map { .now + .milliseconds($0) })
        return versions.version(
            of: draft, by: PasteboardState.Writer(process: 0, program: contents.program),
            as: .copy(action: contents.action),
            restoring: RestorableContents(entry, mayBeRestored: draft.isRestorable))
    }

    /// Applies changed settings: entries and undo levels beyond them go.
    func applySettings() {
        for pasteboard in registry.all where pasteboard.name.isSystem {
            pasteboard.undo.levels = settings.configuration.undoLevels
            writeRecord(of: pasteboard)
        }
        let limits = settings.storeLimits
        guard let thread = store.thread else { return }
        executor.start { await thread.perform { $0.limits = limits } }
    }

    /// Closes the store in order, with the counts as they are.
    package func close() {
        guard let thread = store.thread else { return }
        let counts = registry.value.allCounts
        thread.close { $0.close(counts: counts) }
    }
}

extension Settings {
    fileprivate var storeLimits: Store.Limits {
        Store.Limits(
            entries: configuration.historyLimit, age: configuration.historyAge.map { .seconds($0) },
            bytes: configuration.historyBytes)
    }
}
