import BoardModel
import Editing
import EditingGTK
import FoundationEssentials
import Pasteboard
import Undo

/// The history of the clipboard: a search field above the list of the entries.
final class HistoryPage: EditingContext {
    static let pin = EditCommand(
        "org.xpb.board.pin", title: Words.pin.rawValue, keys: [KeyEquivalent("p", .control)],
        titles: [.german: Words.pin.text(in: .german)])

    let model: HistoryModel
    let widget: Widget
    let searchField = TextField(.search, placeholder: Words.searchHistory.text)
    let searchContext: TextFieldContext
    private(set) var list: ListView
    private let thumbnails: Thumbnails
    private let thread: BackgroundThread?
    private let undo = UndoManager()
    private var isPasting = false
    private unowned let center: EditCenter
    /// Called with an error.
    var onFailure: ((any Error) -> Void)?
    /// Called when an entry has been deleted.
    var onDelete: (() -> Void)?
    /// Called to close the window.
    var onFinish: (() -> Void)?
    /// Called with true to hide the window, and with false to show it again.
    var onHide: ((Bool) -> Void)?
    /// Called with a message that is not an error.
    var onMessage: ((String) -> Void)?

    init(_ model: HistoryModel, events: PasteboardEvents, center: EditCenter, thread: BackgroundThread?) {
        self.center = center
        self.model = model
        self.thread = thread
        thumbnails = Thumbnails(events: events, thread: thread)
        searchContext = TextFieldContext(searchField, center: center)
        let rows = Rows()
        list = ListView { rows.make?() ?? ListRow(Label()) }
        let scroll = ScrollArea(list)
        scroll.setExpands(horizontally: true, vertically: true)
        searchField.setMargins(horizontal: 8, vertical: 8)
        widget = Box(.column, [searchField, scroll])
        list.setAccessibleName(Words.history.text)
        searchContext.nextContext = self
        undo.onEventGroupOpened = { [weak undo] in MainLoop.whenIdle { undo?.endEvent() } }

        rows.make = { [unowned self] in HistoryRow(self) }
        connect(scroll)
        showEntries()
    }

    /// The maker of rows, which the list needs before the page is complete.
    private final class Rows {
        var make: (() -> HistoryRow)?
    }

    private func connect(_ scroll: ScrollArea) {
        model.onChange = { [unowned self] in showEntries() }
        model.onEntryChange = { [unowned self] in list.refresh(String($0)) }
        model.onFailure = { [unowned self] in onFailure?($0) }
        scroll.onNearEnd { [unowned self] in
            if !list.keys.isEmpty { model.loadMore() }
        }
        list.onActivate = { [unowned self] _ in choose(closes: true) }
        list.onSelect = { [unowned self] in center.setNeedsUpdate() }
        list.onKey { [unowned self] in handle($0) }
        searchField.onChange { [unowned self] in model.search(searchField.text) }
        searchField.onKey(early: true) { [unowned self] in handleInSearch($0) }
    }

    private func showEntries() {
        let hadSelection = list.selected != nil
        list.setKeys(model.entries.map { String($0.id) })
        if !hadSelection { list.select(0) }
        center.setNeedsUpdate()
    }

    // MARK: Keys

    private func handle(_ key: Key) -> Bool {
        if Key.returns.contains(key.value) {
            choose(closes: !key.isControl)
            return true
        }
        if key.value == Key.escape { return escape() }
        guard let character = key.character, !key.isControl else { return false }
        searchField.focus()
        searchField.insertAtEnd(String(character))
        return true
    }

    /// Handles the keys that the search field does not use, as the list would.
    private func handleInSearch(_ key: Key) -> Bool {
        switch key.value {
        case Key.down: list.moveSelection(by: 1)
        case Key.up: list.moveSelection(by: -1)
        case Key.pageDown: list.moveSelection(by: 10)
        case Key.pageUp: list.moveSelection(by: -10)
        case Key.delete where searchField.text.isEmpty: center.perform(.delete)
        case Key.escape: return escape()
        case _ where Key.returns.contains(key.value): choose(closes: !key.isControl)
        default: return false
        }
        return true
    }

    /// Ends the search, or else closes the window.
    private func escape() -> Bool {
        if searchField.text.isEmpty { onFinish?() } else { searchField.text = "" }
        return true
    }

    private func choose(closes: Bool) {
        guard let entry = selectedEntry, !isPasting else { return }
        if closes, let thread { paste(entry.id, on: thread) } else { copy(entry.id, closes) }
    }

    private func copy(_ entry: Int, _ closes: Bool) {
        model.copy(entry) { [weak self] in
            if closes { self?.onFinish?() }
        }
    }

    /// Copies an entry, hides this window, and pastes the entry into the window that was active before.
    private func paste(_ entry: Int, on thread: BackgroundThread) {
        isPasting = true
        thread.perform {
            PasteCommand(entry: entry).map { (command: $0, isWindowFound: $0.findsWindow()) }
        } completion: { [weak self] started in
            guard let self else { return }
            guard let (command, isWindowFound) = started else { return finish(entry, .notFound) }
            if isWindowFound { onHide?(true) }
            thread.perform {
                command.awaitEnd()
            } completion: { [weak self] outcome in
                self?.finish(entry, outcome, isWindowFound)
            }
        }
    }

    private func finish(_ entry: Int, _ outcome: PasteCommand.Outcome, _ isWindowFound: Bool = false) {
        isPasting = false
        switch outcome {
        case .pasted: onFinish?()
        case .notFound: copy(entry, true)
        // Most desktops with Wayland let no program type, which a message with each entry would only repeat.
        case .copied where !isWindowFound && !Application.isOnX11: onFinish?()
        case .copied(let message), .failed(let message):
            onHide?(false)
            onMessage?(message)
        }
    }

    // MARK: Commands

    var selectedEntry: PasteboardHistoryEntry? { list.selected.flatMap(Int.init).flatMap { model[$0] } }
    var undoManager: UndoManager? { undo }

    func canPerform(_ command: EditCommand, sender: Any?) -> Bool {
        switch command {
        case .copy, .delete, Self.pin: selectedEntry != nil
        case .find: true
        default: false
        }
    }

    func perform(_ command: EditCommand, sender: Any?) {
        switch command {
        case .copy: choose(closes: false)
        case .delete: delete()
        case .find: searchField.focus()
        case Self.pin: if let entry = selectedEntry { model.togglePin(entry) }
        default: break
        }
    }

    func title(of command: EditCommand) -> String? {
        switch command {
        case .delete: Words.deleteEntry.text
        case Self.pin where selectedEntry?.isPinned == true: Words.unpin.text
        default: nil
        }
    }

    private func delete() {
        guard let entry = selectedEntry else { return }
        let index = list.keys.firstIndex(of: String(entry.id)) ?? 0
        setDeleted(true, entry.id)
        list.select(min(index, list.keys.count - 1))
        onDelete?()
    }

    private func setDeleted(_ isDeleted: Bool, _ identifier: Int) {
        undo.registerUndo(withTarget: self) { $0.setDeleted(!isDeleted, identifier) }
        undo.setActionName(Words.deleteEntry.text)
        if isDeleted { model.delete(identifier) } else { model.undelete(identifier) }
    }

    // MARK: Pictures

    func showThumbnail(of entry: PasteboardHistoryEntry, in row: HistoryRow) {
        thumbnails.load(entry) { [weak row] picture in row?.show(picture, of: entry.id) }
    }

    /// Lets the user drag the contents of a row to another program. The contents are read when the button is pressed,
    /// since a drag needs the contents at its beginning.
    func enableDragging(of row: HistoryRow) {
        let source = DragSource(row.widget)
        row.widget.retained.append(source)
        source.onPress = { [weak self, weak row, weak source] in
            guard let self, let entry = row?.entry else { return }
            source?.contents = []
            thumbnails.readItems(of: entry.id) { items in source?.contents = items.first.map(Self.contents) ?? [] }
        }
    }

    /// Returns the representations of an item with their MIME types, for a drag.
    private static func contents(of item: PasteboardItem) -> [(type: String, data: Data)] {
        item.types.flatMap { name in
            guard let data = item.data(forType: name) else { return [(type: String, data: Data)]() }
            return MIMETypes.names(of: name).map { ($0, data) }
        }
    }
}
