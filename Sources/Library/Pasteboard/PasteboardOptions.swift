public import FoundationEssentials
import PasteboardModel
package import PasteboardWire

/// Options for the contents that are written.
///
/// Source: `UIPasteboard.OptionsKey`.
public struct PasteboardOptions: Hashable, Sendable {
    /// The time at which the contents are removed, unless they were replaced before; nil means never.
    ///
    /// The remaining time is measured when the contents are written. It includes time spent suspended, and does not
    /// depend on later changes of the clock. Dates more than 100 years ahead count as 100 years.
    public var expirationDate: Date?
    /// True if the contents stay on this machine: they are not offered on displays forwarded from another machine.
    /// Every program that is connected to the machine's own display can read them.
    public var localOnly: Bool
    /// True if the contents are a secret, such as a password. The limit is 65,536 bytes in all.
    ///
    /// The bridge holds a secret in memory that is never swapped or dumped, and wipes it when it is replaced. A secret
    /// is not stored, cannot be undone and does not enter the history. Nothing is converted from it, and it cannot be
    /// promised. Other programs of the display are asked not to keep it: it is offered together with the type
    /// `org.nspasteboard.ConcealedType`, on X11 `x-kde-passwordManagerHint`.
    ///
    /// The `Data` or `String` of a secret in this program's memory is not wiped.
    ///
    /// Source: [nspasteboard.org](http://nspasteboard.org).
    public var concealed: Bool
    /// True if the contents are removed one second after the first paste.
    ///
    /// Reads by clipboard managers are not pastes. A program that reads several types within that second counts as
    /// pasting once.
    public var once: Bool
    /// True if the contents are kept in memory only. They are lost when the bridge ends, even if the pasteboard is
    /// persistent.
    public var memoryOnly: Bool
    /// The name of the change, for undo, such as `Cut Rows`; nil for a name made from the name of the program, such as
    /// `Copy from Firefox`.
    public var actionName: String?
    /// The group of the change, for undo; nil for no group. Consecutive changes of one group are undone together. The
    /// name of the group should be unique, such as a UUID.
    public var undoGroup: String?

    /// Creates options.
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

    /// The options as they are sent; nil if no option is set. Throws code `invalidOptions` if the expiration date is
    /// past.
    package var wire: WireOptions? {
        get throws(PasteboardError) {
            var milliseconds: Int?
            if let expirationDate {
                let left = expirationDate.timeIntervalSinceNow
                guard left > 0 else {
                    throw PasteboardError(
                        code: .invalidOptions,
                        message: "the expiration date has passed, so the contents would expire before they are written")
                }
                let longest = ContentsOptions.maxExpiry
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
