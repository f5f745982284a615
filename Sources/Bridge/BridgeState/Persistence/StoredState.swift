import EventLoop
package import PasteboardStore

/// The contents of a pasteboard as undo and the store have them, and the record that the store has of the pasteboard.
/// ``PasteboardPersistence`` records each write here.
package struct StoredState {
    /// The present contents; nil if they support neither undo nor the store.
    package private(set) var contents: RestorableContents?
    /// Contents written to the store before their claim; `isNew` if that write created the entry.
    package private(set) var incoming: (contents: RestorableContents, isNew: Bool)?
    /// The record that the store has, or is being given; nil if the store's record is unknown.
    package private(set) var record: StoredPasteboard?
    /// The latest write of long contents in the background.
    private(set) var lateWrite: LoopTask?
    /// The reason why a change could not be stored.
    private var failure: String?

    /// Records the present contents. If they were stored ahead, they are no longer incoming.
    package mutating func hold(_ contents: RestorableContents?) {
        // A failure to store the previous contents does not concern the new contents.
        if contents !== self.contents { failure = nil }
        self.contents = contents
        if let contents, contents === incoming?.contents { incoming = nil }
    }

    /// Records the contents and the record of a pasteboard that was restored.
    package mutating func restore(_ contents: RestorableContents?, as record: StoredPasteboard) {
        self.contents = contents
        self.record = record
    }

    // MARK: Contents stored ahead

    /// Records contents that are stored ahead of the claim, with a record.
    package mutating func expect(_ contents: RestorableContents, isNew: Bool, with record: StoredPasteboard?) {
        incoming = (contents, isNew)
        self.record = record
    }

    /// Returns the contents that were stored ahead, which are no longer expected.
    mutating func takeIncoming() -> (contents: RestorableContents, isNew: Bool)? {
        defer { incoming = nil }
        return incoming
    }

    // MARK: Records

    mutating func willWrite(_ record: StoredPasteboard) { self.record = record }

    mutating func willWriteLate(_ write: LoopTask) { lateWrite = write }

    /// Forgets the record: it is not known which record the store has.
    mutating func forgetRecord() { record = nil }

    /// Forgets a record whose write has failed, unless a newer write has begun since.
    ///
    /// - Parameter former: The record that the store still has, if that is known.
    mutating func didNotWrite(_ record: StoredPasteboard?, keeping former: StoredPasteboard? = nil) {
        if self.record == record { self.record = former }
    }

    mutating func noteFailure(_ reason: String) { failure = reason }

    /// Returns the reason why a change could not be stored, once.
    mutating func takeFailure() -> String? {
        defer { failure = nil }
        return failure
    }
}
