public import FoundationEssentials
import PasteboardModel
import PasteboardWire

/// What holds for the whole contents that are written.
///
/// Source: `UIPasteboard.OptionsKey`.
public struct PasteboardOptions: Hashable, Sendable {
    /// When the contents go, if they are still those. The time that is left counts in a suspended machine, too; a
    /// change of the clock does not matter. Nil for never; more than 100 years are 100.
    public var expirationDate: Date?
    /// The contents are for this machine: they are not offered on displays that are forwarded from another one. Who is
    /// connected to the machine's own display can read them.
    public var localOnly: Bool
    /// What undoing the change is called, as `Cut Rows`; nil for a name made of the program's, as `Copy from Firefox`.
    public var actionName: String?
    /// Changes in a row that have the same one are undone at once; nil for a change of its own. It is best unique, as a
    /// UUID is.
    public var undoGroup: String?

    /// Makes options.
    public init(
        expirationDate: Date? = nil, localOnly: Bool = false, actionName: String? = nil, undoGroup: String? = nil
    ) {
        self.expirationDate = expirationDate
        self.localOnly = localOnly
        self.actionName = actionName
        self.undoGroup = undoGroup
    }

    /// - Throws: code `invalidOptions` for a date that is over.
    var wire: WireOptions? {
        get throws(PasteboardError) {
            guard expirationDate != nil || localOnly else { return nil }
            var milliseconds: Int?
            if let expirationDate {
                let left = expirationDate.timeIntervalSinceNow
                guard left > 0 else {
                    throw PasteboardError(
                        code: .invalidOptions,
                        message: "the expiration date is over, so the contents would be gone before they are there")
                }
                let longest = ContentsOptions.longestExpiry
                milliseconds = left * 1_000 < Double(longest) ? Int(left * 1_000) + 1 : longest
            }
            return WireOptions(expires: milliseconds, localOnly: localOnly ? true : nil)
        }
    }
}
