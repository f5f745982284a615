package import LinuxSystem
package import PasteboardModel

/// The number of a stored entry. A number is never used for other contents.
package struct EntryID: Hashable, Comparable, Sendable {
    package let number: Int

    package init(_ number: Int) { self.number = number }

    package static func < (left: EntryID, right: EntryID) -> Bool { left.number < right.number }
}

/// Contents to be stored, with what is recorded about them.
package struct NewEntry: Sendable {
    /// True for contents whose copy takes a while, which are written ahead of their change; see ``StagedBlob``.
    package static func isLong(_ contents: Contents) -> Bool {
        let ranges = contents.items.lazy.flatMap(\.representations).compactMap(\.range)
        return ranges.reduce(0) { $0 + $1.count } >= BlobFolder.longThreshold
    }

    /// The bytes of the blob.
    var parts: [(file: MemoryFile, range: Range<Int>)] {
        contents.items.flatMap(\.representations).compactMap { part in
            part.range.map { (files[part.source], $0) }
        }
    }

    package var id: EntryID
    /// The contents, without promises: every representation has a range.
    package var contents: Contents
    /// The files that hold the bytes of the representations, by source.
    package var files: [MemoryFile]
    package var pasteboard: PasteboardName
    /// The pasteboard's change count when the contents came.
    package var count: Int
    /// The time when the contents came, in milliseconds since the Unix epoch.
    package var created: Int
    /// The name of the change, such as "Copy from Firefox".
    package var action: String?
    /// The program that wrote the contents.
    package var program: String?
    package var isLocalOnly: Bool
    /// True if the contents are in the history. Other contents are stored only while a pasteboard has them or can go
    /// back to them.
    package var isListed: Bool
    package var summary: EntrySummary

    package init(
        id: EntryID, contents: Contents, files: [MemoryFile], pasteboard: PasteboardName, count: Int, created: Int,
        action: String? = nil, program: String? = nil, isLocalOnly: Bool = false, isListed: Bool = true,
        summary: EntrySummary = EntrySummary()
    ) {
        self.id = id
        self.contents = contents
        self.files = files
        self.pasteboard = pasteboard
        self.count = count
        self.created = created
        self.action = action
        self.program = program
        self.isLocalOnly = isLocalOnly
        self.isListed = isListed
        self.summary = summary
    }
}

/// The properties of contents that the history shows and searches.
package struct EntrySummary: Equatable, Sendable {
    /// The text of the contents, or its beginning.
    package var text: String?
    /// The size of an image, in pixels.
    package var width: Int?
    package var height: Int?

    package init(text: String? = nil, width: Int? = nil, height: Int? = nil) {
        self.text = text
        self.width = width
        self.height = height
    }
}

package struct StoredContents: Sendable {
    package let id: EntryID
    package let contents: Contents
    /// The only source of the representations: a sealed memory file or, for long contents, the store's own file. The
    /// source stays readable as long as this value exists, even if the entry is deleted.
    package let files: [MemoryFile]
    package let pasteboard: PasteboardName
    /// The pasteboard's change count when the contents came.
    package let count: Int
    /// The time when the contents came, in milliseconds since the Unix epoch.
    package let created: Int
    package let action: String?
    package let program: String?
    package let isLocalOnly: Bool
    /// True if the contents are in the history.
    package let isListed: Bool
    package let isPinned: Bool
}

/// The state of a pasteboard that a restarted bridge restores.
package struct StoredPasteboard: Equatable, Sendable {
    /// One level of undo or redo: the contents to restore, and the name of the change.
    package struct Level: Equatable, Sendable {
        package var entry: EntryID
        package var action: String?

        package init(_ entry: EntryID, action: String? = nil) {
            self.entry = entry
            self.action = action
        }
    }

    /// A time by a clock that is never set.
    package struct BootExpiry: Equatable, Sendable {
        /// The identifier of the boot of the machine.
        package var boot: String
        /// The milliseconds since that boot.
        package var time: Int

        package init(boot: String, time: Int) {
            self.boot = boot
            self.time = time
        }
    }

    package var name: PasteboardName
    package var count: Int
    /// The present contents; nil if the pasteboard is empty or its contents may not be stored.
    package var entry: EntryID?
    /// True if the user has deleted the present contents from the history: they stay, and undo does not restore them.
    package var isDeleted: Bool
    /// Contents that are about to be put on the pasteboard. The store keeps these contents as long as they are named
    /// here, even if they are in neither stack nor history.
    package var incoming: EntryID?
    /// The time when the present contents expire, in milliseconds since the Unix epoch.
    package var expires: Int?
    /// The same time, counted from the boot of the machine: the clock may be set back while no bridge is running.
    package var bootExpires: BootExpiry?
    /// The origin of the present contents.
    package var origin: ContentsOrigin?
    /// The path of the program that made the pasteboard persistent, if it is known.
    package var maker: String?
    /// The undo levels, oldest first.
    package var undo: [Level]
    /// The redo levels. The next redo takes the last level.
    package var redo: [Level]

    package init(
        name: PasteboardName, count: Int, entry: EntryID? = nil, isDeleted: Bool = false, incoming: EntryID? = nil,
        expires: Int? = nil, bootExpires: BootExpiry? = nil, origin: ContentsOrigin? = nil,
        maker: String? = nil, undo: [Level] = [], redo: [Level] = []
    ) {
        self.bootExpires = bootExpires
        self.origin = origin
        self.maker = maker
        self.name = name
        self.count = count
        self.entry = entry
        self.isDeleted = isDeleted
        self.incoming = incoming
        self.expires = expires
        self.undo = undo
        self.redo = redo
    }
}

/// A change that the store writes completely or not at all.
package struct StoreChange: Sendable {
    package var entries: [NewEntry]
    /// The new states of pasteboards.
    package var pasteboards: [StoredPasteboard]
    /// Pasteboards that are no longer stored.
    package var removed: [PasteboardName]
    /// Entries to take out of the history, because they were replaced or never became contents of a pasteboard. Equal
    /// entries stay in the history.
    package var withdrawn: [EntryID]
    /// The blobs of the entries that were written ahead.
    package var staged: [EntryID: StagedBlob]

    package init(
        entries: [NewEntry] = [], pasteboards: [StoredPasteboard] = [], removed: [PasteboardName] = [],
        withdrawn: [EntryID] = [], staged: [EntryID: StagedBlob] = [:]
    ) {
        self.staged = staged
        self.entries = entries
        self.pasteboards = pasteboards
        self.removed = removed
        self.withdrawn = withdrawn
    }
}
