import BoardModel
import Editing
import EditingGTK
import Pasteboard

/// The contents of a window. They are loaded before the window exists.
final class WindowState {
    let events: PasteboardEvents
    let center = EditCenter()
    let history: HistoryModel
    let board: BoardStore
    let find: FindString
    let availability: PasteAvailability
    /// The thread that decodes pictures.
    let thread = BackgroundThread()

    init(events: PasteboardEvents, document: String) throws {
        self.events = events
        history = HistoryModel(events: events)
        board = try BoardStore(events: events, name: document)
        history.start()
        board.start()
        find = FindString(events: events)
        availability = PasteAvailability(events: events, types: ["public.item"])
    }

    /// Finishes pending work when the program ends: deletions, and promises that no program has requested yet.
    func end() {
        try? history.commitDeletions()
        Pasteboard.keepPromises()
    }
}

/// The window: menus, buttons and, below them, the pages.
final class MainWindow {
    private let state: WindowState
    private let window: Window
    private let pages = Pages()
    private let bar = MessageBar()
    private let history: HistoryPage
    private let board: BoardPage
    private let findField = TextField(.search, placeholder: Words.searchBoard.text)
    private let findContext: TextFieldContext
    private let focus: FocusFollower
    private let actions: EditActions
    private let clipboard: ClipboardUndo
    private unowned let application: Application
    private var settings: SettingsWindow?
    /// Called when the window is closed.
    var onClose: (() -> Void)?

    init(_ application: Application, _ state: WindowState) {
        self.state = state
        self.application = application
        window = Window(application, title: Words.history.text, width: 900, height: 640)
        window.setIcon("org.xpb.board")
        history = HistoryPage(
            state.history, events: state.events, center: state.center, thread: state.thread)
        board = BoardPage(
            state.board, find: state.find, availability: state.availability, events: state.events,
            center: state.center, thread: state.thread)
        findContext = TextFieldContext(findField, center: state.center)
        focus = FocusFollower(center: state.center, window: window)
        actions = EditActions(
            center: state.center, window: window, application: application,
            commands: [
                [.undo, .redo], [.cut, .copy, .paste, .pasteAsPlainText, .delete], [.selectAll],
                [.find, .findNext, .findPrevious, .useSelectionForFind],
                [HistoryPage.pin, HistoryPage.keep, HistoryPage.save],
                [BoardPage.addColor, BoardPage.editTile, BoardPage.endEditing],
            ])
        clipboard = ClipboardUndo(state, window)
        layOut(application)
        connect()
    }

    private func layOut(_ application: Application) {
        let menus = Menu()
        menus.append(Words.edit.text, submenu: actions.menu)
        menus.append(Words.clipboard.text, submenu: clipboard.menu)
        let help = Menu()
        help.append(Words.keys.text, action: "win.keys")
        menus.append(Words.help.text, submenu: help)
        window.addAction("keys") { [weak self] in
            guard let self else { return }
            KeysWindow.show(
                above: window, [(Words.history.text, HistoryPage.keys), (Words.edit.text, actions.keys)])
        }
        application.setKeys(["F1", "<Control>question"], for: "win.keys")
        let tools = Box(.row, spacing: 4, [pages.switcher])
        for (command, icon) in [
            (EditCommand.undo, "edit-undo-symbolic"), (.redo, "edit-redo-symbolic"), (.cut, "edit-cut-symbolic"),
            (.copy, "edit-copy-symbolic"), (.paste, "edit-paste-symbolic"), (.delete, "edit-delete-symbolic"),
        ] {
            tools.append(actions.makeButton(for: command, icon: icon))
        }
        findField.setExpands(horizontally: true)
        tools.append(findField)
        tools.setMargins(horizontal: 8, vertical: 6)
        pages.add(history.widget, name: "history", title: Words.history.text)
        pages.add(board.widget, name: "board", title: Words.board.text)
        pages.setExpands(horizontally: true, vertically: true)
        window.setContent(Box(.column, [MenuBar(menus), tools, bar, pages]))
    }

    private func connect() {
        findContext.nextContext = board
        focus.register(history.searchField) { [history] in history.searchContext }
        focus.register(history.widget) { [history] in history }
        focus.register(board.accessory.label) { [board] in board.accessory.labelContext }
        focus.register(board.accessory.color) { [board] in board.accessory.colorContext }
        focus.register(board.widget) { [board] in board.canvasContext }
        focus.register(findField) { [findContext] in findContext }
        focus.onRefusal = { Application.beep() }
        board.onContextChange = { [weak self] in self?.focus.follow() }
        board.onFind = { [weak self] in self?.findField.focusToReplace() }
        findField.onCommit { [weak self] in self?.commitFind() }
        state.find.onChange = { [weak self] in self?.showFindString() }

        history.onFailure = { [weak self] in self?.show($0) }
        history.onSuccess = { [weak self] in self?.show(nil) }
        board.onFailure = { [weak self] in self?.show($0) }
        clipboard.onFailure = { [weak self] in self?.show($0) }
        board.onMessage = { [weak self] in self?.bar.show($0, isError: false) }
        history.onDeletionsChange = { [weak self] in self?.showDeletions($0) }
        history.onKeep = { [weak self] items in
            self?.board.keep(items)
            self?.bar.show(Words.keptEntry.text, isError: false)
        }
        history.onSave = { [weak self] name, write in
            if let self { SaveDialog.show(for: window, title: Words.saveEntry.text, name: name, write) }
        }
        clipboard.onClear = { [weak self] in
            self?.bar.show(Words.clearQuestion.text, isError: false, title: Words.clearHistory.text) {
                self?.state.history.clear()
            }
        }
        clipboard.onSettings = { [weak self] in self?.showSettings() }
        clipboard.onPause = { [weak self] in self?.pause($0) }
        history.onFinish = { [weak self] in self?.window.close() }
        history.onHide = { [weak self] in $0 ? self?.window.hide() : self?.window.present() }
        history.onMessage = { [weak self] in self?.bar.show($0, isError: false) }
        window.onKey { [weak self] key in
            guard let self else { return false }
            if key.isControl, ["w", "q"].contains(key.character) {
                window.close()
                return true
            }
            // The menu bar keeps the focus after a choice.
            return pages.current == "history" && history.handle(key)
        }
        window.onBecomeActive = { [weak self] in self?.becomeActive() }
        pages.onSwitch = { [weak self] in self?.pageChanged() }
        window.onClose = { [weak self] in
            self?.board.close()
            self?.onClose?()
            return true
        }
    }

    /// Presents the window with a page.
    func show(_ page: String) {
        pages.current = page
        pageChanged()
        if page == "history", wasShown { history.presentAgain() }
        wasShown = true
        window.present()
    }

    private var wasShown = false

    private func becomeActive() {
        state.history.reload()
        state.history.readPause { [weak self] in self?.showPause($0) }
    }

    private func showSettings() {
        guard let thread = state.thread else { return }
        settings = SettingsWindow(application, above: window, thread: thread)
        settings?.onClose = { [weak self] in self?.history.searchField.focus() }
        settings?.present()
    }

    private func pageChanged() {
        let isBoard = pages.current == "board"
        window.setTitle((isBoard ? Words.board : .history).text)
        findField.isVisible = isBoard
        state.center.rootContext = isBoard ? board : history
        if isBoard { board.canvas.focus() } else { history.searchField.focus() }
        focus.follow()
    }

    /// Shows an error in the bar; nil removes an earlier error.
    private func show(_ error: (any Error)?) {
        if let error {
            bar.show("\(error)", isError: true)
            hasFailed = true
        } else if hasFailed {
            hasFailed = false
            bar.hide()
        }
    }

    private var hasFailed = false

    /// Shows how many entries were deleted, with a button that brings all of them back.
    private func showDeletions(_ count: Int) {
        if count == 0 {
            if bar.message == deletionMessage { bar.hide() }
            return
        }
        let text = count == 1 ? Words.deletedEntry.text : "\(count) \(Words.deletedEntries.text)"
        deletionMessage = text
        bar.show(text, isError: false, title: Words.undoAction.text) { [weak self] in self?.history.undoDeletions() }
    }

    private var deletionMessage: String?

    private func pause(_ isPaused: Bool) {
        state.history.pause(isPaused) { [weak self] in self?.showPause(isPaused) }
    }

    private func showPause(_ isPaused: Bool) {
        guard isPaused else {
            if bar.message == Words.pausedHistory.text { bar.hide() }
            return
        }
        bar.show(Words.pausedHistory.text, isError: false, title: Words.resumeHistory.text) { [weak self] in
            self?.pause(false)
        }
    }

    // MARK: Finding

    /// Makes the typed text the search string of all programs, and shows the first tile that contains it.
    private func commitFind() {
        state.find.commit(findField.text)
        board.findNext(1)
        state.center.setNeedsUpdate()
    }

    private func showFindString() {
        if !findField.isEditing { findField.text = state.find.string ?? "" }
        state.center.setNeedsUpdate()
    }
}
