public import FoundationEssentials
public import UniformTypes

/// A pasteboard whose calls suspend tasks and block no thread. The calls have the same names as in ``Pasteboard``.
///
/// ```swift
/// let text = try await Pasteboard.general.async.string
/// ```
///
/// A cancelled task stops waiting at once and throws `CancellationError`. A write that the task was waiting for may or
/// may not have been made.
public struct AsyncPasteboard: Hashable, Sendable {
    let board: Pasteboard

    /// The same pasteboard with blocking calls.
    public var blocking: Pasteboard { board }

    /// The pasteboard's name.
    public var name: String { board.name }

    /// See ``Pasteboard/init(named:create:visibility:)``.
    public static func named(
        _ name: String, create: Bool, visibility: Pasteboard.Visibility = .desktop
    ) async throws -> AsyncPasteboard? {
        try await Pasteboard.opening(name, create: create, visibility).run().map(AsyncPasteboard.init)
    }

    /// See ``Pasteboard/withUniqueName(visibility:)``.
    public static func withUniqueName(
        visibility: Pasteboard.Visibility = .desktop
    ) async throws -> AsyncPasteboard {
        AsyncPasteboard(board: try await Pasteboard.creating(nil, visibility).run())
    }

    /// See ``Pasteboard/remove(named:)``.
    public static func remove(named name: String) async throws {
        try await Pasteboard.removing(name).run()
    }

    /// See ``Pasteboard/isPersistent``.
    public var isPersistent: Bool {
        get async throws { try await board.persistence.run() }
    }

    /// See ``Pasteboard/setPersistent(_:)``.
    public func setPersistent(_ isPersistent: Bool) async throws {
        try await board.persisting(isPersistent).run()
    }

    /// See ``Pasteboard/declare(_:)``.
    public static func declare(_ types: [TypeDeclaration]) async throws {
        for type in types { UniformType.declare(type) }
        try await Pasteboard.declaring(types).run()
    }

    /// See ``Pasteboard/keepPromises(within:)``.
    @discardableResult
    public static func keepPromises(within time: Duration = .seconds(3)) async -> Bool {
        await Client.inUse.keepPromises(within: time)
    }

    /// See ``Pasteboard/changes``.
    public var changes: Pasteboard.Changes { board.changes }

    /// See ``Pasteboard/changes(since:)``.
    public func changes(since count: Int) -> Pasteboard.Changes { board.changes(since: count) }

    /// See ``Pasteboard/changeCount``.
    public var changeCount: Int {
        get async throws { try await board.currentCount.run() }
    }

    /// See ``Pasteboard/owner``.
    public var owner: PasteboardOwner {
        get async throws { try await board.currentOwner.run() }
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
    public func contains(types: [some PasteboardTypeName]) async throws -> Bool {
        try await board.isOffering(types.map(\.typeName)).run()
    }

    /// See ``Pasteboard/contains(types:within:)``.
    public func contains(types: [some PasteboardTypeName], within time: Duration) async throws -> Bool? {
        try await board.isOffering(types.map(\.typeName), within: time).run()
    }

    /// See ``Pasteboard/contains(types:inItemSet:)``.
    public func contains(types: [some PasteboardTypeName], inItemSet items: [Int]?) async throws -> Bool {
        try await board.isOffering(types.map(\.typeName), inItemSet: items).run()
    }

    /// See ``Pasteboard/itemSet(withTypes:)``.
    public func itemSet(withTypes types: [some PasteboardTypeName]) async throws -> [Int] {
        try await board.numbers(withTypes: types.map(\.typeName)).run()
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
    public func data(forType type: some PasteboardTypeName) async throws -> Data? {
        try await board.representation(ofTypes: [type.typeName]).map { $0?.data }.run()
    }

    /// See ``Pasteboard/data(forTypes:)``.
    public func data(forTypes types: [some PasteboardTypeName]) async throws -> (data: Data, type: String)? {
        try await board.representation(ofTypes: types.map(\.typeName)).map { read in read.map { ($0.data, $0.type) } }
            .run()
    }

    /// See ``Pasteboard/data(forType:inItemSet:)``.
    public func data(forType type: some PasteboardTypeName, inItemSet items: [Int]?) async throws -> [Data?] {
        try await board.values(.data(type.typeName), inItemSet: items).run()
    }

    /// See ``Pasteboard/setItems(_:options:ifChangeCount:formerOwner:)``.
    @discardableResult
    public func setItems(
        _ items: [PasteboardItem], options: PasteboardOptions = PasteboardOptions(), ifChangeCount count: Int? = nil,
        formerOwner: (@Sendable () -> Void)? = nil
    ) async throws -> Int {
        try await SetCall(
            pasteboard: board.name, items: items, options: options, ifChangeCount: count, formerOwner: formerOwner
        ).operation.run()
    }

    /// See ``Pasteboard/addItems(_:options:ifChangeCount:formerOwner:)``.
    @discardableResult
    public func addItems(
        _ items: [PasteboardItem], options: PasteboardOptions = PasteboardOptions(), ifChangeCount count: Int? = nil,
        formerOwner: (@Sendable () -> Void)? = nil
    ) async throws -> Int {
        try await SetCall(
            pasteboard: board.name, items: items, appends: true, options: options, ifChangeCount: count,
            formerOwner: formerOwner
        ).operation.run()
    }

    /// See ``Pasteboard/addRepresentations(of:toItem:ifChangeCount:)``.
    @discardableResult
    public func addRepresentations(
        of item: PasteboardItem, toItem number: Int, ifChangeCount count: Int? = nil
    ) async throws -> Int {
        try await SetCall(pasteboard: board.name, items: [item], into: number, ifChangeCount: count).operation.run()
    }

    /// See ``Pasteboard/setData(_:forType:options:ifChangeCount:)``.
    @discardableResult
    public func setData(
        _ data: Data, forType type: some PasteboardTypeName, options: PasteboardOptions = PasteboardOptions(),
        ifChangeCount count: Int? = nil
    ) async throws -> Int {
        try await board.writing([data], .data(type.typeName), options, count).run()
    }

    /// See ``Pasteboard/clear(ifChangeCount:alwaysCounts:)``.
    @discardableResult
    public func clear(ifChangeCount count: Int? = nil, alwaysCounts: Bool = false) async throws -> Int {
        try await Pasteboard.clearing(board.name, ifChangeCount: count, alwaysCounts: alwaysCounts).run()
    }

    /// See ``Pasteboard/undo(_:ifChangeCount:)``.
    @discardableResult
    public func undo(_ steps: Int = 1, ifChangeCount count: Int? = nil) async throws -> Pasteboard.UndoResult? {
        try await board.undoing(steps, ifChangeCount: count).run()
    }

    /// See ``Pasteboard/redo(_:ifChangeCount:)``.
    @discardableResult
    public func redo(_ steps: Int = 1, ifChangeCount count: Int? = nil) async throws -> Pasteboard.UndoResult? {
        try await board.redoing(steps, ifChangeCount: count).run()
    }

    /// See ``Pasteboard/history(matching:pinnedOnly:limit:)``.
    public func history(
        matching search: String? = nil, pinnedOnly: Bool = false, limit: Int? = nil
    ) async throws -> [PasteboardHistoryEntry] {
        try await historyPage(matching: search, pinnedOnly: pinnedOnly, limit: limit).entries
    }

    /// See ``Pasteboard/historyPage(matching:pinnedOnly:after:limit:)``.
    public func historyPage(
        matching search: String? = nil, pinnedOnly: Bool = false, after cursor: PasteboardHistoryPage.Cursor? = nil,
        limit: Int? = nil
    ) async throws -> PasteboardHistoryPage {
        try await Pasteboard.history(
            of: name, matching: search, pinnedOnly: pinnedOnly, after: cursor, limit: limit
        ).run()
    }

    /// See ``Pasteboard/data(forType:ofHistoryEntry:)``.
    public func data(
        forType type: some PasteboardTypeName, ofHistoryEntry entry: PasteboardHistoryEntry.ID
    ) async throws -> Data? {
        try await board.representation(ofTypes: [type.typeName], entry: entry).map { $0?.data }.run()
    }

    /// See ``Pasteboard/items(ofHistoryEntry:)``.
    public func items(ofHistoryEntry entry: PasteboardHistoryEntry.ID) async throws -> [PasteboardItem] {
        try await board.wholeItems(ofEntry: entry).run()
    }

    /// See ``Pasteboard/restore(_:ifChangeCount:)``.
    @discardableResult
    public func restore(_ entry: PasteboardHistoryEntry.ID, ifChangeCount count: Int? = nil) async throws -> Int {
        try await board.restoring(entry, ifChangeCount: count).run()
    }

    /// See ``Pasteboard/clearHistory()``.
    @discardableResult
    public func clearHistory() async throws -> Int {
        try await board.clearingHistory.run()
    }

    /// See ``Pasteboard/deleteHistory(_:)``.
    @discardableResult
    public static func deleteHistory(_ entries: [PasteboardHistoryEntry.ID]) async throws -> Int {
        try await Pasteboard.deleting(entries).run()
    }

    /// See ``Pasteboard/pinHistory(_:_:)``.
    public static func pinHistory(_ entries: [PasteboardHistoryEntry.ID], _ isPinned: Bool = true) async throws {
        try await Pasteboard.pinning(entries, isPinned).run()
    }

    /// See ``Pasteboard/isHistoryPaused``.
    public static var isHistoryPaused: Bool {
        get async throws { try await Pasteboard.historyIsPaused.run() }
    }

    /// See ``Pasteboard/pauseHistory(_:)``.
    public static func pauseHistory(_ isPaused: Bool = true) async throws {
        try await Pasteboard.pausingHistory(isPaused).run()
    }
}
