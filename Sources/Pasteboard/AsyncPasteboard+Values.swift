/// Property lists, and a program's own values.
extension AsyncPasteboard {
    // MARK: Property lists

    /// See ``Pasteboard/value(forType:)``.
    public func value(forType type: String) async throws -> PropertyList? {
        try await board.value(.propertyList(type)).run()
    }

    /// See ``Pasteboard/values(forType:inItemSet:)``.
    public func values(forType type: String, inItemSet items: [Int]?) async throws -> [PropertyList?] {
        try await board.values(.propertyList(type), inItemSet: items).run()
    }

    /// See ``Pasteboard/value(_:forType:)-55b25``.
    public func value<Value: PropertyListValue>(_ value: Value.Type, forType type: String) async throws -> Value? {
        try await board.value(Codec<Value>.propertyListValue(type)).run()
    }

    /// See ``Pasteboard/setValue(_:forType:options:ifChangeCount:)-(PropertyListValue,_,_,_)``.
    @discardableResult
    public func setValue(
        _ value: some PropertyListValue, forType type: String, options: PasteboardOptions = PasteboardOptions(),
        ifChangeCount count: Int? = nil
    ) async throws -> Int {
        try await board.writing([value], .propertyListValue(type), options, count).run()
    }

    // MARK: A program's own values

    /// See ``Pasteboard/value(_:forType:)-6ng1w``.
    public func value<Value: Codable & Sendable>(
        _ value: Value.Type, forType type: String
    ) async throws -> Value? {
        try await board.value(Codec<Value>.json(type)).run()
    }

    /// See ``Pasteboard/setValue(_:forType:options:ifChangeCount:)-(DecodableEncodableSendable,_,_,_)``.
    @discardableResult
    public func setValue(
        _ value: some Codable & Sendable, forType type: String, options: PasteboardOptions = PasteboardOptions(),
        ifChangeCount count: Int? = nil
    ) async throws -> Int {
        try await board.writing([value], .json(type), options, count).run()
    }
}
