/// What cannot be done with the pasteboards. Nothing was changed.
package enum PasteboardsError: Error, Equatable, Sendable {
    case noSuchPasteboard(PasteboardName)
    /// It is one of the system's, which can neither be removed nor be of shorter life.
    case belongsToSystem(PasteboardName)
    /// There are so many pasteboards, and no more can be made.
    case tooMany(Int)
    /// The pasteboard was changed since the caller looked; with its count by now.
    case countMismatch(PasteboardName, count: Int)

    /// A sentence without a full stop.
    package var message: String {
        switch self {
        case .noSuchPasteboard(let name): "there is no pasteboard '\(name)'; 'xpb list' shows those there are"
        case .belongsToSystem(let name): "the pasteboard '\(name)' is the system's, which keeps it for good"
        case .tooMany(let count): "there are \(count) pasteboards, and no room for another"
        case .countMismatch(let name, let count):
            "the count of '\(name)' is \(count) by now; nothing was changed"
        }
    }
}
