#if !canImport(Darwin)

import Foundation

/// Reading objects.
extension NSPasteboard {
    /// Returns an object for each item that has one: of the first class that can be made from the item.
    ///
    /// - Parameters:
    ///   - classArray: `NSString`, `NSURL`, `NSAttributedString`, ``NSPasteboardItem``, and classes that conform to
    ///     ``NSPasteboardReading``, in the order of preference.
    ///   - options: Options for URLs; nil for none.
    /// - Returns: The objects; nil if there are none, or if no bridge can be reached.
    ///
    /// Source: `NSPasteboard.readObjects(forClasses:options:)`.
    public func readObjects(
        forClasses classArray: [AnyClass], options: [ReadingOptionKey: Any]? = nil
    ) -> [Any]? {
        guard let items = pasteboardItems else { return nil }
        let readers = readers(for: classArray, options)
        let objects = items.flatMap { item in Self.objects(from: item, by: readers) }
        return objects.isEmpty ? nil : objects
    }

    /// Returns true if ``readObjects(forClasses:options:)`` would find an object, judged by the types alone. With
    /// ``ReadingOptionKey/urlReadingContentsConformToTypes``, the URLs are read.
    ///
    /// Source: `NSPasteboard.canReadObject(forClasses:options:)`.
    public func canReadObject(
        forClasses classArray: [AnyClass], options: [ReadingOptionKey: Any]? = nil
    ) -> Bool {
        guard let items = pasteboardItems else { return false }
        let readers = readers(for: classArray, options)
        return items.contains { item in readers.contains { $0.canRead(item) } }
    }

    private static func objects(from item: NSPasteboardItem, by readers: [ObjectReader]) -> [Any] {
        for reader in readers {
            if let objects = reader.objects(from: item) { return objects }
        }
        return []
    }

    private func readers(for classes: [AnyClass], _ options: [ReadingOptionKey: Any]?) -> [ObjectReader] {
        classes.compactMap { type in
            if type == NSPasteboardItem.self { return .items }
            if type == NSURL.self { return .urls(URLOptions(options)) }
            if type == NSString.self { return .strings { NSString(string: $0) } }
            if type == NSAttributedString.self { return .strings { NSAttributedString(string: $0) } }
            if let type = type as? any NSPasteboardReading.Type { return .objects(of: type, on: self) }
            Diagnostics.report("objects of \(type) cannot be read, since it does not conform to NSPasteboardReading")
            return nil
        }
    }
}

/// The options for URLs.
private struct URLOptions {
    var filesOnly = false
    /// The types that the files must have; nil for any.
    var contentTypes: [String]?

    init(_ options: [NSPasteboard.ReadingOptionKey: Any]?) {
        filesOnly = options?[.urlReadingFileURLsOnly] as? Bool ?? false
        contentTypes = options?[.urlReadingContentsConformToTypes] as? [String]
    }

    var types: [NSPasteboard.PasteboardType] {
        filesOnly || contentTypes != nil ? [.fileURL] : [.fileURL, .URL]
    }

    func accepts(_ url: URL) -> Bool {
        if filesOnly || contentTypes != nil, !url.isFileURL { return false }
        return contentTypes.map { FileTypes.file(url, conformsToAny: $0) } ?? true
    }
}

/// The way to make objects of one class from items.
private struct ObjectReader {
    private let types: [NSPasteboard.PasteboardType]
    /// Makes the objects from the data of a type; nil if that is impossible.
    private let make: (Data, NSPasteboard.PasteboardType) -> [Any]?
    /// True if only the data shows whether there is an object.
    private var needsData = false
    private var isItem = false

    static var items: ObjectReader { ObjectReader(types: [], make: { _, _ in nil }, isItem: true) }

    static func strings(_ make: @escaping (String) -> Any) -> ObjectReader {
        ObjectReader(types: [.string]) { data, _ in [make(String(decoding: data, as: UTF8.self))] }
    }

    static func urls(_ options: URLOptions) -> ObjectReader {
        let make = { (data: Data, _: NSPasteboard.PasteboardType) -> [Any]? in
            let urls = URLLists.urls(in: data).filter(options.accepts)
            return urls.isEmpty ? nil : urls.map { $0 as NSURL }
        }
        return ObjectReader(types: options.types, make: make, needsData: options.contentTypes != nil)
    }

    static func objects(of type: any NSPasteboardReading.Type, on pasteboard: NSPasteboard) -> ObjectReader {
        ObjectReader(types: type.readableTypes(for: pasteboard)) { data, name in
            let options = type.readingOptions(forType: name, pasteboard: pasteboard)
            guard let value = PropertyLists.form(of: data, options, forType: name) else { return nil }
            return type.init(pasteboardPropertyList: value, ofType: name).map { [$0] }
        }
    }

    func canRead(_ item: NSPasteboardItem) -> Bool {
        if needsData { return objects(from: item) != nil }
        return isItem || TypeSearch.first(of: types, in: item.knownTypes) != nil
    }

    func objects(from item: NSPasteboardItem) -> [Any]? {
        if isItem { return [item] }
        for type in types {
            guard let found = TypeSearch.first(of: [type], in: item.knownTypes) else { continue }
            if let data = item.data(forType: found), let objects = make(data, type) { return objects }
        }
        return nil
    }
}

#endif
