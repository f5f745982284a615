/// Property lists, and values of a program's own types.
extension Pasteboard {
    // MARK: Property lists

    /// Returns the first item's representation of a type as a property list; nil if the item has no such
    /// representation.
    ///
    /// Text becomes a string. JSON, as ``encode(_:forType:options:ifChangeCount:)`` writes it, becomes the property
    /// list with the same values, without members that are null. Any other bytes become ``PropertyList/data(_:)``.
    ///
    /// - Parameter type: A TYPE.
    /// - Throws: ``PasteboardError``.
    public func value(forType type: some PasteboardTypeName) throws -> PropertyList? {
        try value(.propertyList(type.typeName)).run()
    }

    /// Returns several items' representations of a type as property lists, all from the same change count, with nil for
    /// each item that has no such representation.
    ///
    /// - Parameters:
    ///   - type: A TYPE.
    ///   - items: The numbers of the items, from 0; nil for all.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/noSuchItem`` if a number is out of range.
    public func values(forType type: some PasteboardTypeName, inItemSet items: [Int]?) throws -> [PropertyList?] {
        try values(.propertyList(type.typeName), inItemSet: items).run()
    }

    /// Returns the first item's representation of a type as a Swift value of a property list; nil if the item has no
    /// such representation.
    ///
    /// - Parameters:
    ///   - value: The Swift type of the value.
    ///   - type: A TYPE.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/invalidValue`` if the representation is of a
    ///   different kind.
    public func value<Value: PropertyListValue>(_ value: Value.Type, forType type: some PasteboardTypeName) throws
        -> Value?
    {
        try self.value(Codec<Value>.propertyListValue(type.typeName)).run()
    }

    /// Replaces the contents with one item: a property list, which is a string, number, date or bytes, or an array or
    /// dictionary of property lists.
    ///
    /// With a text type, a string is written as text; bytes are written as they are. Any other value is written in
    /// Apple's format for property lists: in binary if it is an array or a dictionary, else in XML.
    ///
    /// - Parameters:
    ///   - value: The value to write.
    ///   - type: A TYPE that names one concrete type.
    ///   - options: Options for the contents.
    ///   - count: The expected change count; nil to write in any case.
    /// - Returns: The new change count.
    /// - Throws: ``PasteboardError``, as ``setData(_:forType:options:ifChangeCount:)`` does.
    @discardableResult
    public func setValue(
        _ value: some PropertyListValue, forType type: some PasteboardTypeName,
        options: PasteboardOptions = PasteboardOptions(),
        ifChangeCount count: Int? = nil
    ) throws -> Int {
        try writing([value], .propertyListValue(type.typeName), options, count).run()
    }

    // MARK: Values of a program's own types

    /// Decodes a value of a custom type from the first item's representation of a type. Returns nil if the item has no
    /// such representation.
    ///
    /// The representation is JSON, as ``encode(_:forType:options:ifChangeCount:)`` writes it, or a property list.
    ///
    /// - Parameters:
    ///   - value: The Swift type of the value.
    ///   - type: A TYPE.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/invalidValue`` if the representation cannot be
    ///   decoded as that type.
    public func decode<Value: Codable & Sendable>(_ value: Value.Type, forType type: some PasteboardTypeName) throws
        -> Value?
    {
        try self.value(Codec<Value>.json(type.typeName)).run()
    }

    /// Replaces the contents with one item: a value of a custom type, as JSON (RFC 8259).
    ///
    /// First declare a type of your own, such as `com.example.recipe`, with ``declare(_:)``, so that other programs can
    /// request the value by MIME type.
    ///
    /// - Parameters:
    ///   - value: The value to write.
    ///   - type: A TYPE that names one concrete type.
    ///   - options: Options for the contents.
    ///   - count: The expected change count; nil to write in any case.
    /// - Returns: The new change count.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/invalidValue`` for a value that JSON cannot
    ///   represent, and as ``setData(_:forType:options:ifChangeCount:)`` does.
    @discardableResult
    public func encode(
        _ value: some Codable & Sendable, forType type: some PasteboardTypeName,
        options: PasteboardOptions = PasteboardOptions(),
        ifChangeCount count: Int? = nil
    ) throws -> Int {
        try writing([value], .json(type.typeName), options, count).run()
    }
}
