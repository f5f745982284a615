#if !canImport(Darwin)

public import Foundation
import Pasteboard
import UniformTypes

/// The first item.
extension UIPasteboard {
    /// The identifiers of the first item's types, richest first.
    public var types: [String] { read { try $0.types } ?? [] }

    /// Returns true if the first item has any of the types.
    public func contains(pasteboardTypes: [String]) -> Bool {
        read { try $0.contains(types: pasteboardTypes) } ?? false
    }

    /// Returns the bytes of a type of the first item.
    public func data(forPasteboardType pasteboardType: String) -> Data? {
        read { try $0.data(forType: pasteboardType) } ?? nil
    }

    /// Returns the value of a type of the first item: a string, a URL, or the value of a property list, if the type is
    /// such a type; otherwise the bytes.
    public func value(forPasteboardType pasteboardType: String) -> Any? {
        data(forPasteboardType: pasteboardType).flatMap { ItemValues.value(of: $0, type: pasteboardType) }
    }

    /// Replaces the contents with the bytes of one type.
    public func setData(_ data: Data, forPasteboardType pasteboardType: String) {
        write { try $0.setData(data, forType: ItemValues.name(of: pasteboardType)) }
    }

    /// Replaces the contents with a value of one type: a string, a URL or a property list.
    public func setValue(_ value: Any, forPasteboardType pasteboardType: String) {
        guard let data = ItemValues.data(of: value, type: pasteboardType) else {
            return Diagnostics.report("a \(type(of: value)) cannot be written as \(pasteboardType)")
        }
        setData(data, forPasteboardType: pasteboardType)
    }
}

/// Several items.
extension UIPasteboard {
    /// All items, each with its data by type. Strings, URLs and property lists are such values; all other data is
    /// bytes.
    public var items: [[String: Any]] {
        get {
            (read { try $0.items } ?? []).map { item in
                item.types.reduce(into: [:]) { values, type in
                    values[type] = item.data(forType: type).flatMap { ItemValues.value(of: $0, type: type) }
                }
            }
        }
        set { setItems(newValue) }
    }

    /// Replaces the contents.
    ///
    /// - Parameters:
    ///   - items: The items, each with its data by type. A type whose value cannot be written is left out, with a
    ///     message on standard error.
    ///   - options: The options of the contents. With an expiration date that has passed, the pasteboard is empty
    ///     afterwards.
    public func setItems(_ items: [[String: Any]], options: [OptionsKey: Any] = [:]) {
        let date = options[.expirationDate] as? Date
        if let date, date <= Date() { return write { try $0.clear() } }
        let options = PasteboardOptions(expirationDate: date, localOnly: options[.localOnly] as? Bool ?? false)
        let items = items.compactMap(ItemValues.item)
        write { try $0.setItems(items, options: options) }
    }

    /// Adds items after the present ones.
    public func addItems(_ items: [[String: Any]]) {
        let items = items.compactMap(ItemValues.item)
        write { try $0.addItems(items) }
    }

    /// Returns the types of items; nil if an item does not exist.
    ///
    /// - Parameter itemSet: The numbers of the items, from 0; nil for all.
    public func types(forItemSet itemSet: IndexSet?) -> [[String]]? {
        present(itemSet) { try $0.types(forItemSet: $1) }
    }

    /// Returns true if an item has any of the types.
    ///
    /// - Parameters:
    ///   - pasteboardTypes: The types.
    ///   - itemSet: The numbers of the items, from 0; nil for all.
    public func contains(pasteboardTypes: [String], inItemSet itemSet: IndexSet?) -> Bool {
        present(itemSet) { try $0.contains(types: pasteboardTypes, inItemSet: $1) } ?? false
    }

    /// Returns the numbers of the items with any of the types; nil if there are none.
    public func itemSet(withPasteboardTypes pasteboardTypes: [String]) -> IndexSet? {
        guard let numbers = read({ try $0.itemSet(withTypes: pasteboardTypes) }), !numbers.isEmpty else { return nil }
        return IndexSet(numbers)
    }

    /// Returns the bytes of a type, from those of the items that have it; nil if an item does not exist.
    ///
    /// - Parameters:
    ///   - pasteboardType: The type.
    ///   - itemSet: The numbers of the items, from 0; nil for all.
    public func data(forPasteboardType pasteboardType: String, inItemSet itemSet: IndexSet?) -> [Data]? {
        present(itemSet) { try $0.data(forType: pasteboardType, inItemSet: $1).compactMap(\.self) }
    }

    /// Returns the values of a type, from those of the items that have it; nil if an item does not exist.
    ///
    /// - Parameters:
    ///   - pasteboardType: The type.
    ///   - itemSet: The numbers of the items, from 0; nil for all.
    public func values(forPasteboardType pasteboardType: String, inItemSet itemSet: IndexSet?) -> [Any]? {
        data(forPasteboardType: pasteboardType, inItemSet: itemSet)?.compactMap {
            ItemValues.value(of: $0, type: pasteboardType)
        }
    }

    /// Performs a call with the numbers of items; nil if an item does not exist.
    private func present<Value>(_ itemSet: IndexSet?, _ body: (Pasteboard, [Int]?) throws -> Value) -> Value? {
        // A set may have more numbers than a call can have.
        if let last = itemSet?.last, last > 1_024, last >= numberOfItems { return nil }
        let value = read { pasteboard -> Value? in
            do {
                return try body(pasteboard, itemSet.map(Array.init))
            } catch let error as PasteboardError where error.code == .noSuchItem {
                return nil
            }
        }
        return value ?? nil
    }
}

/// Strings, URLs and colors.
extension UIPasteboard {
    /// The text of the first item. Setting it replaces the contents; nil clears them.
    public var string: String? {
        get { read { try $0.string } ?? nil }
        set { strings = newValue.map { [$0] } }
    }

    /// The text of each item that has text. Setting it replaces the contents; nil clears them.
    public var strings: [String]? {
        get { read { try $0.strings } }
        set { write { try $0.setStrings(newValue ?? []) } }
    }

    /// The URL of the first item. Setting it replaces the contents; nil clears them.
    public var url: URL? {
        get { read { try $0.url } ?? nil }
        set { urls = newValue.map { [$0] } }
    }

    /// The URL of each item that has a URL. Setting it replaces the contents; nil clears them.
    public var urls: [URL]? {
        get { read { try $0.urls } }
        set { write { try $0.setURLs(newValue ?? []) } }
    }

    /// True if an item has text.
    public var hasStrings: Bool { read { try $0.hasStrings } ?? false }
    /// True if an item has a URL.
    public var hasURLs: Bool { read { try $0.hasURLs } ?? false }
    /// True if an item has an image.
    public var hasImages: Bool { read { try $0.hasImages } ?? false }
    /// True if an item has a color.
    public var hasColors: Bool { read { try $0.hasColors } ?? false }
}

/// The conversion of values to the bytes of a representation, and back.
private enum ItemValues {
    static func item(_ values: [String: Any]) -> PasteboardItem? {
        var item = PasteboardItem()
        // A dictionary has no order. The types that are best for most readers come last.
        for (type, value) in values.sorted(by: { rank($0.key) < rank($1.key) }) {
            guard let data = data(of: value, type: type) else {
                Diagnostics.report("a \(Swift.type(of: value)) cannot be written as \(type)")
                continue
            }
            item.setData(data, forType: name(of: type))
        }
        return item.types.isEmpty ? nil : item
    }

    /// Returns the order of a type: the program's own, rich types, plain text.
    private static func rank(_ type: String) -> (Int, String) {
        guard let known = UniformType(name(of: type)) else { return (0, type) }
        if known.conforms(to: .plainText) { return (2, type) }
        return (known.conforms(to: .text) || known.conforms(to: .url) ? 1 : 0, type)
    }

    static func data(of value: Any, type: String) -> Data? {
        if let url = value as? URL { return Data(url.absoluteString.utf8) }
        return PropertyLists.data(of: value, forType: NSPasteboard.PasteboardType(name(of: type)))
    }

    static func value(of data: Data, type: String) -> Any? {
        let known = UniformType(name(of: type))
        if known?.conforms(to: .url) == true { return URLLists.urls(in: data).first ?? data }
        if known?.conforms(to: .text) == true { return String(data: data, encoding: .utf8) ?? data }
        return PropertyLists.value(of: data, forType: NSPasteboard.PasteboardType(name(of: type))) ?? data
    }

    /// Returns the type that a name stands for.
    static func name(of type: String) -> String {
        type == UIPasteboard.typeAutomatic ? UniformType.utf8PlainText.identifier : type
    }
}

#endif
