#if !canImport(Darwin)

import Foundation
import Pasteboard
import UniformTypes

/// The conversion of property lists to the bytes of a representation, and back.
enum PropertyLists {
    /// The maximum number of containers around a value. Foundation's functions exhaust the stack for deeper values.
    private static let maxDepth = 512

    /// Returns the bytes of a property list; nil if the value is none. Bytes stay as they are. A type of text or of an
    /// address has strings only, and other types have binary property lists.
    static func data(of value: Any, forType type: NSPasteboard.PasteboardType) -> Data? {
        if let data = value as? Data { return data }
        if isText(type) { return (value as? String).map { Data($0.utf8) } }
        guard !isTooDeep(value), PropertyListSerialization.propertyList(value, isValidFor: .binary) else { return nil }
        return try? PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0)
    }

    /// Returns the value of a property list; nil if the bytes are none.
    static func value(of data: Data, forType type: NSPasteboard.PasteboardType) -> Any? {
        if isText(type) { return String(data: data, encoding: .utf8) }
        guard PropertyList.isDecodable(data) else { return nil }
        return unsafe try? PropertyListSerialization.propertyList(from: data, options: [], format: nil)
    }

    private static func isTooDeep(_ value: Any) -> Bool {
        var rest = [(value: value, depth: 0)]
        while let (value, depth) = rest.popLast() {
            guard depth <= maxDepth else { return true }
            if let values = value as? [Any] { rest += values.map { ($0, depth + 1) } }
            if let values = value as? [AnyHashable: Any] { rest += values.values.map { ($0, depth + 1) } }
        }
        return false
    }

    /// Returns the data of an object in the form that the object asks for.
    static func form(
        of data: Data, _ options: NSPasteboard.ReadingOptions, forType type: NSPasteboard.PasteboardType
    ) -> Any? {
        if options.contains(.asString) { return String(data: data, encoding: .utf8) }
        if options.contains(.asPropertyList) { return value(of: data, forType: type) }
        return data
    }

    private static func isText(_ type: NSPasteboard.PasteboardType) -> Bool {
        guard let type = UniformType(type.rawValue) else { return false }
        return type.conforms(to: .text) || type.conforms(to: .url)
    }
}

/// The search for a type among those of an item.
enum TypeSearch {
    /// Returns true for a type that bytes can have: a class of types, such as `image`, is none.
    static func isWritable(_ type: NSPasteboard.PasteboardType) -> Bool {
        SourceType.concrete(named: type.rawValue) != nil
    }

    /// Returns the first of the wanted types that is among the given types or that a given type conforms to.
    static func first(
        of wanted: [NSPasteboard.PasteboardType], in types: [NSPasteboard.PasteboardType]
    ) -> NSPasteboard.PasteboardType? {
        for type in wanted {
            if types.contains(type) { return type }
            if let conforming = conforming(to: type, in: types) { return conforming }
        }
        return nil
    }

    private static func conforming(
        to wanted: NSPasteboard.PasteboardType, in types: [NSPasteboard.PasteboardType]
    ) -> NSPasteboard.PasteboardType? {
        guard let wanted = UniformType(wanted.rawValue) else { return nil }
        return types.first { UniformType($0.rawValue)?.conforms(to: wanted) == true }
    }
}

#endif
