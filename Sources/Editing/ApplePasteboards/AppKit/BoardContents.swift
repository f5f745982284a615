#if !canImport(Darwin)

import Foundation
import Pasteboard

/// Contents that this program has written to a pasteboard.
struct BoardContents {
    /// A number that distinguishes these contents from later contents.
    let number: Int
    var items: [NSPasteboardItem] = []
    var owner: (any NSPasteboardTypeOwner)?
    var options = PasteboardOptions()
    /// The bridge's count at the last write; before the first write, its count when the contents were begun.
    var count: Int
    var isWritten = false
    /// True if the bridge does not have the latest changes.
    var isChanged = true
    /// A task that detects the loss of the contents, for owners and providers; nil before the first write.
    var watch: Task<Void, Never>?
    /// The number of writes whose promises other programs may still ask for.
    var openWrites = 0

    /// True if an owner, a provider or an object wants to know of the loss of the contents.
    var isWatched: Bool { owner != nil || items.contains(where: \.hasSource) }

    /// The items that can be written: those with types.
    var writableItems: [NSPasteboardItem] { items.filter { !$0.knownTypes.isEmpty } }

    /// Returns the items as the library writes them.
    ///
    /// - Parameter write: An object that the promises keep alive.
    func libraryItems(on pasteboard: NSPasteboard, write: PromisesOfWrite?) -> [PasteboardItem] {
        writableItems.map { item in
            var result = PasteboardItem()
            for (type, data) in item.ownTypes {
                if let data {
                    result.setData(data, forType: type.rawValue)
                    continue
                }
                result.setPromise(forType: type.rawValue) {
                    defer { withExtendedLifetime(write) {} }
                    if let data = await item.promisedData(forType: type, on: pasteboard) { return data }
                    throw PasteboardError(
                        code: .promiseBroken, message: "the program provides no data of type \(type.rawValue)")
                }
            }
            return result
        }
    }

    /// Ends the contents.
    ///
    /// - Returns: The calls that tell the providers and the owner, each once.
    func end(on pasteboard: NSPasteboard) -> [() -> Void] {
        watch?.cancel()
        var told: Set<ObjectIdentifier> = []
        let sources = items.flatMap { $0.leave() }.filter { told.insert(ObjectIdentifier($0.object)).inserted }
        var calls = sources.map { source in { source.finish(pasteboard) } }
        if let owner { calls.append { owner.pasteboardChangedOwner(pasteboard) } }
        return calls
    }

    /// Forgets the sources that ask an object, if all its promises are kept.
    ///
    /// - Returns: True if sources were forgotten.
    func removeSources(asking object: AnyObject) -> Bool {
        guard !items.contains(where: { $0.isPromised(by: object) }) else { return false }
        return items.filter { $0.removeSources(asking: object) }.isEmpty == false
    }
}

/// The promises of one write of contents. The library releases this object with them.
final class PromisesOfWrite: Sendable {
    private let number: Int
    private let board: Board

    init(of number: Int, on board: Board) {
        self.number = number
        self.board = board
    }

    // The library's threads must not wait for the lock of the board.
    deinit { MainThread.perform { [board, number] in board.promisesEnded(of: number) } }
}

#endif
