import BoardModel
import Editing
import EditingGTK
import FoundationEssentials
import Pasteboard
import Undo

/// The commands of the board.
extension BoardPage {
    static let addColor = EditCommand(
        "org.xpb.board.addColor", title: Words.addColor.rawValue,
        titles: [.german: Words.addColor.text(in: .german)])
    static let editTile = EditCommand(
        "org.xpb.board.editTile", title: Words.editTile.rawValue,
        titles: [.german: Words.editTile.text(in: .german)])
    static let endEditing = EditCommand(
        "org.xpb.board.endEditing", title: Words.doneEditing.rawValue,
        titles: [.german: Words.doneEditing.text(in: .german)])

    var undoManager: UndoManager? { store.undo }

    func canPerform(_ command: EditCommand, sender: Any?) -> Bool {
        switch command {
        case .cut, .copy, .delete: !selection.isEmpty
        case .paste: !availability.availableTypes.isEmpty
        case .pasteAsPlainText: availability.availableTypes.contains { $0.hasSuffix("plain-text") }
        case .pasteSelection: true
        case .selectAll, .find: !store.tiles.isEmpty
        case .findNext, .findPrevious: find.string != nil && !store.tiles.isEmpty
        case .useSelectionForFind: selectedTiles.first.map { !$0.look.text.isEmpty } ?? false
        case Self.addColor: true
        case Self.editTile: selectedTiles.count == 1 && selectedTiles.first?.isKnown == true
        default: false
        }
    }

    func perform(_ command: EditCommand, sender: Any?) {
        switch command {
        case .copy: copy(selectedTiles) {}
        case .cut: cut()
        case .paste: paste()
        case .pasteAsPlainText: pasteText()
        case .pasteSelection: paste(from: .find)
        case .delete: store.remove(Array(selection), name: Words.deleteTile.text)
        case .selectAll: select(Set(store.tiles.map(\.id)))
        case .find: onFind?()
        case .findNext: findNext(1)
        case .findPrevious: findNext(-1)
        case .useSelectionForFind: if let text = selectedTiles.first?.look.text { find.commit(text) }
        case Self.addColor: place([Tile(color: HexColor(red: 0x20, green: 0x40, blue: 0xc0))], Words.addTile.text)
        case Self.editTile: edit(selectedTiles.first?.id)
        default: break
        }
    }

    // MARK: Copying

    /// Writes tiles to the clipboard with all their types. The PNG of a color tile is promised, and drawn when a
    /// program asks for it, on a thread other than the window's.
    private func copy(_ tiles: [Tile], _ completion: @escaping () -> Void) {
        let items = tiles.map { tile in
            var item = tile.documentItem
            if tile.isKnown, let color = tile.description.hexColor {
                let description = tile.description
                item.setPromise(forType: .png) { Data(TilePainter.png(description, color)) }
            }
            return item
        }
        events.write(items, to: .general) { [weak self] result in
            if case .failure(let error) = result { self?.onFailure?(error) } else { completion() }
        }
    }

    /// Copies the selection, and removes it once it is on the clipboard: a copy that fails loses no tile.
    private func cut() {
        let tiles = selectedTiles
        copy(tiles) { [weak self] in self?.store.remove(tiles.map(\.id), name: Words.cutTile.text) }
    }

    // MARK: Pasting

    private func paste(from pasteboard: Pasteboard = .general) {
        events.perform({
            let items = try await pasteboard.async.items
            return (items.map(Tile.init(pasted:)), Set(items.flatMap(\.missingTypes)))
        }) { [weak self] result in
            guard let self else { return }
            switch result {
            case .success(let (tiles, missing)):
                place(tiles, Words.pasteTile.text)
                if !missing.isEmpty {
                    onMessage?("\(Words.missingTypes.text): \(missing.sorted().joined(separator: ", "))")
                }
            case .failure(let error): onFailure?(error)
            }
        }
    }

    private func pasteText() {
        events.read(.general, types: [.text]) { [weak self] result in
            switch result {
            case .success(let read?):
                self?.place([Tile(pasted: PasteboardItem(read.data, type: .plainText))], Words.pasteTile.text)
            case .success(nil): break
            case .failure(let error): self?.onFailure?(error)
            }
        }
    }

    /// Adds the items of an entry of the history.
    func keep(_ items: [PasteboardItem]) { place(items.map(Tile.init(pasted:)), Words.keepEntry.text) }

    /// Adds tiles at the last click on the empty board, or else side by side in free places, and selects them.
    private func place(_ new: [Tile], _ name: String) {
        guard !new.isEmpty else { return }
        var placed: [Tile] = []
        let width = Double(max(canvas.size.width, 400))
        for tile in new {
            let point = Placing.free(for: tile.description, among: store.tiles + placed, width: width)
            placed.append(contentsOf: Placing.moved([tile], to: point))
        }
        if let pastePlace { placed = Placing.moved(placed, to: pastePlace) }
        pastePlace = nil
        store.append(placed, name: name)
        select(Set(placed.map(\.id)))
    }

    // MARK: Finding

    /// Selects the next tile, or the previous tile for a direction of -1, that contains the search string.
    func findNext(_ direction: Int) {
        guard let sought = find.string?.lowercased(), !sought.isEmpty, !store.tiles.isEmpty else { return }
        let tiles = store.tiles
        let start = tiles.firstIndex { selection.contains($0.id) } ?? (direction > 0 ? -1 : tiles.count)
        for step in 1...tiles.count {
            let tile = tiles[((start + direction * step) % tiles.count + tiles.count) % tiles.count]
            let text = "\(tile.description.label)\n\(pictures.look(of: tile).text)"
            if text.lowercased().contains(sought) { return select([tile.id]) }
        }
        onMessage?(Words.noMatch.text)
    }
}
