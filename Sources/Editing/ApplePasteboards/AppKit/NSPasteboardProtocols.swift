#if !canImport(Darwin)

public import Foundation

/// An object that can be written to a pasteboard.
///
/// Source: `NSPasteboardWriting`.
public protocol NSPasteboardWriting: NSObjectProtocol {
    /// Returns the types that the object can be written as, richest first.
    func writableTypes(for pasteboard: NSPasteboard) -> [NSPasteboard.PasteboardType]

    /// Returns the options for a type. By default, the data of the first type is written at once, and the object is
    /// asked for the data of each other type when a reader first wants it.
    func writingOptions(
        forType type: NSPasteboard.PasteboardType, pasteboard: NSPasteboard
    ) -> NSPasteboard.WritingOptions

    /// Returns the data of a type: `Data`, a `String`, or another value of a property list; nil if there is none.
    func pasteboardPropertyList(forType type: NSPasteboard.PasteboardType) -> Any?
}

extension NSPasteboardWriting {
    /// Returns no options for the first type, and a promise for each other type.
    public func writingOptions(
        forType type: NSPasteboard.PasteboardType, pasteboard: NSPasteboard
    ) -> NSPasteboard.WritingOptions { writableTypes(for: pasteboard).first == type ? [] : .promised }
}

/// An object that can be made from the contents of a pasteboard.
///
/// The classes `NSString`, `NSURL`, `NSAttributedString` and ``NSPasteboardItem`` can be read as well, although they do
/// not conform: Swift adds no required initializers to the classes of another module.
///
/// Source: `NSPasteboardReading`.
public protocol NSPasteboardReading: NSObjectProtocol {
    /// Returns the types that an object can be made from, best first.
    static func readableTypes(for pasteboard: NSPasteboard) -> [NSPasteboard.PasteboardType]

    /// Returns the form in which the data of a type is passed to the initializer; bytes by default.
    static func readingOptions(
        forType type: NSPasteboard.PasteboardType, pasteboard: NSPasteboard
    ) -> NSPasteboard.ReadingOptions

    /// Creates an object from the data of a type; nil if that is impossible.
    init?(pasteboardPropertyList propertyList: Any, ofType type: NSPasteboard.PasteboardType)
}

extension NSPasteboardReading {
    /// Returns no options, so that the initializer gets bytes.
    public static func readingOptions(
        forType type: NSPasteboard.PasteboardType, pasteboard: NSPasteboard
    ) -> NSPasteboard.ReadingOptions { .asData }
}

/// The owner of types that a program has declared, which provides their data on demand.
///
/// An owner must conform to this protocol. On Apple's systems, an object with the same methods is enough.
///
/// Source: `NSPasteboardTypeOwner`.
public protocol NSPasteboardTypeOwner: NSObjectProtocol {
    /// Called when the data of a type is first needed; the owner writes it by `setData(_:forType:)` or a similar
    /// method.
    ///
    /// The main thread calls it for other programs, from its run loop or within a call of a pasteboard that blocks it.
    func pasteboard(_ sender: NSPasteboard, provideDataForType type: NSPasteboard.PasteboardType)

    /// Called when other contents have replaced the declared types. Does nothing by default.
    func pasteboardChangedOwner(_ sender: NSPasteboard)
}

extension NSPasteboardTypeOwner {
    /// Does nothing.
    public func pasteboardChangedOwner(_ sender: NSPasteboard) {}
}

/// The provider of an item's data on demand.
///
/// Source: `NSPasteboardItemDataProvider`.
public protocol NSPasteboardItemDataProvider: NSObjectProtocol {
    /// Called when the data of a type is first needed; the provider passes it to the item, by
    /// ``NSPasteboardItem/setData(_:forType:)`` or a similar method.
    ///
    /// The main thread calls it for other programs, from its run loop or within a call of a pasteboard that blocks it.
    func pasteboard(
        _ pasteboard: NSPasteboard?, item: NSPasteboardItem, provideDataForType type: NSPasteboard.PasteboardType)

    /// Called when the pasteboard no longer needs the provider for any item: all promises are kept, or other
    /// contents have replaced the items. Does nothing by default.
    func pasteboardFinishedWithDataProvider(_ pasteboard: NSPasteboard)
}

extension NSPasteboardItemDataProvider {
    /// Does nothing.
    public func pasteboardFinishedWithDataProvider(_ pasteboard: NSPasteboard) {}
}

#endif
