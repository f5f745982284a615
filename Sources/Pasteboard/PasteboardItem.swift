public import FoundationEssentials
import UniformTypes

/// One thing on a pasteboard, in all its forms, the richest first.
///
/// An item to be written is made and filled; one that was read has what was there at that moment, and can be written
/// again as it is.
///
/// ```swift
/// var item = PasteboardItem(Data("<b>Hello</b>".utf8), type: "public.html")
/// item.setData(Data("Hello".utf8), forType: "public.utf8-plain-text")
/// try Pasteboard.general.setItems([item])
/// ```
///
/// Source: the items of UIPasteboard, and NSPasteboardItem, whose promises are given by a data provider.
public struct PasteboardItem: Sendable {
    struct Representation: Sendable {
        enum Form: Sendable {
            case data(Data)
            case promise(Promise)
        }

        /// A TYPE.
        var type: String
        /// The X11 target or MIME type it was read under.
        var target: String?
        /// Offered under this one name.
        var exact = false
        var form: Form
    }

    private(set) var representations: [Representation] = []
    /// The types that were on offer when the item was read and could not be had: their owner refused or broke off.
    public internal(set) var missingTypes: [String] = []

    /// An item without any form. It cannot be written.
    public init() {}

    init(representations: [Representation], missingTypes: [String] = []) {
        self.representations = representations
        self.missingTypes = missingTypes
    }

    /// An item with one form.
    ///
    /// - Parameters:
    ///   - data: Its bytes; none is a form, too.
    ///   - type: A TYPE that names one concrete type; see ``Pasteboard``.
    public init(_ data: Data, type: String) {
        setData(data, forType: type)
    }

    /// The types of its forms, the richest first: as they were given, or the identifiers of what was read.
    public var types: [String] { representations.map(\.type) }

    /// The bytes of a form; nil where the item has none of the type, or where they are only promised.
    ///
    /// - Parameter type: A TYPE. A form of exactly that type goes before one that conforms to it.
    public func data(forType type: String) -> Data? {
        guard let index = index(forType: type), case .data(let data) = representations[index].form else { return nil }
        return data
    }

    /// Gives the item a form, behind those it has; one of the same type is replaced.
    ///
    /// - Parameters:
    ///   - data: Its bytes; none is a form, too.
    ///   - type: A TYPE that names one concrete type; `image` does not.
    public mutating func setData(_ data: Data, forType type: String) {
        set(Representation(type: type, form: .data(data)))
    }

    /// Gives the item a form that is a value of the program's own, as JSON (RFC 8259).
    ///
    /// - Parameters:
    ///   - value: What is written.
    ///   - type: A TYPE that names one concrete type.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/invalidValue`` for what JSON cannot have.
    public mutating func setValue(_ value: some Codable & Sendable, forType type: String) throws {
        for representation in try Codec.json(type).item(value).representations { set(representation) }
    }

    /// Gives the item a form that is a property list, of a value as ``PropertyList`` has them.
    ///
    /// - Parameters:
    ///   - value: What is written.
    ///   - type: A TYPE that names one concrete type.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/invalidValue`` for what no property list can have.
    public mutating func setValue(_ value: some PropertyListValue, forType type: String) throws {
        for representation in try Codec.propertyListValue(type).item(value).representations { set(representation) }
    }

    /// Promises a form: its bytes are made when somebody asks for them, the first time, or never.
    ///
    /// The provider runs in a task of its own while the program goes on; a slow one holds up nobody but those who asked
    /// for this form. It is called at most once for each time the item is written, and what it gives is kept for all
    /// who ask later. What it throws is told to those who ask, and it is not called again. The promise is void once the
    /// contents are replaced, and broken when the program ends; see ``Pasteboard/keepPromises(within:)``.
    ///
    /// - Parameters:
    ///   - type: A TYPE that names one concrete type.
    ///   - provider: Gives the bytes.
    public mutating func setPromise(forType type: String, provider: @escaping @Sendable () async throws -> Data) {
        setPromise(forTypes: [type], provider: provider)
    }

    /// Promises forms which all have the same bytes, made once.
    ///
    /// - Parameters:
    ///   - types: TYPEs, the best first.
    ///   - provider: Gives the bytes; see ``setPromise(forType:provider:)``.
    public mutating func setPromise(forTypes types: [String], provider: @escaping @Sendable () async throws -> Data) {
        let promise = Promise(provider)
        for type in types { set(Representation(type: type, form: .promise(promise))) }
    }

    private mutating func set(_ representation: Representation) {
        if let same = representations.firstIndex(where: { Self.isSame($0.type, representation.type) }) {
            representations[same] = representation
        } else {
            representations.append(representation)
        }
    }

    /// Identifiers compare without case; two names of one type, as `text/rtf` and `application/rtf`, are two forms.
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
