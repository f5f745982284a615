#if !canImport(Darwin)

public import Foundation
import Pasteboard
import UniformTypes

/// Reading.
extension NSPasteboard {
    /// The types of the pasteboard, those of the first item first; nil if no bridge can be reached. Types that would
    /// have to be converted from another type come last.
    ///
    /// Source: `NSPasteboard.types`.
    public var types: [PasteboardType]? {
        board.read { pasteboard in
            var seen: Set<String> = []
            return try pasteboard.types(forItemSet: nil).joined().filter { seen.insert($0).inserted }
                .map(PasteboardType.init(rawValue:))
        }
    }

    /// Returns the first type of a list that the pasteboard has, or that one of its types conforms to; nil if it has
    /// none.
    ///
    /// Source: `NSPasteboard.availableType(from:)`.
    public func availableType(from types: [PasteboardType]) -> PasteboardType? {
        TypeSearch.first(of: types, in: self.types ?? [])
    }

    /// Returns the bytes of a type of the first item that has it; nil if no item has the type, or its owner does not
    /// provide the bytes. Plain text is that of all items, one line after the other.
    ///
    /// Apple's method also joins the rich text of several items.
    ///
    /// Source: `NSPasteboard.data(forType:)`.
    public func data(forType dataType: PasteboardType) -> Data? {
        let isJoined = UniformType(dataType.rawValue)?.conforms(to: .plainText) == true
        if let items = board.ownItems?.filter({ $0.types.contains(dataType) }), !items.isEmpty {
            return Self.joined(items.prefix(isJoined ? items.count : 1).map { $0.resolve(dataType, on: self) })
        }
        return board.read { pasteboard in
            let data = try pasteboard.data(forType: dataType.rawValue, inItemSet: nil).compactMap(\.self)
            return Self.joined(data.prefix(isJoined ? data.count : 1).map(\.self))
        }
    }

    /// Returns the data of items as lines; nil if no item has data.
    private static func joined(_ data: [Data?]) -> Data? {
        let present = data.compactMap(\.self)
        return present.isEmpty ? nil : Data(present.joined(separator: [UInt8(ascii: "\n")]))
    }

    /// Returns the text of a type, by the rules of ``data(forType:)``; nil if no item has the type, or the bytes are
    /// not UTF-8.
    ///
    /// Source: `NSPasteboard.string(forType:)`.
    public func string(forType dataType: PasteboardType) -> String? {
        data(forType: dataType).flatMap { String(data: $0, encoding: .utf8) }
    }

    /// Returns the property list of a type; nil if no item has the type, or its data is no property list.
    ///
    /// Source: `NSPasteboard.propertyList(forType:)`.
    public func propertyList(forType dataType: PasteboardType) -> Any? {
        data(forType: dataType).flatMap { PropertyLists.value(of: $0, forType: dataType) }
    }

    // MARK: Items

    /// The items, with data that is read on demand; nil if no bridge can be reached.
    ///
    /// Source: `NSPasteboard.pasteboardItems`.
    public var pasteboardItems: [NSPasteboardItem]? {
        let own = board.ownItems
        let count = board.changeCount
        return board.read { pasteboard in
            try pasteboard.types(forItemSet: nil).enumerated().map { number, types in
                NSPasteboardItem(
                    reading: ReadPlace(
                        board: board, count: count, number: number, types: types.map(PasteboardType.init(rawValue:)),
                        own: own.flatMap { $0.indices.contains(number) ? $0[number] : nil }))
            }
        }
    }

    /// Returns the number of an item on the pasteboard, from 0; `NSNotFound` if it is not there.
    ///
    /// Source: `NSPasteboard.index(of:)`.
    public func index(of pasteboardItem: NSPasteboardItem) -> Int {
        if let number = board.ownItems?.firstIndex(where: { $0 === pasteboardItem }) { return number }
        guard let place = pasteboardItem.place, place.board === board, place.isCurrent else { return NSNotFound }
        return place.number
    }

    /// Returns true if an item has a type that is one of the given types or conforms to one.
    ///
    /// Source: `NSPasteboard.canReadItem(withDataConformingToTypes:)`.
    public func canReadItem(withDataConformingToTypes types: [String]) -> Bool {
        availableType(from: types.map(PasteboardType.init(rawValue:))) != nil
    }
}

/// The place of an item that was read.
final class ReadPlace: Sendable {
    let board: Board
    let number: Int
    let types: [NSPasteboard.PasteboardType]
    /// The change count for which the place is valid.
    private let count: Int
    /// The item that this program has written there.
    private let own: NSPasteboardItem?

    init(board: Board, count: Int, number: Int, types: [NSPasteboard.PasteboardType], own: NSPasteboardItem?) {
        self.board = board
        self.count = count
        self.number = number
        self.types = types
        self.own = own
    }

    /// True if no other contents have replaced those of the place. Additions do not count.
    var isCurrent: Bool { board.changeCount == count }

    func data(forType type: NSPasteboard.PasteboardType) -> Data? {
        guard isCurrent else { return nil }
        if let own, own.types.contains(type) { return own.resolve(type, on: board.pasteboard) }
        return board.read { try $0.data(forType: type.rawValue, inItemSet: [number]).first ?? nil }
    }
}

#endif
