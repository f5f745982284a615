public import FoundationEssentials

/// Types and bytes: what is on offer, and what it is.
extension Pasteboard {
    /// One step for each change of contents or of owner, from 0. Reading is no change. It never goes back.
    ///
    /// - Throws: ``PasteboardError``.
    public var changeCount: Int {
        get throws { try counting.run() }
    }

    /// Who wrote last.
    ///
    /// - Throws: ``PasteboardError``.
    public var owner: PasteboardOwner {
        get throws { try telling.run() }
    }

    /// The identifiers of the types that any item has on offer, each once, the best first, those last that would have
    /// to be made of another; none where the pasteboard is empty.
    ///
    /// - Throws: ``PasteboardError``.
    public var types: [String] {
        get throws { try typesOnOffer.run() }
    }

    /// The types on offer, item by item, as ``types`` has them of all.
    ///
    /// - Parameter items: Numbers of items, from 0; nil means all.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/noSuchItem`` for a number that is not there.
    public func types(forItemSet items: [Int]?) throws -> [[String]] {
        try types(inItemSet: items).run()
    }

    /// Whether the first item has any of the types. Nothing is fetched.
    ///
    /// - Parameter types: TYPEs.
    /// - Throws: ``PasteboardError``.
    public func contains(types: [String]) throws -> Bool {
        try isOffering(types).run()
    }

    /// Whether any item of a set has any of the types. Nothing is fetched.
    ///
    /// - Parameters:
    ///   - types: TYPEs.
    ///   - items: Numbers of items, from 0; nil means all.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/noSuchItem`` for a number that is not there.
    public func contains(types: [String], inItemSet items: [Int]?) throws -> Bool {
        try isOffering(types, inItemSet: items).run()
    }

    /// The numbers of the items that have any of the types, from 0. Nothing is fetched.
    ///
    /// - Parameter types: TYPEs.
    /// - Throws: ``PasteboardError``.
    public func itemSet(withTypes types: [String]) throws -> [Int] {
        try numbers(withTypes: types).run()
    }

    /// How many items there are.
    ///
    /// - Throws: ``PasteboardError``.
    public var numberOfItems: Int {
        get throws { try itemCount.run() }
    }

    /// All items in all forms as they were written, all of one moment. Forms that would be made of another are left
    /// out; promises are asked to be kept.
    ///
    /// What cannot be had of an item is told by ``PasteboardItem/missingTypes``.
    ///
    /// - Throws: ``PasteboardError``.
    public var items: [PasteboardItem] {
        get throws { try wholeItems.run() }
    }

    /// The bytes of the first item's form of a type; nil where there is none.
    ///
    /// Asked for by identifier or class, text comes in UTF-8. Asked for by MIME type or target, the owner's bytes come
    /// unchanged. Bytes from 64 KiB on are mapped into memory and not copied.
    ///
    /// - Parameter type: A TYPE.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/promiseBroken`` where the program that promised
    ///   them cannot give them, ``PasteboardError/Code/silent``, ``PasteboardError/Code/transferBroken``.
    public func data(forType type: String) throws -> Data? {
        try form(ofTypes: [type]).map { $0?.data }.run()
    }

    /// The bytes of the first item's form of the first type that it has any of, and the identifier of the form's type;
    /// nil where there is none.
    ///
    /// - Parameter types: TYPEs in the order of preference.
    /// - Throws: As ``data(forType:)``.
    public func data(forTypes types: [String]) throws -> (data: Data, type: String)? {
        try form(ofTypes: types).map { form in form.map { ($0.data, $0.type) } }.run()
    }

    /// The bytes of several items' forms of a type, all of one moment, with a hole where an item has none.
    ///
    /// - Parameters:
    ///   - type: A TYPE.
    ///   - items: Numbers of items, from 0; nil means all.
    /// - Throws: As ``data(forType:)``.
    public func data(forType type: String, inItemSet items: [Int]?) throws -> [Data?] {
        try values(.data(type), inItemSet: items).run()
    }
}
