package import LinuxSystem
package import PasteboardModel

/// Contents that are kept, as they are read again.
package struct StoredContents: Sendable {
    package let id: EntryID
    package let contents: Contents
    /// What the representations are ranges of: one sealed memory file, or where they are long the store's own file. It
    /// stays as it is for who has it, whatever becomes of the entry.
    package let files: [MemoryFile]
    package let pasteboard: PasteboardName
    /// The pasteboard's count when they came.
    package let count: Int
    /// In milliseconds of the Unix epoch.
    package let created: Int
    package let action: String?
    package let program: String?
    package let isLocalOnly: Bool
    /// They are in the history.
    package let isListed: Bool
    package let isPinned: Bool
}
