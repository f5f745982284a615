import BoardModel
import EditingGTK
import Pasteboard
import Undo

/// The tiles of a board, and their document: a persistent pasteboard with one item for each tile.
///
/// Several windows may share a document. Each write names the change count that it is based on; if another window was
/// faster, both changes are merged and the write is repeated, so that no tile is lost.
final class BoardStore {
    private let events: PasteboardEvents
    private let pasteboard: Pasteboard
    /// The tiles as this window shows them, topmost last.
    private(set) var tiles: [Tile] = []
    /// The tiles as the document had them at ``count``.
    private var base: [Tile] = []
    private var count: Int?
    /// The change count of the latest change that was observed.
    private var latestCount = 0
    private var isReading = false
    private var isWriting = false
    private var failures = 0
    /// The name and the group of the changes that are not written yet.
    private var pendingName: String?
    private var pendingGroup: String?

    /// The undo manager for adding, moving and removing tiles.
    let undo = UndoManager()
    /// Called when the tiles have changed.
    var onChange: (() -> Void)?
    /// Called with an error, and with nil when the error is over.
    var onFailure: (((any Error)?) -> Void)?

    init(events: PasteboardEvents, name: String) throws {
        self.events = events
        pasteboard = try Pasteboard(name: name)
        undo.onEventGroupOpened = { [weak undo] in MainLoop.whenIdle { undo?.endEvent() } }
        undo.levelsOfUndo = 200
    }

    subscript(identifier: String) -> Tile? { tiles.first { $0.id == identifier } }

    // MARK: Reading

    /// Reads the document, and reads it again after each change by others.
    func start() {
        let name = pasteboard.name
        events.perform({ try await AsyncPasteboard.named(name, create: true)?.setPersistent(true) }) {
            [weak self] result in
            guard let self else { return }
            if case .failure(let error) = result { onFailure?(error) }
            read()
            events.observe(pasteboard, since: 0) { [weak self] error in
                self?.onFailure?(error)
            } change: { [weak self] change in
                self?.observed(change)
            }
        }
    }

    private func observed(_ change: Pasteboard.Change) {
        latestCount = change.afterRestart ? change.count : max(latestCount, change.count)
        if change.afterRestart { count = nil }
        if count != latestCount { read() }
    }

    private func read() {
        guard !isReading, !isWriting else { return }
        isReading = true
        let board = pasteboard.async
        events.perform({
            // The count is read first: if the contents are newer, the next write is refused, and the document is read
            // again.
            let count = try await board.changeCount
            let tiles = try await Self.items(of: board).map(Tile.init(document:))
            return (count, Placing.placed(BoardMerge.unique(tiles)))
        }) { [weak self] result in
            guard let self else { return }
            isReading = false
            switch result {
            case .success(let (count, remote)): merge(remote, count)
            case .failure(let error): failed(error)
            }
        }
    }

    private static func items(of board: AsyncPasteboard) async throws -> [PasteboardItem] {
        do {
            return try await board.items
        } catch let error as PasteboardError where error.code == .empty {
            return []
        }
    }

    private func merge(_ remote: [Tile], _ count: Int) {
        let merged = BoardMerge.merge(base: base, local: tiles, remote: remote)
        base = remote
        self.count = count
        failures = 0
        onFailure?(nil)
        if !BoardMerge.isSame(merged, tiles) || !isAnnounced {
            tiles = merged
            isAnnounced = true
            onChange?()
        }
        if latestCount > count { return read() }
        save()
    }

    private var isAnnounced = false

    // MARK: Writing

    /// Writes the tiles, if they differ from the document. At most one write is under way.
    private func save() {
        guard let count, !isWriting, !isReading, !BoardMerge.isSame(tiles, base) else { return }
        isWriting = true
        let written = tiles
        let options = PasteboardOptions(actionName: pendingName, undoGroup: pendingGroup)
        pendingName = nil
        let board = pasteboard.async
        events.perform({
            try await board.setItems(written.map(\.documentItem), options: options, ifChangeCount: count)
        }) { [weak self] result in
            guard let self else { return }
            isWriting = false
            switch result {
            case .success(let count):
                base = written
                self.count = count
                failures = 0
                if latestCount > count { read() } else { save() }
            case .failure(let error as PasteboardError) where error.code == .countMismatch:
                read()
            case .failure(let error):
                failed(error)
            }
        }
    }

    /// Reports the error, and tries again after a pause; until then, this window keeps its tiles.
    private func failed(_ error: any Error) {
        onFailure?(error)
        failures += 1
        guard failures <= 8 else { return }
        MainLoop.after(milliseconds: 100 << UInt32(failures)) { [weak self] in self?.read() }
    }

    // MARK: Changes

    /// Inserts tiles at their indexes, except tiles that are already there.
    func insert(_ new: [(index: Int, tile: Tile)], name: String) {
        for (index, tile) in new.sorted(by: { $0.index < $1.index }) where self[tile.id] == nil {
            tiles.insert(tile, at: min(max(index, 0), tiles.count))
        }
        let names = new.map(\.tile.id)
        undo.registerUndo(withTarget: self) { $0.remove(names, name: name) }
        changed(name)
    }

    /// Adds tiles on top of the others.
    func append(_ new: [Tile], name: String) {
        insert(new.enumerated().map { (tiles.count + $0.offset, $0.element) }, name: name)
    }

    /// Removes tiles, except those that another window has already removed.
    func remove(_ identifiers: [String], name: String) {
        let removed = tiles.enumerated().filter { identifiers.contains($0.element.id) }
        guard !removed.isEmpty else { return }
        tiles.removeAll { identifiers.contains($0.id) }
        undo.registerUndo(withTarget: self) { store in
            store.insert(removed.map { ($0.offset, $0.element) }, name: name)
        }
        changed(name)
    }

    /// Moves tiles.
    ///
    /// - Parameters:
    ///   - places: The new place of each tile.
    ///   - group: The name of a drag; all its motions are undone together.
    func move(_ places: [String: BoardPoint], group: String?) {
        var former: [String: BoardPoint] = [:]
        for (identifier, place) in places {
            update(identifier) { description in
                former[identifier] = BoardPoint(x: description.x, y: description.y)
                description.x = place.x
                description.y = place.y
            }
        }
        guard !former.isEmpty else { return }
        undo.registerUndo(withTarget: self, cost: 0, merging: group.map { .keepFirst($0) }) { store in
            store.move(former, group: nil)
        }
        changed(Words.moveTile.text, group: group)
    }

    /// Changes the look of a tile. The tile's own undo manager records how to undo the change.
    func change(_ identifier: String, name: String, _ body: (inout TileDescription) -> Void) {
        update(identifier, body)
        written(name)
    }

    private func update(_ identifier: String, _ body: (inout TileDescription) -> Void) {
        guard let index = tiles.firstIndex(where: { $0.id == identifier }) else { return }
        body(&tiles[index].description)
    }

    private func changed(_ name: String, group: String? = nil) {
        undo.setActionName(name)
        written(name, group: group)
    }

    private func written(_ name: String, group: String? = nil) {
        pendingName = name
        pendingGroup = group
        onChange?()
        save()
    }
}
