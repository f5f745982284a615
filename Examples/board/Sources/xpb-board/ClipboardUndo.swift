import BoardModel
import Editing
import EditingGTK
import Pasteboard
import Undo

/// The menu of the clipboard itself: it undoes changes, such as "Undo Copy from Firefox", and pauses and clears the
/// history.
final class ClipboardUndo {
    let menu = Menu()
    private let state: WindowState
    private let undoAction: Action
    private let redoAction: Action
    private var observation: EditCenter.Observation?
    private var titles: [String] = []
    /// Called to delete the entries of the history, if the user agrees.
    var onClear: (() -> Void)?
    /// Called to show the settings.
    var onSettings: (() -> Void)?
    /// Called with true to pause the history, and with false to resume it.
    var onPause: ((Bool) -> Void)?
    /// Called with an error.
    var onFailure: ((any Error) -> Void)?

    init(_ state: WindowState, _ window: Window) {
        self.state = state
        undoAction = window.addAction("undo-clipboard") {}
        redoAction = window.addAction("redo-clipboard") {}
        undoAction.onActivate = { [weak self] in self?.step { try await Pasteboard.general.async.undo() } }
        redoAction.onActivate = { [weak self] in self?.step { try await Pasteboard.general.async.redo() } }
        window.addAction("pause-history") { [weak self] in self?.onPause?(true) }
        window.addAction("resume-history") { [weak self] in self?.onPause?(false) }
        window.addAction("settings") { [weak self] in self?.onSettings?() }
        window.addAction("clear-history") { [weak self] in self?.onClear?() }
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
        let history = Menu()
        history.append(Words.pauseHistory.text, action: "win.pause-history")
        history.append(Words.resumeHistory.text, action: "win.resume-history")
        history.append(Words.clearHistory.text, action: "win.clear-history")
        menu.append(section: history)
        let settings = Menu()
        settings.append(Words.settings.text, action: "win.settings")
        menu.append(section: settings)
    }
}
