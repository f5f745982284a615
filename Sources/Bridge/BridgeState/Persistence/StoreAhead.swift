import Configuration
import EventLoop
import Logging
package import PasteboardStore
package import PasteboardWire
import X11Bridge

/// The storing of contents ahead of their claim, so that acknowledged contents survive a crash.
extension PasteboardPersistence {
    /// Contents that are stored ahead of their claim.
    package struct StoredVersion {
        /// The version to be claimed, with its bytes in the store's files.
        package let version: PasteboardState.Version
        /// The record that the store received; nil for contents that are not stored.
        package let record: StoredPasteboard?
    }

    /// Stores a version that is about to be the contents of a pasteboard (invariant 2): acknowledged contents cannot be
    /// lost, and if they cannot be stored, nothing has changed. The caller ends this with ``confirm(_:on:within:)`` or
    /// ``rollBack(_:within:)``; the owner of the pasteboard may change before that.
    ///
    /// - Parameter staged: The version's bytes, if they are long.
    package func storeAhead(
        _ version: PasteboardState.Version, _ staged: StagedEntry?, on pasteboard: PasteboardState,
        within timeout: Duration
    ) async throws(BridgeError) -> StoredVersion {
        if pasteboard.isPersistent { await reopenStore(within: timeout) }
        guard try canStore(version, on: pasteboard), let restorable = version.restorable,
            let change = addition(of: version, restorable, staged, to: pasteboard)
        else {
            if staged != nil { version.restorable?.didNotStore() }
            if version.draft.isBorrowed { throw .borrowedOnly }
            return StoredVersion(version: version, record: nil)
        }
        let (former, record, isNew) = (pasteboard.stored.record, change.pasteboards.first, !change.entries.isEmpty)
        pasteboard.stored.expect(restorable, isNew: isNew, with: record)
        let writing = executor.start(timeout: timeout) { [store] () throws(StoreFailure) in
            try await store.apply(
                change, needing: isNew ? nil : restorable.entry,
                thenReading: version.draft.isBorrowed ? restorable.entry : nil)
        }
        // While the store works, the display and the offer are prepared for the claim.
        display.prepareClaim()
        if display.isAttached, !version.draft.isBorrowed { _ = version.plan }
        let written: StoredContents??
        do throws(StoreFailure) {
            written = try await writing.value()
        } catch {
            _ = pasteboard.stored.takeIncoming()
            if isNew { restorable.didNotStore() }
            pasteboard.stored.didNotWrite(record, keeping: former)
            throw self.error(of: error)
        }
        guard let written else {
            store.didNotAnswer(within: timeout)
            withdrawComing(from: pasteboard)
            throw .diskStandsStill
        }
        restorable.didStore()
        return StoredVersion(version: written.map { settled(version, in: $0) } ?? version, record: record)
    }

    /// - Returns: false for contents that are not to be stored.
    func canStore(
        _ version: PasteboardState.Version, on pasteboard: PasteboardState
    ) throws(BridgeError) -> Bool {
        guard pasteboard.isPersistent, settings.configuration.persist, version.draft.isStorable else { return false }
        switch store.state {
        case .none: return false
        case .refusing(let absence): throw .cannotBeStored(absence.message)
        case .open where store.isLate: throw .diskStandsStill
        case .open: return true
        }
    }

    package func error(of failure: StoreFailure) -> BridgeError {
        if case .sourceCut = failure { return BridgeError(failure) }
        logger.warning("contents could not be stored: \(failure.message)")
        if case .noSuchEntry = failure { return BridgeError(failure) }
        return .cannotBeStored(failure.message)
    }

    /// Returns the version with its bytes in the store's files, and no longer in files that their owners may change.
    private func settled(_ version: PasteboardState.Version, in stored: StoredContents) -> PasteboardState.Version {
        versions.renewed(version, as: version.draft.settled(in: stored))
    }

    /// Ends ``storeAhead(_:_:on:within:)`` for contents that are owned now.
    package func confirm(
        _ record: StoredPasteboard?, on pasteboard: PasteboardState, within timeout: Duration
    ) async throws(BridgeError) {
        // Another record was written in between, so this one was written again: wait for that write.
        if let record, pasteboard.stored.record != record { try await settle([pasteboard], within: timeout) }
    }

    /// Rolls back the storing of contents whose claim failed, so that a restart does not restore them and the history
    /// does not list them.
    package func rollBack(_ pasteboard: PasteboardState, within timeout: Duration) async {
        // Contents that were on the pasteboard even for a moment stay stored, and are no longer incoming.
        guard pasteboard.stored.incoming != nil else { return }
        withdrawComing(from: pasteboard)
        await settle(within: timeout)
    }

    private func withdrawComing(from pasteboard: PasteboardState) {
        guard let incoming = pasteboard.stored.takeIncoming() else { return }
        writeRecord(of: pasteboard, withdrawing: incoming.isNew ? [incoming.contents.entry].compactMap(\.self) : [])
    }

    /// Returns the change that stores a version that is about to become the contents of a pasteboard; nil if the
    /// version cannot be stored.
    private func addition(
        of version: PasteboardState.Version, _ restorable: RestorableContents, _ staged: StagedEntry?,
        to pasteboard: PasteboardState
    ) -> StoreChange? {
        let count = pasteboard.count + 1
        var entries = [staged?.entry].compactMap(\.self)
        if restorable.entry == nil {
            guard let entry = newEntry(of: version, restorable, on: pasteboard, count: count) else { return nil }
            entries = [entry]
        }
        let stack = undoStack(of: pasteboard, after: version.cause)
        let record = record(
            of: pasteboard, count: count, entry: restorable.entry, expiry: version.expiry,
            origin: version.writer.origin,
            undo: stack)
        return StoreChange(
            entries: entries, pasteboards: [record], staged: staged.map { [$0.entry.id: $0.blob] } ?? [:])
    }
}

extension BridgeError {
    static let diskStandsStill = BridgeError.cannotBeStored("the disk does not answer")

    /// A file that can still change is copied into the store, and nowhere else.
    fileprivate static let borrowedOnly = BridgeError(
        .invalidBytes,
        "a descriptor is of a file that can still change, and these contents are not stored on disk; "
            + "pass a sealed memory file")
}
