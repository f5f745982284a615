public import FoundationEssentials
import PasteboardWire

/// Earlier contents of a pasteboard that are kept.
///
/// Source: `xpb history`. Neither UIPasteboard nor NSPasteboard has one.
public struct PasteboardHistoryEntry: Hashable, Sendable, Identifiable {
    /// Names the entry. No other one ever gets the same number.
    public let id: Int
    /// The name of the pasteboard they were on.
    public let pasteboard: String
    /// Its change count when they came.
    public let changeCount: Int
    /// How often they were copied. Equal contents are one entry.
    public let copies: Int
    /// When they came last.
    public let date: Date
    /// The identifier of their first type, the richest.
    public let type: String
    /// The identifiers of all their types, each once.
    public let types: [String]
    /// How many items they are.
    public let numberOfItems: Int
    /// Of all their forms together, in bytes.
    public let length: Int
    /// The beginning of their text, if they have any: of files the paths, a line each.
    public let preview: String?
    /// The width of their first image, in pixels, if it is known.
    public let pixelWidth: Int?
    /// The height of their first image, in pixels, if it is known.
    public let pixelHeight: Int?
    /// The name of the change that brought them, as `Copy from Firefox`.
    public let actionName: String?
    /// The program they came from, where it is known.
    public let program: String?
    /// They stay, whatever the limits of the history are.
    public let isPinned: Bool

    init(_ entry: WireHistoryEntry) {
        id = entry.id
        pasteboard = entry.pasteboard
        changeCount = entry.count
        copies = entry.copies
        date = Date(timeIntervalSince1970: Double(entry.created) / 1_000)
        type = entry.type
        types = entry.types
        numberOfItems = entry.items
        length = entry.length
        preview = entry.preview
        pixelWidth = entry.width
        pixelHeight = entry.height
        actionName = entry.action
        program = entry.program
        isPinned = entry.pinned
    }
}
