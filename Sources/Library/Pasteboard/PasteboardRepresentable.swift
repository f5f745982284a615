public import FoundationEssentials

/// A Swift type whose values can be written to a pasteboard and read from a pasteboard.
///
/// ```swift
/// struct Tile: PasteboardRepresentable {
///     var color: String
///
///     static var readableTypes: [PasteboardType] { ["org.example.tile", .text] }
///
///     init(color: String) { self.color = color }
///
///     init(pasteboardData data: Data, type: String) throws {
///         color = String(decoding: data, as: UTF8.self)
///     }
///
///     func pasteboardItem() throws -> PasteboardItem {
///         var item = PasteboardItem(Data(color.utf8), type: "org.example.tile")
///         item.setData(Data(color.utf8), forType: .plainText)
///         return item
///     }
/// }
///
/// try Pasteboard.general.copy([Tile(color: "#2040c0")])
/// let tiles = try Pasteboard.general.paste(Tile.self)
/// ```
///
/// Promise a representation that takes a long time to make; see ``PasteboardItem/setPromise(forType:provider:)``. A
/// `Codable` type conforms with one line; see ``CodablePasteboardRepresentable``.
///
/// Source: `NSPasteboardWriting`, `NSPasteboardReading`, and the item providers of UIPasteboard.
public protocol PasteboardRepresentable: Sendable {
    /// The types that a value can be made from, best first. The first type that an item has is read.
    static var readableTypes: [PasteboardType] { get }

    /// Creates a value from a representation.
    ///
    /// - Parameters:
    ///   - data: The bytes of the representation.
    ///   - type: The identifier of its type, which conforms to one of ``readableTypes``.
    /// - Throws: Any error, if the bytes are not a value of this type. The error reaches the caller of
    ///   ``Pasteboard/paste(_:)``.
    init(pasteboardData data: Data, type: String) throws

    /// Returns an item with all representations of the value, richest first.
    func pasteboardItem() throws -> PasteboardItem
}

/// A `Codable` type whose values are written to a pasteboard as JSON (RFC 8259), under a type of the program's own.
///
/// ```swift
/// struct Recipe: CodablePasteboardRepresentable {
///     static let pasteboardType: PasteboardType = "com.example.recipe"
///     var title: String
/// }
/// ```
public protocol CodablePasteboardRepresentable: PasteboardRepresentable, Codable {
    /// The type of the values, which must be a concrete type.
    static var pasteboardType: PasteboardType { get }
}

extension CodablePasteboardRepresentable {
    /// The one type of the values.
    public static var readableTypes: [PasteboardType] { [pasteboardType] }

    /// Decodes a value.
    ///
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/invalidValue``.
    public init(pasteboardData data: Data, type: String) throws {
        self = try Codec<Self>.decoded(data, type)
    }

    /// Returns an item with the value as JSON.
    ///
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/invalidValue``.
    public func pasteboardItem() throws -> PasteboardItem {
        try Codec<Self>.json(Self.pasteboardType.typeName).item(self)
    }
}

extension Codec where Value: PasteboardRepresentable {
    static var representable: Codec {
        Codec(types: Value.readableTypes.map(\.typeName)) { value in
            try ValueError.wrapping { try value.pasteboardItem() }
        } value: { data, type in
            try ValueError.wrapping { try Value(pasteboardData: data, type: type) }
        }
    }
}

/// A wrapper of an error of the program's own type, which reaches the caller unchanged. Without this wrapper, the error
/// would look like a reply of the bridge that cannot be decoded.
struct ValueError: Error {
    let underlying: any Error

    static func wrapping<Value>(_ body: () throws -> Value) throws(ValueError) -> Value {
        do {
            return try body()
        } catch {
            throw ValueError(underlying: error)
        }
    }
}

extension Pasteboard {
    /// Replaces the contents with one item for each value. An empty array clears the pasteboard.
    ///
    /// - Parameters:
    ///   - values: The values to write.
    ///   - options: Options for the contents.
    ///   - count: The expected change count; nil to write in any case.
    /// - Returns: The new change count.
    /// - Throws: The error of ``PasteboardRepresentable/pasteboardItem()``, and ``PasteboardError`` as
    ///   ``setItems(_:options:ifChangeCount:formerOwner:)`` does.
    ///
    /// Source: `NSPasteboard.writeObjects(_:)`.
    @discardableResult
    public func copy<Value: PasteboardRepresentable>(
        _ values: [Value], options: PasteboardOptions = PasteboardOptions(), ifChangeCount count: Int? = nil
    ) throws -> Int {
        try writing(values, .representable, options, count).run()
    }

    /// Returns the value of each item that has a value, all from the same change count.
    ///
    /// - Parameter type: The Swift type of the values.
    /// - Throws: The error of ``PasteboardRepresentable/init(pasteboardData:type:)``, and ``PasteboardError``, as
    ///   ``data(forType:)`` does.
    ///
    /// Source: `NSPasteboard.readObjects(forClasses:options:)`.
    public func paste<Value: PasteboardRepresentable>(_ type: Value.Type) throws -> [Value] {
        try allValues(.representable).run()
    }
}

extension AsyncPasteboard {
    /// See ``Pasteboard/copy(_:options:ifChangeCount:)``.
    @discardableResult
    public func copy<Value: PasteboardRepresentable>(
        _ values: [Value], options: PasteboardOptions = PasteboardOptions(), ifChangeCount count: Int? = nil
    ) async throws -> Int {
        try await board.writing(values, .representable, options, count).run()
    }

    /// See ``Pasteboard/paste(_:)``.
    public func paste<Value: PasteboardRepresentable>(_ type: Value.Type) async throws -> [Value] {
        try await board.allValues(.representable).run()
    }
}
