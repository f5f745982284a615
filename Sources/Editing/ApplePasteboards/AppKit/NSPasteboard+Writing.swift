#if !canImport(Darwin)

public import Foundation
import Pasteboard

/// Writing.
extension NSPasteboard {
    /// Clears the pasteboard, which from then on has the contents that this program writes.
    ///
    /// - Returns: The change count; 0 if no bridge can be reached.
    ///
    /// Source: `NSPasteboard.clearContents()`.
    @discardableResult
    public func clearContents() -> Int { begin() }

    /// Clears the pasteboard like ``clearContents()``, for contents with options.
    ///
    /// - Returns: The change count; 0 if no bridge can be reached.
    ///
    /// Source: `NSPasteboard.prepareForNewContents(with:)`.
    @discardableResult
    public func prepareForNewContents(with options: ContentsOptions = []) -> Int {
        begin(options: PasteboardOptions(localOnly: options.contains(.currentHostOnly)))
    }

    /// Writes objects, each as an item after the items that this program has already written.
    ///
    /// - Parameter objects: Objects such as `NSString`, `NSURL`, `NSAttributedString` and ``NSPasteboardItem``.
    /// - Returns: False if an object has nothing to write, if an item was written before, or if the program has not
    ///   cleared the pasteboard, or no longer has its contents.
    ///
    /// Source: `NSPasteboard.writeObjects(_:)`.
    @discardableResult
    public func writeObjects(_ objects: [any NSPasteboardWriting]) -> Bool {
        var items: [NSPasteboardItem] = []
        for object in objects {
            guard let item = item(of: object) else { return false }
            items.append(item)
        }
        return board.add(items)
    }

    /// Returns the item that an object is written as; nil if it has nothing to write.
    private func item(of object: any NSPasteboardWriting) -> NSPasteboardItem? {
        if let item = object as? NSPasteboardItem { return item }
        let item = NSPasteboardItem()
        let source = DataSource.object(object)
        for type in object.writableTypes(for: self) {
            if object.writingOptions(forType: type, pasteboard: self).contains(.promised) {
                guard TypeSearch.isWritable(type) else { return nil }
                item.promise(type, from: source)
            } else if let value = object.pasteboardPropertyList(forType: type) {
                guard item.setPropertyList(value, forType: type) else { return nil }
            }
        }
        return item.types.isEmpty ? nil : item
    }

    /// Clears the pasteboard, and declares types, whose data the program sets afterwards or the owner provides on
    /// demand.
    ///
    /// - Parameters:
    ///   - newTypes: The types, richest first.
    ///   - newOwner: The owner, which conforms to ``NSPasteboardTypeOwner`` and is kept alive until other contents
    ///     replace these; nil if the program sets the data at once.
    /// - Returns: The change count; 0 if no bridge can be reached.
    ///
    /// Source: `NSPasteboard.declareTypes(_:owner:)`.
    @discardableResult
    public func declareTypes(_ newTypes: [PasteboardType], owner newOwner: Any?) -> Int {
        let owner = Self.typeOwner(newOwner)
        let count = begin(owner: owner)
        guard count > 0, !newTypes.isEmpty else { return count }
        _ = board.changeFirst { $0.declare(newTypes, from: owner) }
        return count
    }

    /// Declares further types of contents that this program has written.
    ///
    /// - Parameters:
    ///   - newTypes: The types, richest first.
    ///   - newOwner: The owner of these types; nil if the program sets the data at once.
    /// - Returns: The change count, which stays the same; 0 if the contents are not this program's.
    ///
    /// Source: `NSPasteboard.addTypes(_:owner:)`.
    @discardableResult
    public func addTypes(_ newTypes: [PasteboardType], owner newOwner: Any?) -> Int {
        let owner = Self.typeOwner(newOwner)
        return board.addTypes({ $0.declare(newTypes, from: owner) }, owner: owner)
    }

    private static func typeOwner(_ owner: Any?) -> (any NSPasteboardTypeOwner)? {
        guard let owner else { return nil }
        if let owner = owner as? any NSPasteboardTypeOwner { return owner }
        Diagnostics.report("the owner \(type(of: owner)) does not conform to NSPasteboardTypeOwner, and is never asked")
        return nil
    }

    /// Sets the bytes of a type of the first item.
    ///
    /// - Parameters:
    ///   - data: The bytes; nil for none, so that the type has empty data.
    ///   - dataType: The type.
    /// - Returns: False if the contents are not this program's: it has not cleared the pasteboard, or another program
    ///   has copied since. Also false for a type that bytes cannot have, such as `image` or an empty name.
    ///
    /// Source: `NSPasteboard.setData(_:forType:)`.
    @discardableResult
    public func setData(_ data: Data?, forType dataType: PasteboardType) -> Bool {
        change { $0.setData(data ?? Data(), forType: dataType) }
    }

    /// Sets a type of the first item to a string in UTF-8.
    ///
    /// - Returns: False if the contents are not this program's; see ``setData(_:forType:)``.
    @discardableResult
    public func setString(_ string: String, forType dataType: PasteboardType) -> Bool {
        change { $0.setString(string, forType: dataType) }
    }

    /// Sets a type of the first item to a property list.
    ///
    /// - Returns: False if the value is not a property list, or the contents are not this program's; see
    ///   ``setData(_:forType:)``.
    @discardableResult
    public func setPropertyList(_ plist: Any, forType dataType: PasteboardType) -> Bool {
        change { $0.setPropertyList(plist, forType: dataType) }
    }
}

extension NSPasteboardItem {
    /// Adds types that have no data yet. Types that the item has keep their data.
    fileprivate func declare(_ types: [NSPasteboard.PasteboardType], from owner: (any NSPasteboardTypeOwner)?) -> Bool {
        guard types.allSatisfy(TypeSearch.isWritable) else { return false }
        let value = owner.map { ItemRepresentations.Value.promised(.owner($0)) } ?? .declared
        return change { representations in
            var known = Set(representations.types)
            for type in types where known.insert(type).inserted { representations.set(value, for: type) }
        }
    }

    fileprivate func promise(_ type: NSPasteboard.PasteboardType, from source: DataSource) {
        _ = change { $0.set(.promised(source), for: type) }
    }
}

#endif
