import Glibc
import LinuxSystem
import PasteboardModel
import Synchronization
import SystemPackage

/// The progress of a copy of long contents into the store. One thread copies; other threads read the progress and may
/// cancel the copy.
package final class CopyProgress: Sendable {
    private let copied = Atomic(0)
    private let isCancelled = Atomic(false)
    private let afterPiece: @Sendable () -> Void

    /// - Parameter afterPiece: Called after each piece, by the thread that copies. Tests simulate a slow disk there.
    package init(afterPiece: @escaping @Sendable () -> Void = {}) {
        self.afterPiece = afterPiece
    }

    /// The number of bytes copied so far.
    package var bytes: Int { copied.load(ordering: .relaxed) }

    /// Makes the copy fail after the piece under way.
    package func cancel() { isCancelled.store(true, ordering: .relaxed) }

    func note(_ count: Int) throws(Errno) {
        copied.add(count, ordering: .relaxed)
        afterPiece()
        if isCancelled.load(ordering: .relaxed) { throw .canceled }
    }
}

/// The blob of long contents, written ahead of the change that stores them: a slow disk then holds up neither the
/// store's thread nor other contents. The file is removed unless a change adopts it.
package final class StagedBlob: Sendable {
    let draft: EntryDraft
    let path: String

    /// Writes the blob. Any thread may do this while the store is open.
    ///
    /// - Parameters:
    ///   - expires: The time when the contents expire, in milliseconds since the Unix epoch.
    ///   - folder: The folder of the store.
    package init(
        _ entry: NewEntry, expires: Int?, in folder: String, progress: CopyProgress
    ) throws(StoreFailure) {
        let blobs = BlobFolder(in: folder)
        do {
            let fingerprint = try Fingerprint(entry.contents, entry.files)
            var draft = EntryDraft(entry, expires: expires, fingerprint: fingerprint, equal: nil)
            let header = try draft.header(of: entry.contents)
            (path, draft.size) = try blobs.stage(
                entry.id.number, header: header, parts: entry.parts, progress: progress)
            self.draft = draft
        } catch  where entry.files.contains(where: \.isTruncated) {
            throw .sourceCut
        } catch let failure as StoreFailure {
            throw failure
        } catch let error as Errno {
            throw StoreFailure(error, blobs.stagingPath)
        } catch {
            throw .broken("\(error)")
        }
    }

    deinit { unsafe unlink(path) }
}
