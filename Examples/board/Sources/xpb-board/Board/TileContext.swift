import BoardModel
import Editing
import EditingGTK
import Undo

/// A tile that is being edited: its color, corners and label, with its own undo manager.
final class TileContext: EditingContext {
    let identifier: String
    private unowned let store: BoardStore
    private unowned let board: BoardPage
    private let undo = UndoManager()

    init(_ identifier: String, store: BoardStore, board: BoardPage) {
        self.identifier = identifier
        self.store = store
        self.board = board
        undo.onEventGroupOpened = { [weak undo] in MainLoop.whenIdle { undo?.endEvent() } }
    }

    var next: (any EditingContext)? { board }
    var undoManager: UndoManager? { undo }
    var inputView: AnyObject? { tile?.description.color == nil ? nil : board.palette }
    var inputAccessoryView: AnyObject? { board.accessory.widget }

    var tile: Tile? { store[identifier] }

    func canPerform(_ command: EditCommand, sender: Any?) -> Bool { command == BoardPage.endEditing }

    func perform(_ command: EditCommand, sender: Any?) {
        if command == BoardPage.endEditing { board.edit(nil) }
    }

    // MARK: Changes

    func setColor(_ color: HexColor) {
        change(\.color, to: color.text, Words.changeColor)
    }

    func setCorners(_ corners: Double) {
        change(\.corners, to: corners, Words.changeCorners)
    }

    func setLabel(_ label: String) {
        change(\.label, to: label, Words.changeLabel)
    }

    /// Changes a property, and records how to undo the change. Does nothing if the tile is gone.
    private func change<Value: Equatable>(
        _ property: WritableKeyPath<TileDescription, Value>, to value: Value, _ name: Words
    ) {
        guard let former = tile?.description[keyPath: property], former != value else { return }
        undo.registerUndo(withTarget: self) { $0.change(property, to: former, name) }
        undo.setActionName(name.text)
        store.change(identifier, name: name.text) { $0[keyPath: property] = value }
    }
}
