#if !canImport(Darwin)

public import Foundation
import Pasteboard

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
    /// provide the bytes.
    ///
    /// Source: `NSPasteboard.data(forType:)`.
    public func data(forType dataType: PasteboardType) -> Data? {
        if let items = board.ownItems, let item = items.first(where: { $0.types.contains(dataType) }) {
            return item.resolve(dataType, on: self)
        }
        return board.read { try $0.data(forType: dataType.rawValue, inItemSet: nil).lazy.compactMap(\.self).first }
    }

    /// Returns the text of a type; nil if no item has the type, or its bytes are not UTF-8.
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
        return board.read { pasteboard in
            let count = try pasteboard.changeCount
            return try pasteboard.types(forItemSet: nil).enumerated().map { number, types in
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
    /// The count of the bridge for which the place is valid.
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

    /// True if the contents have not changed since.
    var isCurrent: Bool { board.read { try $0.changeCount } == count }

    func data(forType type: NSPasteboard.PasteboardType) -> Data? {
        guard isCurrent else { return nil }
        if let own, own.types.contains(type) { return own.resolve(type, on: board.pasteboard) }
        return board.read { try $0.data(forType: type.rawValue, inItemSet: [number]).first ?? nil }
    }
}

#endif
