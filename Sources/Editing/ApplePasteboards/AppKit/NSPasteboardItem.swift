#if !canImport(Darwin)

public import Foundation
import Pasteboard
import Synchronization

/// An item of a pasteboard: one thing in several representations.
///
/// A program creates an item, gives it data, and writes it with ``NSPasteboard/writeObjects(_:)``. An item can be
/// written once. Data that was set later changes the contents as long as they are on the pasteboard.
///
/// Items that ``NSPasteboard/pasteboardItems`` returns read their data on demand. After other contents have replaced
/// those of the item, it has no types and no data.
///
/// Source: `NSPasteboardItem`.
open class NSPasteboardItem: NSObject, @unchecked Sendable {
    /// The representations of an item that this program made.
    private struct Own {
        var representations = ItemRepresentations()
        /// The contents that the item is a part of; nil before it is written.
        weak var board: Board?
        var isTaken = false
    }

    /// The maximum number of types of an item, which is the bridge's limit on the types of contents.
    private static let maxTypes = 1_024

    // The lock makes the class sendable. No call to other objects is made while it is locked.
    private let own = Mutex(Own())
    /// The place of an item that was read; nil for an item that this program made.
    let place: ReadPlace?

    /// Creates an item without data.
    public override init() {
        place = nil
        super.init()
    }

    init(reading place: ReadPlace) {
        self.place = place
        super.init()
    }

    /// The types of the item, richest first.
    open var types: [NSPasteboard.PasteboardType] { isStale ? [] : knownTypes }

    /// The types of the item, even if its contents have been replaced.
    var knownTypes: [NSPasteboard.PasteboardType] {
        place?.types ?? own.withLock { $0.representations.types }
    }

    /// True if the contents of the item have been replaced.
    private var isStale: Bool {
        if let place { return !place.isCurrent }
        return own.withLock { $0.isTaken && $0.board == nil }
    }

    /// Returns the first type of a list that the item has, or that one of its types conforms to; nil if it has none.
    ///
    /// - Parameter types: Types in the order of preference.
    open func availableType(from types: [NSPasteboard.PasteboardType]) -> NSPasteboard.PasteboardType? {
        isStale ? nil : TypeSearch.first(of: types, in: knownTypes)
    }

    // MARK: Writing

    /// Sets the provider of the data of some types, which are added to the item.
    ///
    /// - Parameters:
    ///   - dataProvider: The provider. The item keeps it until it is no longer needed.
    ///   - types: The types.
    /// - Returns: False if the item was read from a pasteboard.
    @discardableResult
    open func setDataProvider(
        _ dataProvider: any NSPasteboardItemDataProvider, forTypes types: [NSPasteboard.PasteboardType]
    ) -> Bool {
        guard types.allSatisfy(TypeSearch.isWritable) else { return false }
        let provider = DataSource.provider(dataProvider)
        return change { representations in
            for type in types { representations.set(.promised(provider), for: type) }
        }
    }

    /// Sets the bytes of a type.
    ///
    /// - Returns: False if the item was read from a pasteboard, if its contents have been replaced, or if no bytes can
    ///   have the type, such as `image` or an empty name.
    @discardableResult
    open func setData(_ data: Data, forType type: NSPasteboard.PasteboardType) -> Bool {
        TypeSearch.isWritable(type) && change { $0.set(.data(data), for: type) }
    }

    /// Sets the bytes of a type to a string in UTF-8.
    ///
    /// - Returns: False if the item was read from a pasteboard, or if its contents have been replaced.
    @discardableResult
    open func setString(_ string: String, forType type: NSPasteboard.PasteboardType) -> Bool {
        setData(Data(string.utf8), forType: type)
    }

    /// Sets the data of a type to a property list. A string for a type of text is written as text.
    ///
    /// - Returns: False if the value is not a property list, if the item was read from a pasteboard, or if its contents
    ///   have been replaced.
    @discardableResult
    open func setPropertyList(_ propertyList: Any, forType type: NSPasteboard.PasteboardType) -> Bool {
        guard let data = PropertyLists.data(of: propertyList, forType: type) else { return false }
        return setData(data, forType: type)
    }

    /// Changes the representations, and lets the pasteboard write them if the item is on one.
    func change(_ body: (inout ItemRepresentations) -> Void) -> Bool {
        guard place == nil else { return false }
        let (board, isTaken, isAsked, needsWrite, former, isTooLarge) = own.withLock { own in
            let former = own.representations
            body(&own.representations)
            let isTooLarge = own.representations.types.count > Self.maxTypes
            if isTooLarge { own.representations = former }
            let needsWrite = own.representations.needsWrite(since: former)
            return (own.board, own.isTaken, former.isAsked, needsWrite, former, isTooLarge)
        }
        // A provider that was replaced is released outside of the lock.
        withExtendedLifetime(former) {}
        if isTooLarge {
            Diagnostics.report("an item has no more than \(Self.maxTypes) types")
            return false
        }
        guard isTaken else { return true }
        // A reader gets the data that its request has brought, even if the contents have been replaced.
        guard let board else { return isAsked }
        return needsWrite ? board.itemChanged(self) : true
    }

    /// True if the item can be written: it was made by this program, and is not and was not on a pasteboard.
    var isNew: Bool { place == nil && own.withLock { !$0.isTaken } }

    /// Makes the item a part of a pasteboard's contents. Returns false if it already is or was a part of some.
    func take(for board: Board) -> Bool {
        guard place == nil else { return false }
        return own.withLock { own in
            guard !own.isTaken else { return false }
            own.isTaken = true
            own.board = board
            return true
        }
    }

    /// Ends the item's part in the contents.
    ///
    /// - Returns: The sources that the item no longer needs.
    func leave() -> [DataSource] {
        own.withLock { own in
            own.board = nil
            return own.representations.removeSources()
        }
    }

    /// Returns true if an object still has to provide data.
    func isPromised(by object: AnyObject) -> Bool { own.withLock { $0.representations.isPromised(by: object) } }

    /// Removes the sources that ask an object, whose promises are kept. Returns true if there were any.
    func removeSources(asking object: AnyObject) -> Bool {
        own.withLock { $0.representations.removeSources(asking: object) }
    }

    // MARK: Reading

    /// Returns the bytes of a type; nil if the item does not have the type, or its data cannot be provided.
    open func data(forType type: NSPasteboard.PasteboardType) -> Data? {
        if let place { return place.data(forType: type) }
        return isStale ? nil : resolve(type, on: nil)
    }

    /// Returns the data of a type as text; nil if the item does not have the type, or its bytes are not UTF-8.
    open func string(forType type: NSPasteboard.PasteboardType) -> String? {
        data(forType: type).flatMap { String(data: $0, encoding: .utf8) }
    }

    /// Returns the data of a type as a property list; nil if the item does not have the type, or the data is no
    /// property list.
    open func propertyList(forType type: NSPasteboard.PasteboardType) -> Any? {
        data(forType: type).flatMap { PropertyLists.value(of: $0, forType: type) }
    }

    /// Returns the bytes of a type of this program's own item. The provider of a promised type is called on this
    /// thread, unless another thread is calling it.
    func resolve(_ type: NSPasteboard.PasteboardType, on pasteboard: NSPasteboard?) -> Data? {
        while true {
            switch provide(type, on: pasteboard) {
            case .data(let data): return data
            case .asked(let end):
                guard Self.wait(for: end) else {
                    Diagnostics.report("another thread did not provide the data of type \(type.rawValue) in time")
                    return nil
                }
            }
        }
    }

    /// Returns the bytes of a type for another program. The provider is called on the main thread.
    func promisedData(forType type: NSPasteboard.PasteboardType, on pasteboard: NSPasteboard) async -> Data? {
        while true {
            switch await MainThread.value({ self.provide(type, on: pasteboard) }) {
            case .data(let data): return data
            case .asked(let end):
                // If no reader waits any longer, the task is cancelled.
                do { try await end.value(isAbandoned: false) } catch { return nil }
            }
        }
    }

    /// The time that a thread waits for the provider that another thread calls: the two may wait for each other.
    private static let patience = Duration.seconds(5)

    /// Waits until another thread has asked a provider.
    ///
    /// - Returns: False if that takes too long.
    private static func wait(for end: Completion<Void>) -> Bool {
        let outcome = Completion<Bool>()
        let tasks = [
            Task { if (try? await end.value(isAbandoned: false)) != nil { outcome.complete(.success(true)) } },
            Task { if (try? await Task.sleep(for: patience)) != nil { outcome.complete(.success(false)) } },
        ]
        defer { for task in tasks { task.cancel() } }
        return (try? MainThread.serving { try outcome.wait() }) ?? false
    }

    private enum Provision: Sendable {
        case data(Data?)
        case asked(Completion<Void>)
    }

    private func provide(_ type: NSPasteboard.PasteboardType, on pasteboard: NSPasteboard?) -> Provision {
        let (answer, name, board) = own.withLock {
            own -> (ItemRepresentations.Answer, NSPasteboard.PasteboardType, Board?) in
            let name = TypeSearch.first(of: [type], in: own.representations.types) ?? type
            return (own.representations.begin(name), name, own.board)
        }
        switch answer {
        case .asked(let end): return .asked(end)
        case .value(.data(let data)): return .data(data)
        case .value(.declared): return .data(nil)
        case .value(.promised(let source)):
            source.provide(pasteboard ?? board?.pasteboard, self, name)
            let (data, completion) = own.withLock { $0.representations.end(name, of: source) }
            completion?.complete(.success(()))
            board?.noteProvided(by: source, for: self)
            return .data(data)
        }
    }

    /// True if a provider, an owner or an object may still be asked for data, or told that the contents have gone.
    var hasSource: Bool { own.withLock { !$0.representations.sources.isEmpty } }

    /// True if the data of a type would be missing from the representations.
    var hasPromise: Bool { ownTypes.contains { $0.data == nil } }

    /// The representations, for writing them.
    var ownTypes: [(type: NSPasteboard.PasteboardType, data: Data?)] {
        own.withLock { $0.representations.all }
    }
}

#endif
