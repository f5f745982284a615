public import FoundationEssentials

/// Types and bytes.
extension AsyncPasteboard {
    /// See ``Pasteboard/changeCount``.
    public var changeCount: Int {
        get async throws { try await board.counting.run() }
    }

    /// See ``Pasteboard/owner``.
    public var owner: PasteboardOwner {
        get async throws { try await board.telling.run() }
    }

    /// See ``Pasteboard/types``.
    public var types: [String] {
        get async throws { try await board.typesOnOffer.run() }
    }

    /// See ``Pasteboard/types(forItemSet:)``.
    public func types(forItemSet items: [Int]?) async throws -> [[String]] {
        try await board.types(inItemSet: items).run()
    }

    /// See ``Pasteboard/contains(types:)``.
    public func contains(types: [String]) async throws -> Bool {
        try await board.isOffering(types).run()
    }

    /// See ``Pasteboard/contains(types:inItemSet:)``.
    public func contains(types: [String], inItemSet items: [Int]?) async throws -> Bool {
        try await board.isOffering(types, inItemSet: items).run()
    }

    /// See ``Pasteboard/itemSet(withTypes:)``.
    public func itemSet(withTypes types: [String]) async throws -> [Int] {
        try await board.numbers(withTypes: types).run()
    }

    /// See ``Pasteboard/numberOfItems``.
    public var numberOfItems: Int {
        get async throws { try await board.itemCount.run() }
    }

    /// See ``Pasteboard/items``.
    public var items: [PasteboardItem] {
        get async throws { try await board.wholeItems.run() }
    }

    /// See ``Pasteboard/data(forType:)``.
    public func data(forType type: String) async throws -> Data? {
        try await board.form(ofTypes: [type]).map { $0?.data }.run()
    }

    /// See ``Pasteboard/data(forTypes:)``.
    public func data(forTypes types: [String]) async throws -> (data: Data, type: String)? {
        try await board.form(ofTypes: types).map { form in form.map { ($0.data, $0.type) } }.run()
    }

    /// See ``Pasteboard/data(forType:inItemSet:)``.
    public func data(forType type: String, inItemSet items: [Int]?) async throws -> [Data?] {
        try await board.values(.data(type), inItemSet: items).run()
    }
}
