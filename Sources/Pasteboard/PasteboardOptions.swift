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
    /// The contents are a secret, such as a password, of at most 65,536 bytes in all. The bridge holds it in memory that is
    /// never swapped or dumped, and wipes it when it is replaced; it is not stored, not undone, and in no history. Other
    /// programs on the display are told that it is one, and asked in this way not to keep it: the type
    /// `org.nspasteboard.ConcealedType` stands beside it, on X11 `x-kde-passwordManagerHint`.
    ///
    /// The `Data` and `String` that it is written from and read into are this program's, and are not wiped. Nothing is
    /// derived from a secret, and it cannot be promised.
    ///
    /// Source: [nspasteboard.org](http://nspasteboard.org).
    public var concealed: Bool
    /// The contents go a second after they were first pasted, by anything but a clipboard manager. A program that reads
    /// several types of them within that second has pasted once.
    public var once: Bool
    /// The contents are kept in memory only, and are gone when the bridge ends, also where the pasteboard is persistent.
    public var memoryOnly: Bool
    /// What undoing the change is called, as `Cut Rows`; nil for a name made of the program's, as `Copy from Firefox`.
    public var actionName: String?
    /// Changes in a row that have the same one are undone at once; nil for a change of its own. It is best unique, as a
    /// UUID is.
    public var undoGroup: String?

    /// Makes options.
    public init(
        expirationDate: Date? = nil, localOnly: Bool = false, concealed: Bool = false, once: Bool = false,
        memoryOnly: Bool = false, actionName: String? = nil, undoGroup: String? = nil
    ) {
        self.expirationDate = expirationDate
        self.localOnly = localOnly
        self.concealed = concealed
        self.once = once
        self.memoryOnly = memoryOnly
        self.actionName = actionName
        self.undoGroup = undoGroup
    }

    /// - Throws: code `invalidOptions` for a date that is over.
    var wire: WireOptions? {
        get throws(PasteboardError) {
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
            func flag(_ isSet: Bool) -> Bool? { isSet ? true : nil }
            let options = WireOptions(
                expires: milliseconds, localOnly: flag(localOnly), once: flag(once), concealed: flag(concealed),
                memory: flag(memoryOnly))
            return options == WireOptions() ? nil : options
        }
    }
}
