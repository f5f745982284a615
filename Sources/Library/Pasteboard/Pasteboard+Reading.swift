public import FoundationEssentials
import PasteboardWire

extension Pasteboard {
    /// The number of changes of contents or of owner so far. Reading is not a change. The count never decreases.
    ///
    /// - Throws: ``PasteboardError``.
    public var changeCount: Int {
        get throws { try currentCount.run() }
    }

    /// The program that wrote last.
    ///
    /// - Throws: ``PasteboardError``.
    public var owner: PasteboardOwner {
        get throws { try currentOwner.run() }
    }

    /// The identifiers of the types that the first item has, in the order of preference.
    ///
    /// Types that would have to be converted from another type come last. An empty pasteboard has no types. For other
    /// items, see ``types(forItemSet:)``.
    ///
    /// - Throws: ``PasteboardError``.
    public var types: [String] {
        get throws { try typesOnOffer.run() }
    }

    /// Returns the identifiers of the types on offer, item by item, each in the order of ``types``.
    ///
    /// - Parameter items: The numbers of the items, from 0; nil for all.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/noSuchItem`` if a number is out of range.
    public func types(forItemSet items: [Int]?) throws -> [[String]] {
        try types(inItemSet: items).run()
    }

    /// Returns true if the first item has any of the types, so that ``data(forTypes:)`` would find a representation. No
    /// bytes are fetched.
    ///
    /// - Parameter types: TYPEs. With an empty array, the result is false.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/invalidType`` for a string that cannot be a type.
    public func contains(types: [some PasteboardTypeName]) throws -> Bool {
        try isOffering(types.map(\.typeName)).run()
    }

    /// Returns true if the first item has any of the types, as ``contains(types:)`` does, but waits only for a given
    /// time until the owner has listed its types. This suits menus.
    ///
    /// - Parameters:
    ///   - types: TYPEs.
    ///   - time: The time to wait for the owner, such as 50 milliseconds. Contents that the bridge holds need none.
    /// - Returns: nil if the owner has not listed its types in that time.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/invalidType`` for a string that cannot be a type.
    public func contains(types: [some PasteboardTypeName], within time: Duration) throws -> Bool? {
        try isOffering(types.map(\.typeName), within: time).run()
    }

    /// Returns true if any item of a set has any of the types. No bytes are fetched.
    ///
    /// - Parameters:
    ///   - types: TYPEs.
    ///   - items: The numbers of the items, from 0; nil for all.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/noSuchItem`` if a number is out of range.
    public func contains(types: [some PasteboardTypeName], inItemSet items: [Int]?) throws -> Bool {
        try isOffering(types.map(\.typeName), inItemSet: items).run()
    }

    /// Returns the numbers, from 0, of the items that have any of the types. No bytes are fetched.
    ///
    /// - Parameter types: TYPEs.
    /// - Throws: ``PasteboardError``.
    public func itemSet(withTypes types: [some PasteboardTypeName]) throws -> [Int] {
        try numbers(withTypes: types.map(\.typeName)).run()
    }

    /// The number of items.
    ///
    /// - Throws: ``PasteboardError``.
    public var numberOfItems: Int {
        get throws { try itemCount.run() }
    }

    /// All items in all representations as they were written, all from the same change count.
    ///
    /// Representations that would have to be converted from another representation are left out. Promised bytes are
    /// requested. Types whose bytes could not be read are listed in ``PasteboardItem/missingTypes``.
    ///
    /// - Throws: ``PasteboardError``.
    public var items: [PasteboardItem] {
        get throws { try wholeItems.run() }
    }

    /// Returns the bytes of the first item's representation of a type; nil if the item has no such representation.
    ///
    /// Text that is requested by identifier or class is in UTF-8. Text that is requested by MIME type or X11 target is
    /// the owner's bytes, unchanged. Bytes of 64 KiB or more are mapped into memory, not copied.
    ///
    /// - Parameter type: A TYPE.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/promiseBroken`` if the program that promised the
    ///   bytes cannot provide them, ``PasteboardError/Code/silent``, ``PasteboardError/Code/transferBroken``.
    public func data(forType type: some PasteboardTypeName) throws -> Data? {
        try representation(ofTypes: [type.typeName]).map { $0?.data }.run()
    }

    /// Returns the bytes of the first item's representation of the first of the types that the item has, and the
    /// identifier of that type. Returns nil if the item has none of the types.
    ///
    /// - Parameter types: TYPEs in the order of preference.
    /// - Throws: ``PasteboardError``, as ``data(forType:)`` does.
    public func data(forTypes types: [some PasteboardTypeName]) throws -> (data: Data, type: String)? {
        try representation(ofTypes: types.map(\.typeName)).map { read in read.map { ($0.data, $0.type) } }.run()
    }

    /// Returns the bytes of several items' representations of a type, all from the same change count, with nil for each
    /// item that has no such representation.
    ///
    /// - Parameters:
    ///   - type: A TYPE.
    ///   - items: The numbers of the items, from 0; nil for all.
    /// - Throws: ``PasteboardError``, as ``data(forType:)`` does.
    public func data(forType type: some PasteboardTypeName, inItemSet items: [Int]?) throws -> [Data?] {
        try values(.data(type.typeName), inItemSet: items).run()
    }
}

/// The program that wrote to a pasteboard last.
public struct PasteboardOwner: Hashable, Sendable {
    /// The kinds of owners.
    public enum Kind: Hashable, Sendable {
        /// The pasteboard is empty and has no owner.
        case nobody
        /// A program that wrote through the bridge.
        case client
        /// A program of the display, with the number of its window.
        case window(Int)
        /// A Wayland program. Compositors do not report which program.
        case wayland
    }

    /// The kind of the owner.
    public let kind: Kind
    /// The ID of the owner's process; nil if the process is unknown or runs on another machine. The process may have
    /// exited.
    public let processID: Int?
    /// The program's name; nil if it is unknown.
    public let program: String?
    /// The time at which the program became the owner; nil if it is unknown.
    public let since: Date?

    init(_ owner: WireOwner) {
        kind =
            switch owner.kind {
            case .none: .nobody
            case .client: .client
            case .window: .window(owner.window ?? 0)
            case .wayland: .wayland
            }
        processID = owner.process
        program = owner.program
        since = owner.since.map { Date(timeIntervalSince1970: Double($0) / 1_000) }
    }
}
