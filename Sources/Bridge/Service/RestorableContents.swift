import LinuxSystem
import PasteboardModel
import PasteboardStore

/// Contents that can be gone back to: by their entry once the store has them, in memory until then, and for good where
/// nothing is stored.
final class RestorableContents {
    /// Where the store has them, or is about to.
    private(set) var entry: EntryID?
    /// In memory, as long as the store does not have them.
    private(set) var draft: Draft?
    /// Whether they may come back, once they are replaced.
    private var mayReturn: Bool

    /// Held in memory; nil for contents that are neither stored nor gone back to.
    init?(_ draft: Draft) {
        mayReturn = draft.mayBeKept
        guard mayReturn || draft.mayBeStored else { return nil }
        self.draft = draft
    }

    /// An entry of the store.
    init(_ entry: EntryID, mayReturn: Bool = true) {
        self.entry = entry
        self.mayReturn = mayReturn
    }

    private init() { mayReturn = false }

    /// What is held in memory of one pasteboard where nothing is stored, in bytes.
    private static let budget = 256 << 20

    /// What can be undone and redone of a pasteboard, nothing yet.
    static func stack(levels: Int) -> UndoStack<RestorableContents> {
        UndoStack(levels: levels, budget: budget) {
            $0.length
        } mayBeKept: {
            $0.isThere
        }
    }

    /// Contents that cannot be gone back to, or none.
    static var nothing: RestorableContents { RestorableContents() }

    /// The store is about to have them.
    func store(as entry: EntryID) { self.entry = entry }

    /// The store has them.
    func stored() {
        if entry != nil { draft = nil }
    }

    /// The store could not take them.
    func notStored() { entry = nil }

    /// The store has them no more; they are held here again.
    func unstored(_ draft: Draft?) {
        entry = nil
        self.draft = draft
    }

    /// They were deleted, and stay where they are: nothing leads back to them.
    func deleted() { mayReturn = false }

    /// Whether there is anything to go back to. What was promised and did not come is gone with its promise.
    var isThere: Bool { mayReturn && (entry != nil || draft?.files != nil) }

    /// Of what is held here, in bytes.
    var length: Int {
        guard entry == nil, let files = draft?.files else { return 0 }
        return files.files.reduce(0) { $0 + $1.length }
    }
}

extension Draft {
    /// The contents with the files that their representations are ranges of; nil where some bytes are not there, or are not
    /// to leave the memory they are in.
    var files: (contents: Contents, files: [MemoryFile])? {
        var contents = contents
        var files: [MemoryFile] = []
        for blob in blobs {
            guard let file = blob.file else { return nil }
            files.append(file)
        }
        for item in contents.items.indices {
            for index in contents.items[item].representations.indices {
                let representation = contents.items[item].representations[index]
                guard representation.isPromised else { continue }
                guard let bytes = blobs[representation.source].promise?.bytes else { return nil }
                contents.items[item].representations[index].range = bytes.range
            }
        }
        return (contents, files)
    }

    /// With its expiry among the options, for the rules of the model.
    var mayBeKept: Bool {
        var options = options
        options.expires = expiry.map { max($0 - .now, .zero) }
        return contents.mayBeKept(with: options)
    }

    var mayBeStored: Bool { contents.mayBeStored(with: options) }
}
