import BoardModel
import Editing
import EditingGTK
import Pasteboard
import Undo

/// The board: a canvas with the tiles of a document, and their selection.
final class BoardPage: EditingContext {
    let store: BoardStore
    let widget: Widget
    private(set) var canvas: Canvas
    let accessory: TileBar
    let palette = Palette()
    let pictures: TilePictures
    let events: PasteboardEvents
    unowned let center: EditCenter
    let availability: PasteAvailability
    let find: FindString

    /// The names of the selected tiles.
    private(set) var selection: Set<String> = []
    /// The tile that is being edited, and the contexts of all tiles edited so far, with their undo.
    private(set) var edited: TileContext?
    private var contexts: [String: TileContext] = [:]
    /// The place where a paste lands: the point of the last click on the empty board.
    var pastePlace: BoardPoint?
    private var drag: TileDrag?

    var next: (any EditingContext)? { nil }

    private(set) var menu: EditMenu
    private(set) var inputArea: InputArea
    private var inputHost: InputHost?
    /// Called with an error, and with nil when the error is over.
    var onFailure: (((any Error)?) -> Void)?
    /// Called with a message for the user.
    var onMessage: ((String) -> Void)?
    /// Called when the canvas gets another context.
    var onContextChange: (() -> Void)?
    /// Called to move the focus into the search field.
    var onFind: (() -> Void)?

    init(
        _ store: BoardStore, find: FindString, availability: PasteAvailability, events: PasteboardEvents,
        center: EditCenter, thread: BackgroundThread?
    ) {
        self.store = store
        self.find = find
        self.availability = availability
        self.events = events
        self.center = center
        pictures = TilePictures(thread: thread)
        accessory = TileBar(center: center)
        let links = Links()
        canvas = Canvas(title: Words.board.text) { links.page?.draw($0) }
        let scroll = ScrollArea(canvas)
        scroll.setExpands(horizontally: true, vertically: true)
        let popover = EditMenuPopover(anchor: canvas)
        menu = EditMenu(center: center, presenter: popover)
        inputArea = InputArea(anchor: canvas) { links.page?.editedPlace ?? EditRectangle(x: 0, y: 0) }
        widget = Box(.column, [scroll, inputArea.bar])

        links.page = self
        popover.onClose = { [weak self] in self?.menu.hide() }
        menu.commands = [[.undo, .redo], [.cut, .copy, .paste, .delete], [.selectAll]]
        menu.customItems = [Self.addColor, Self.editTile]
        inputHost = InputHost(center: center, presenter: inputArea)
        connect()
        changed()
    }

    /// The page, which the closures of its widgets need before it is complete.
    private final class Links {
        weak var page: BoardPage?
    }

    private func connect() {
        store.onChange = { [unowned self] in changed() }
        store.onFailure = { [unowned self] in onFailure?($0) }
        pictures.onPicture = { [unowned self] in canvas.redraw() }
        availability.onChange = { [unowned self] in center.setNeedsUpdate() }
        palette.onChoose = { [unowned self] color in
            inputHost?.playInputClick()
            edited?.setColor(color)
        }
        canvas.onPress(button: 1) { [unowned self] in press($0) }
        canvas.onPress(button: 2) { [unowned self] click in
            pastePlace = BoardPoint(x: click.x.rounded(), y: click.y.rounded())
            center.perform(.pasteSelection)
        }
        canvas.onPress(button: 3) { [unowned self] in openMenu(at: $0) }
        canvas.onDrag(
            begin: { [unowned self] in beginDrag(at: BoardPoint(x: $0, y: $1)) },
            move: { [unowned self] in moveDrag(by: BoardPoint(x: $0, y: $1)) },
            end: { [unowned self] in endDrag() })
        canvas.onKey { [unowned self] in handle($0) }
    }

    /// Removes the menu and the input views.
    func close() {
        menu.hide()
        inputArea.close()
    }

    // MARK: Showing

    private func changed() {
        let names = Set(store.tiles.map(\.id))
        selection.formIntersection(names)
        if let edited, !names.contains(edited.identifier) { edit(nil) }
        accessory.show(edited)
        inputArea.updatePlace()
        let extent = store.tiles.reduce(into: (x: 0.0, y: 0.0)) { extent, tile in
            extent.x = max(extent.x, tile.description.x + tile.description.width)
            extent.y = max(extent.y, tile.description.y + tile.description.height)
        }
        canvas.setContentSize(width: Int(min(extent.x, 20_000)) + 24, height: Int(min(extent.y, 20_000)) + 24)
        canvas.setAccessibleName("\(Words.board.text): \(store.tiles.count)")
        canvas.redraw()
        center.setNeedsUpdate()
    }

    private func draw(_ drawing: Drawing) {
        drawing.fill(TilePainter.ground)
        for tile in store.tiles {
            let look = pictures.look(of: tile)
            TilePainter.draw(
                tile, look: look, picture: look == .picture ? pictures.picture(of: tile) : nil,
                isSelected: selection.contains(tile.id), isEdited: edited?.identifier == tile.id, on: drawing)
        }
    }

    /// The place of the tile that is being edited.
    private var editedPlace: EditRectangle {
        edited?.tile.map(TilePainter.rectangle) ?? EditRectangle(x: 0, y: 0)
    }

    /// The selected tiles, in the order of the board.
    var selectedTiles: [Tile] { store.tiles.filter { selection.contains($0.id) } }

    // MARK: Selection

    /// Selects tiles, and ends the editing of a tile unless it is the only selected tile.
    func select(_ identifiers: Set<String>) {
        selection = identifiers
        if let edited, identifiers != [edited.identifier] { edit(nil) }
        canvas.redraw()
        center.setNeedsUpdate()
    }

    /// Begins to edit a tile; nil ends the editing.
    func edit(_ identifier: String?) {
        guard identifier != edited?.identifier else { return }
        edited = identifier.map { name in
            let context = contexts[name] ?? TileContext(name, store: store, board: self)
            contexts[name] = context
            return context
        }
        accessory.show(edited)
        canvas.focus()
        onContextChange?()
        canvas.redraw()
        center.setNeedsUpdate()
    }

    /// The context of the canvas: the context of the tile that is being edited, or else the board.
    var canvasContext: any EditingContext { edited ?? self }

    private func press(_ click: Click) {
        canvas.focus()
        let point = BoardPoint(x: click.x.rounded(), y: click.y.rounded())
        guard let tile = Placing.tile(at: point, in: store.tiles) else {
            pastePlace = point
            return select([])
        }
        if click.count == 2 {
            select([tile.id])
            if tile.isKnown { edit(tile.id) }
        } else if click.extends {
            select(selection.symmetricDifference([tile.id]))
        } else if !selection.contains(tile.id) {
            select([tile.id])
        }
    }

    private func openMenu(at click: Click) {
        canvas.focus()
        let point = BoardPoint(x: click.x.rounded(), y: click.y.rounded())
        if let tile = Placing.tile(at: point, in: store.tiles) {
            if !selection.contains(tile.id) { select([tile.id]) }
        } else {
            pastePlace = point
            select([])
        }
        menu.show(at: EditRectangle(x: click.x, y: click.y))
    }

    private func handle(_ key: Key) -> Bool {
        switch key.value {
        case Key.escape:
            if edited != nil { edit(nil) } else { select([]) }
        case Key.menu: showMenu()
        case Key.f10 where key.isShift: showMenu()
        case Key.left: nudge(-8, 0)
        case Key.right: nudge(8, 0)
        case Key.up: nudge(0, -8)
        case Key.down: nudge(0, 8)
        case Key.tab where !store.tiles.isEmpty: selectNext(backwards: false)
        case _ where Key.returns.contains(key.value): center.perform(Self.editTile)
        default: return false
        }
        return true
    }

    private func showMenu() {
        menu.show(at: selectedTiles.first.map(TilePainter.rectangle) ?? EditRectangle(x: 20, y: 20))
    }

    private func nudge(_ x: Double, _ y: Double) {
        guard !selection.isEmpty else { return }
        store.move(
            Dictionary(
                uniqueKeysWithValues: selectedTiles.map {
                    ($0.id, BoardPoint(x: max(0, $0.description.x + x), y: max(0, $0.description.y + y)))
                }), group: nil)
    }

    private func selectNext(backwards: Bool) {
        let current = store.tiles.lastIndex { selection.contains($0.id) } ?? -1
        select([store.tiles[(current + 1) % store.tiles.count].id])
    }

    // MARK: Dragging

    /// The tiles that are being dragged with the mouse, and their original places.
    private struct TileDrag {
        let group = TileDescription.newIdentifier()
        let places: [String: BoardPoint]
    }

    private func beginDrag(at point: BoardPoint) {
        drag = nil
        guard let tile = Placing.tile(at: point, in: store.tiles) else { return }
        if !selection.contains(tile.id) { select([tile.id]) }
        drag = TileDrag(
            places: Dictionary(
                uniqueKeysWithValues: selectedTiles.map {
                    ($0.id, BoardPoint(x: $0.description.x, y: $0.description.y))
                }))
    }

    /// Moves the tiles. All motions of a drag are undone in one step.
    private func moveDrag(by distance: BoardPoint) {
        guard let drag, abs(distance.x) + abs(distance.y) >= 1 else { return }
        store.move(
            drag.places.mapValues {
                BoardPoint(x: max(0, ($0.x + distance.x).rounded()), y: max(0, ($0.y + distance.y).rounded()))
            },
            group: drag.group)
    }

    private func endDrag() {
        drag = nil
        // Otherwise, the undo group of the last motion would stay open until the loop is idle.
        store.undo.endEvent()
        store.undo.endMerging()
    }
}
