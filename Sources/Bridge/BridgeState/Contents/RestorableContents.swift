import EventLoop
package import LinuxSystem
package import PasteboardModel
package import PasteboardStore

/// Contents that undo can restore: from their entry once the store has them; from memory until then, or always if
/// nothing is stored.
package final class RestorableContents {
    /// The entry in the store, or the entry that is being written.
    package private(set) var entry: EntryID?
    /// The contents in memory, as long as the store does not have them.
    package private(set) var draft: Draft?
    /// True if undo may restore the contents once they are replaced.
    private let mayBeRestored: Bool
    /// True once the user has deleted the contents from the history.
    private(set) var isDeleted = false
    /// The task that writes long contents that became complete after their change; the task may have ended.
    var lateWrite: LoopTask?

    /// Creates contents held in memory; nil for contents that are neither stored nor restored.
    package init?(_ draft: Draft) {
        mayBeRestored = draft.isRestorable
        guard mayBeRestored || draft.isStorable else { return nil }
        self.draft = draft
    }

    package init(_ entry: EntryID, mayBeRestored: Bool = true) {
        self.entry = entry
        self.mayBeRestored = mayBeRestored
    }

    private init() { mayBeRestored = false }

    /// The maximum number of bytes that one pasteboard's undo holds in memory if nothing is stored.
    private static let memoryBudget = 256 << 20

    /// Returns an empty undo stack.
    package static func undoStack(levels: Int) -> UndoStack<RestorableContents> {
        UndoStack(levels: levels, budget: memoryBudget) {
            $0.length
        } isRestorable: {
            $0.isRestorable
        }
    }

    /// A placeholder for contents that cannot be restored, or for no contents.
    package static var nothing: RestorableContents { RestorableContents() }

    func willStore(as entry: EntryID) { self.entry = entry }

    func didStore() {
        if entry != nil { draft = nil }
    }

    func didNotStore() { entry = nil }

    /// Records that the store no longer has the contents, and holds them in memory again.
    func didUnstore(_ draft: Draft?) {
        entry = nil
        self.draft = draft
    }

    /// Records that the contents were deleted: they stay on their pasteboard, and undo does not restore them.
    package func didDelete() { isDeleted = true }

    /// True if there is something to restore. Contents with a promise that was not fulfilled are gone with their
    /// promise.
    package var isRestorable: Bool { mayBeRestored && !isDeleted && (entry != nil || draft?.files != nil) }

    /// The bytes held in memory.
    package var length: Int {
        guard entry == nil, let files = draft?.files else { return 0 }
        return files.files.reduce(0) { $0 + $1.length }
    }
}

package enum UndoDirection {
    case undo, redo
}

package enum ChangeCause {
    /// A program copied. Undo reverts successive changes of the same group together.
    case copy(action: String?, group: String? = nil)
    /// Undo or redo, with the stack that remains after it.
    case undo(UndoDirection, UndoStack<RestorableContents>)
}

extension Draft {
    /// The contents with the files that back their representations; nil if some bytes are not available, or must not
    /// leave their memory.
    package var files: (contents: Contents, files: [MemoryFile])? {
        var contents = contents
        var files: [MemoryFile] = []
        for backing in backings {
            guard let file = backing.file else { return nil }
            files.append(file)
        }
        for item in contents.items.indices {
            for index in contents.items[item].representations.indices {
                let representation = contents.items[item].representations[index]
                guard representation.isPromised else { continue }
                guard let bytes = backings[representation.source].promise?.bytes else { return nil }
                contents.items[item].representations[index].range = bytes.range
            }
        }
        return (contents, files)
    }

    /// True if undo may restore the contents and the history may list them.
    package var isRestorable: Bool {
        // The model's rules expect the expiry among the options.
        var options = options
        options.expires = expiry.map { max($0 - .now, .zero) }
        return contents.isRestorable(with: options)
    }

    /// True if the contents may be stored on disk.
    package var isStorable: Bool { contents.isStorable(with: options) }
}
