public import FoundationEssentials
import UniformTypes

/// An item of a pasteboard: one thing in several representations, richest first.
///
/// To write an item, create it and add its representations. An item that was read holds the representations as they
/// were at that time, and can be written again unchanged.
///
/// ```swift
/// var item = PasteboardItem(Data("<b>Hello</b>".utf8), type: "public.html")
/// item.setData(Data("Hello".utf8), forType: "public.utf8-plain-text")
/// try Pasteboard.general.setItems([item])
/// ```
///
/// Source: the items of UIPasteboard, and NSPasteboardItem, whose promises a data provider fulfills.
public struct PasteboardItem: Sendable {
    struct Representation: Sendable {
        enum Bytes: Sendable {
            case data(Data)
            case promise(Promise)
        }

        /// A TYPE.
        var type: String
        /// The X11 target or MIME type under which the representation was read.
        var target: String?
        /// True if the representation is offered under this one name only.
        var exact = false
        var bytes: Bytes
    }

    private(set) var representations: [Representation] = []
    /// The types that were on offer when the item was read, but whose bytes could not be read: their owner refused them
    /// or broke off the transfer.
    public internal(set) var missingTypes: [String] = []

    /// Creates an item without representations. The item cannot be written until it has a representation.
    public init() {}

    init(representations: [Representation], missingTypes: [String] = []) {
        self.representations = representations
        self.missingTypes = missingTypes
    }

    /// Creates an item with one representation.
    ///
    /// - Parameters:
    ///   - data: The bytes of the representation, which may be empty.
    ///   - type: A TYPE that names one concrete type; see ``Pasteboard``.
    public init(_ data: Data, type: some PasteboardTypeName) {
        setData(data, forType: type.typeName)
    }

    /// The types of the item's representations, richest first: the names that were given or, for an item that was read,
    /// the type identifiers.
    public var types: [String] { representations.map(\.type) }

    /// Returns the bytes of a representation; nil if the item has no representation of the type, or only a promise.
    ///
    /// - Parameter type: A TYPE. A representation of exactly that type is preferred to a representation of a conforming
    ///   type.
    public func data(forType type: some PasteboardTypeName) -> Data? {
        guard let index = index(forType: type.typeName), case .data(let data) = representations[index].bytes else {
            return nil
        }
        return data
    }

    /// Adds a representation after the existing representations, or replaces the representation of the same type.
    ///
    /// - Parameters:
    ///   - data: The bytes of the representation, which may be empty.
    ///   - type: A TYPE that names one concrete type; `image` does not.
    public mutating func setData(_ data: Data, forType type: some PasteboardTypeName) {
        set(Representation(type: type.typeName, bytes: .data(data)))
    }

    /// Adds or replaces a representation that is a value of a custom type, as JSON (RFC 8259).
    ///
    /// - Parameters:
    ///   - value: The value to write.
    ///   - type: A TYPE that names one concrete type.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/invalidValue`` for a value that JSON cannot
    ///   represent.
    public mutating func encode(_ value: some Codable & Sendable, forType type: some PasteboardTypeName) throws {
        for representation in try Codec.json(type.typeName).item(value).representations { set(representation) }
    }

    /// Adds or replaces a representation that is a property list.
    ///
    /// - Parameters:
    ///   - value: The value to write.
    ///   - type: A TYPE that names one concrete type.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/invalidValue`` for a value that a property
    ///   list cannot represent.
    public mutating func setValue(_ value: some PropertyListValue, forType type: some PasteboardTypeName) throws {
        for representation in try Codec.propertyListValue(type.typeName).item(value).representations {
            set(representation)
        }
    }

    /// Adds or replaces a promised representation. Its bytes are made when a reader first asks for them.
    ///
    /// The provider runs in a task of its own while the program goes on; a slow provider delays only the readers of
    /// this representation. It is called at most once each time the item is written. Its bytes are kept for later
    /// readers; if it throws, the readers get the error, and it is not called again. The promise becomes void when the
    /// contents are replaced. If the program ends first, the promise is broken; see
    /// ``Pasteboard/keepPromises(within:)``.
    ///
    /// - Parameters:
    ///   - type: A TYPE that names one concrete type.
    ///   - provider: Returns the bytes.
    public mutating func setPromise(
        forType type: some PasteboardTypeName, provider: @escaping @Sendable () async throws -> Data
    ) {
        setPromise(forTypes: [type.typeName], provider: provider)
    }

    /// Adds or replaces several promised representations that share the same bytes, which are made once.
    ///
    /// - Parameters:
    ///   - types: TYPEs that each name one concrete type, in the order of preference.
    ///   - provider: Returns the bytes; see ``setPromise(forType:provider:)``.
    public mutating func setPromise(
        forTypes types: [some PasteboardTypeName], provider: @escaping @Sendable () async throws -> Data
    ) {
        let promise = Promise(provider)
        for type in types { set(Representation(type: type.typeName, bytes: .promise(promise))) }
    }

    private mutating func set(_ representation: Representation) {
        if let same = representations.firstIndex(where: { Self.isSame($0.type, representation.type) }) {
            representations[same] = representation
        } else {
            representations.append(representation)
        }
    }

    /// Compares identifiers without case. Two names of one type, such as `text/rtf` and `application/rtf`, count as two
    /// representations.
    private static func isSame(_ one: String, _ other: String) -> Bool {
        if one == other { return true }
        guard let one = UniformType(one), let other = UniformType(other) else { return false }
        return one == other
    }

    private func index(forType type: String) -> Int? {
        guard let query = TypeQuery.parse(type) else { return nil }
        return TypeQuery.best(of: representations.map { Self.offer($0.type, $0.target) }, for: [query])
    }

    static func offer(_ type: String, _ target: String?) -> TypeQuery.Offer {
        let concrete = SourceType.concrete(named: type)
        return (concrete?.type ?? .data, target ?? concrete?.target)
    }
}
