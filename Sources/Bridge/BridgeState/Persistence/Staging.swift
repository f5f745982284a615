import EventLoop
import LinuxSystem
import PasteboardModel
package import PasteboardStore
package import PasteboardWire

/// The writing of long contents ahead of their change. Until the bytes of such contents are written, nothing depends on
/// them: other contents can be stored, owned and acknowledged first, even on the same pasteboard.
extension PasteboardPersistence {
    /// Contents whose bytes are in the store, and whose change is yet to be made.
    package struct StagedEntry {
        package let entry: NewEntry
        let blob: StagedBlob
    }

    /// The number of checks of a copy's progress within a timeout.
    private static let looks = 8

    /// Writes the bytes of a version that is about to be stored, if it is long.
    ///
    /// - Parameters:
    ///   - idleTimeout: The time for which the copy may make no progress.
    ///   - isWanted: Returns false once the client that waits for the copy has ended.
    /// - Returns: nil for contents that are short, are not stored, or are already in the store.
    package func stage(
        _ version: PasteboardState.Version, on pasteboard: PasteboardState, idleTimeout: Duration,
        while isWanted: @escaping () -> Bool = { true }
    ) async throws(BridgeError) -> StagedEntry? {
        guard pasteboard.isPersistent, let restorable = version.restorable else { return nil }
        // An undo may return to contents whose bytes are still being written.
        if let write = restorable.lateWrite {
            let isWritten: Void? = await executor.withTimeout(idleTimeout, cancels: false) { await write.wait() }
            guard isWritten != nil else { throw .diskStandsStill }
        }
        guard restorable.entry == nil else { return nil }
        await reopenStore(within: idleTimeout)
        guard try canStore(version, on: pasteboard), version.draft.isLong,
            let entry = newEntry(of: version, restorable, on: pasteboard, count: pasteboard.count + 1)
        else { return nil }
        let blob: StagedBlob?
        do throws(StoreFailure) {
            blob = try await self.blob(
                of: entry, expiry: version.expiry, idleTimeout: idleTimeout, while: isWanted)
        } catch {
            restorable.didNotStore()
            throw self.error(of: error)
        }
        guard let blob else {
            restorable.didNotStore()
            throw .diskStandsStill
        }
        return StagedEntry(entry: entry, blob: blob)
    }

    /// - Returns: nil if the disk does not answer in time, or the copy is no longer wanted.
    func blob(
        of entry: NewEntry, expiry: ContinuousClock.Instant?, idleTimeout: Duration?,
        while isWanted: @escaping () -> Bool = { true }
    ) async throws(StoreFailure) -> StagedBlob? {
        do throws(StoreFailure) {
            do throws(StoreFailure) {
                return try await copy(entry, expiry, idleTimeout, while: isWanted)
            } catch {
                guard case .noRoom = error, await store.makeRoom() else { throw error }
                return try await copy(entry, expiry, idleTimeout, while: isWanted)
            }
        } catch {
            store.didNotStage(error)
            throw error
        }
    }

    private func copy(
        _ entry: NewEntry, _ expiry: ContinuousClock.Instant?, _ idleTimeout: Duration?,
        while isWanted: @escaping () -> Bool
    ) async throws(StoreFailure) -> StagedBlob? {
        guard let (progress, outcome) = store.stage(entry, expires: UnixTime.of(expiry)) else { return nil }
        var watch: LoopTask?
        if let idleTimeout {
            watch = executor.start { [executor] in
                await Self.awaitIdle(progress, for: idleTimeout, while: isWanted, on: executor)
                // The copy ends after the piece under way, and removes its file.
                progress.cancel()
                outcome.deliver(nil)
            }
        }
        let result = await outcome.get()
        watch?.cancel()
        return try result?.get()
    }

    /// Returns when the copy has made no progress for `timeout`, when the copy is no longer wanted, or when the task is
    /// cancelled.
    private static func awaitIdle(
        _ progress: CopyProgress, for timeout: Duration, while isWanted: () -> Bool, on executor: EventLoopExecutor
    ) async {
        var (seen, idleLooks) = (progress.bytes, 0)
        while idleLooks < looks, isWanted(), !Task.isCancelled {
            await executor.sleep(until: .now + timeout / looks)
            let bytes = progress.bytes
            idleLooks = bytes == seen ? idleLooks + 1 : 0
            seen = bytes
        }
    }
}

extension Draft {
    /// True for contents whose bytes are written ahead of their change.
    package var isLong: Bool {
        guard let files else { return false }
        return NewEntry.isLong(files.contents)
    }
}
