import Editing
import EditingGTK
import Pasteboard
import Undo

/// The menu that undoes changes of the clipboard itself, such as "Undo Copy from Firefox".
final class ClipboardUndo {
    let menu = Menu()
    private let state: WindowState
    private let undoAction: Action
    private let redoAction: Action
    private var observation: EditCenter.Observation?
    private var titles: [String] = []
    /// Called with an error.
    var onFailure: ((any Error) -> Void)?

    init(_ state: WindowState, _ window: Window) {
        self.state = state
        undoAction = window.addAction("undo-clipboard") {}
        redoAction = window.addAction("redo-clipboard") {}
        undoAction.onActivate = { [weak self] in self?.step { try await Pasteboard.general.async.undo() } }
        redoAction.onActivate = { [weak self] in self?.step { try await Pasteboard.general.async.redo() } }
        observation = state.center.observe { [weak self] in self?.update() }
        update()
    }

    private func step(_ body: @escaping @Sendable () async throws -> Pasteboard.UndoResult?) {
        state.events.perform(body) { [weak self] result in
            if case .failure(let error) = result { self?.onFailure?(error) }
        }
    }

    private func update() {
        let undo = state.availability.undoState
        undoAction.isEnabled = undo?.canUndo ?? false
        redoAction.isEnabled = undo?.canRedo ?? false
        let manager = state.board.undo
        let titles = [
            manager.undoMenuTitle(forUndoActionName: undo?.undoActionName ?? ""),
            manager.redoMenuTitle(forUndoActionName: undo?.redoActionName ?? ""),
        ]
        guard titles != self.titles else { return }
        self.titles = titles
        menu.removeAll()
        menu.append(titles[0], action: "win.undo-clipboard")
        menu.append(titles[1], action: "win.redo-clipboard")
    }
}
