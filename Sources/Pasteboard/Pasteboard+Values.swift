/// Property lists, and a program's own values.
extension Pasteboard {
    // MARK: Property lists

    /// The first item's form of a type as a property list; nil where there is none.
    ///
    /// Text is a string. Bytes that are no property list are ``PropertyList/data(_:)``.
    ///
    /// - Parameter type: A TYPE.
    /// - Throws: ``PasteboardError``.
    public func value(forType type: String) throws -> PropertyList? {
        try value(.propertyList(type)).run()
    }

    /// As ``value(forType:)`` of several items, all of one moment, with a hole where an item has none.
    ///
    /// - Parameters:
    ///   - type: A TYPE.
    ///   - items: Numbers of items, from 0; nil means all.
    /// - Throws: ``PasteboardError``.
    public func values(forType type: String, inItemSet items: [Int]?) throws -> [PropertyList?] {
        try values(.propertyList(type), inItemSet: items).run()
    }

    /// The first item's form of a type as a value that is a property list; nil where there is none.
    ///
    /// - Parameters:
    ///   - value: Its Swift type.
    ///   - type: A TYPE.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/invalidValue`` where it is of another kind.
    public func value<Value: PropertyListValue>(_ value: Value.Type, forType type: String) throws -> Value? {
        try self.value(Codec<Value>.propertyListValue(type)).run()
    }

    /// Replaces the contents by one item with a property list: a string, number, date, bytes, or arrays and
    /// dictionaries of them.
    ///
    /// Under a type of text a string is text, and bytes are themselves under any type. Anything else is a property list
    /// in the format of Apple's, binary, or XML for a single value.
    ///
    /// - Parameters:
    ///   - value: What is written.
    ///   - type: A TYPE that names one concrete type.
    ///   - options: What holds for the contents.
    ///   - count: Only if this is the change count.
    /// - Returns: The change count.
    /// - Throws: ``PasteboardError`` as ``setData(_:forType:options:ifChangeCount:)`` does.
    @discardableResult
    public func setValue(
        _ value: some PropertyListValue, forType type: String, options: PasteboardOptions = PasteboardOptions(),
        ifChangeCount count: Int? = nil
    ) throws -> Int {
        try writing([value], .propertyListValue(type), options, count).run()
    }

    // MARK: A program's own values

    /// The first item's form of a type as a value of the program's own, from JSON; nil where there is none.
    ///
    /// - Parameters:
    ///   - value: Its Swift type.
    ///   - type: A TYPE.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/invalidValue`` where it is no such value.
    public func value<Value: Codable & Sendable>(
        _ value: Value.Type, forType type: String
    ) throws -> Value? {
        try self.value(Codec<Value>.json(type)).run()
    }

    /// Replaces the contents by one item with a value of the program's own, as JSON (RFC 8259).
    ///
    /// A type of the program's own, such as `com.example.recipe`, is best declared first, by ``declare(_:)``: other
    /// programs can then ask for it by MIME type.
    ///
    /// - Parameters:
    ///   - value: What is written.
    ///   - type: A TYPE that names one concrete type.
    ///   - options: What holds for the contents.
    ///   - count: Only if this is the change count.
    /// - Returns: The change count.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/invalidValue`` for what JSON cannot have, and as
    ///   ``setData(_:forType:options:ifChangeCount:)`` does.
    @discardableResult
    public func setValue(
        _ value: some Codable & Sendable, forType type: String, options: PasteboardOptions = PasteboardOptions(),
        ifChangeCount count: Int? = nil
    ) throws -> Int {
        try writing([value], .json(type), options, count).run()
    }
}
