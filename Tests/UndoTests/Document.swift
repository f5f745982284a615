import Undo

/// An object with a number whose changes can be undone.
final class Cell {
    private(set) var value = 0
    var title = ""
    let undoManager: UndoManager

    init(_ undoManager: UndoManager) { self.undoManager = undoManager }

    func set(_ new: Int, name: String? = nil) {
        let former = value
        undoManager.registerUndo(withTarget: self) { $0.set(former) }
        if let name { undoManager.setActionName(name) }
        value = new
    }

    /// Changes the number as one step of a drag.
    func drag(to new: Int, cost: Int = 0, merging: UndoManager.Merging? = .keepFirst("drag")) {
        let former = value
        undoManager.registerUndo(withTarget: self, cost: cost, merging: merging) {
            $0.drag(to: former, cost: cost, merging: merging)
        }
        value = new
    }

    /// Changes the number without an action that reverts the change.
    func setWithoutUndo(_ new: Int) { value = new }
}

/// An undo manager with explicit groups, an object, and the notices so far.
final class Document {
    let undoManager = UndoManager()
    let cell: Cell
    private(set) var notices: [String] = []
    private var observation: UndoManager.Observation?

    init(groupsByEvent: Bool = false) {
        undoManager.groupsByEvent = groupsByEvent
        undoManager.menuLanguage = .english
        cell = Cell(undoManager)
        observation = undoManager.observe { [unowned self] notice in
            switch notice {
            case .didChange: break
            case .failed(let error): notices.append("failed \(error.code)")
            default: notices.append("\(notice)")
            }
        }
    }

    /// Performs changes as a group of their own.
    func group(_ body: () -> Void) {
        undoManager.beginUndoGrouping()
        body()
        undoManager.endUndoGrouping()
    }

    func set(_ value: Int, name: String? = nil) { group { cell.set(value, name: name) } }

    /// Returns the notices since the last call.
    func takeNotices() -> [String] {
        defer { notices = [] }
        return notices
    }
}
