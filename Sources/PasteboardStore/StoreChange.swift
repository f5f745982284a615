package import LinuxSystem
package import PasteboardModel

/// Names contents that are kept. No other contents ever get the same number.
package struct EntryID: Hashable, Comparable, Sendable {
    package let number: Int

    package init(_ number: Int) { self.number = number }

    package static func < (left: EntryID, right: EntryID) -> Bool { left.number < right.number }
}

/// Contents as they are handed over to be kept.
package struct NewEntry: Sendable {
    package var id: EntryID
    /// Nothing of them is promised: every representation has a range.
    package var contents: Contents
    /// What the representations are ranges of, by their sources.
    package var files: [MemoryFile]
    /// Where they were.
    package var pasteboard: PasteboardName
    /// The pasteboard's count when they came.
    package var count: Int
    /// In milliseconds of the Unix epoch.
    package var created: Int
    /// The name of the change, "Copy from Firefox".
    package var action: String?
    /// The program they came from.
    package var program: String?
    /// They are for this machine.
    package var isLocalOnly: Bool
    /// They are in the history. Others are kept only as long as a pasteboard has them, or can go back to them.
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

/// What the history shows of contents, and finds them by.
package struct EntrySummary: Equatable, Sendable {
    /// Their text, or its beginning.
    package var text: String?
    /// Of an image, in pixels.
    package var width: Int?
    package var height: Int?

    package init(text: String? = nil, width: Int? = nil, height: Int? = nil) {
        self.text = text
        self.width = width
        self.height = height
    }
}

/// A pasteboard as it is to be when the bridge starts again.
package struct StoredBoard: Equatable, Sendable {
    /// Contents to go to, and the name of the change that leads there.
    package struct Level: Equatable, Sendable {
        package var entry: EntryID
        package var action: String?

        package init(_ entry: EntryID, action: String? = nil) {
            self.entry = entry
            self.action = action
        }
    }

    package var name: PasteboardName
    package var count: Int
    /// What is on it; nil for nothing, or for what may not be kept.
    package var entry: EntryID?
    /// What is about to be on it: kept as long as that, whatever else is told of the pasteboard meanwhile.
    package var coming: EntryID?
    /// When what is on it goes, in milliseconds of the Unix epoch.
    package var expires: Int?
    /// The earliest first.
    package var undo: [Level]
    /// The next one is the last.
    package var redo: [Level]

    package init(
        name: PasteboardName, count: Int, entry: EntryID? = nil, coming: EntryID? = nil, expires: Int? = nil,
        undo: [Level] = [], redo: [Level] = []
    ) {
        self.name = name
        self.count = count
        self.entry = entry
        self.coming = coming
        self.expires = expires
        self.undo = undo
        self.redo = redo
    }
}

/// What is written at once: all of it, or nothing.
package struct StoreChange: Sendable {
    package var entries: [NewEntry]
    /// Pasteboards as they are from now on.
    package var boards: [StoredBoard]
    /// Pasteboards that are not kept any more.
    package var removed: [PasteboardName]
    /// Entries that leave the history, since they did not come to be contents or are replaced. What is equal to them stays.
    package var withdrawn: [EntryID]

    package init(
        entries: [NewEntry] = [], boards: [StoredBoard] = [], removed: [PasteboardName] = [],
        withdrawn: [EntryID] = []
    ) {
        self.entries = entries
        self.boards = boards
        self.removed = removed
        self.withdrawn = withdrawn
    }
}
