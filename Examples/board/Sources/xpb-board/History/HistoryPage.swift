import BoardModel
import Editing
import EditingGTK
import FoundationEssentials
import Pasteboard
import Undo

/// The history of the clipboard: a search field and the filters above the list of the entries, and a preview beside it.
final class HistoryPage: EditingContext {
    static let paste = command("paste", .pasteEntry, [])
    static let pastePlain = command("paste-plain", .pastePlain, [])
    /// Unlike `EditCommand.copy`, this never copies the selection in the search field.
    static let copyEntry = command("copy-entry", .copyEntry, [])
    static let deleteEntry = command("delete-entry", .deleteEntry, [])
    static let pin = command("pin", .pin, [KeyEquivalent("p", .control)])
    static let keep = command("keep", .keepEntry, [KeyEquivalent("k", .control)])
    static let save = command("save", .saveEntry, [KeyEquivalent("s", .control)])

    private static func command(_ name: String, _ title: Words, _ keys: [KeyEquivalent]) -> EditCommand {
        EditCommand(
            "org.xpb.board.\(name)", title: title.rawValue, keys: keys, titles: [.german: title.text(in: .german)])
    }

    /// The keys that are not those of a command of the menu.
    static var keys: [KeysWindow.Line] {
        [
            ("Return", Words.pasteKey.text), ("<Shift>Return", Words.pastePlainKey.text),
            ("<Control>Return", Words.copyKey.text), ("<Shift>Up <Shift>Down", Words.severalKey.text),
            ("Escape", Words.escapeKey.text),
            ("<Control>w <Control>q", Words.closeKey.text), ("Menu <Shift>F10", Words.menuKey.text),
        ]
    }

    let model: HistoryModel
    let widget: Widget
    let searchField = TextField(.search, placeholder: Words.searchHistory.text)
    let searchContext: TextFieldContext
    private(set) var list: ListView
    private let filters = ChoiceBar(EntryFilter.allCases.map(\.word))
    private let preview: EntryPreview
    private let scroll: ScrollArea
    /// True until the user selects an entry: the first entry is selected then, even if others come before it.
    private var selectsFirst = true
    private var isSelecting = false
    private let hint = Label(lines: 3)
    private let menu: EditMenu
    let thumbnails: Thumbnails
    let thread: BackgroundThread?
    private let undo = UndoManager()
    /// True until the command that pastes has ended.
    var isPasting = false
    /// The key Return that waits for the entries of a search.
    private var pendingReturn: Key?
    private unowned let center: EditCenter
    /// Called with an error.
    var onFailure: ((any Error) -> Void)?
    /// Called when the entries of another search or filter are there.
    var onSuccess: (() -> Void)?
    /// Called with the number of deleted entries when it has changed.
    var onDeletionsChange: ((Int) -> Void)?
    /// Called with the items of an entry that the user keeps on the board.
    var onKeep: (([PasteboardItem]) -> Void)?
    /// Called with a name for a file, and a closure that writes the contents of the entry to a path.
    var onSave: ((String, @escaping (String) -> Void) -> Void)?
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
        preview = EntryPreview(events: events, thread: thread)
        searchContext = TextFieldContext(searchField, center: center)
        let rows = Rows()
        list = ListView { rows.make?() ?? ListRow(Label()) }
        let popover = EditMenuPopover(anchor: list)
        menu = EditMenu(center: center, presenter: popover)
        scroll = ScrollArea(list)
        scroll.setExpands(horizontally: true, vertically: true)
        searchField.setMargins(horizontal: 8, vertical: 8)
        filters.setMargins(horizontal: 8, vertical: 0)
        hint.setMargins(horizontal: 16, vertical: 16)
        let panes = Panes(Box(.column, [hint, scroll]), preview.widget, handleAt: 520)
        panes.setExpands(horizontally: true, vertically: true)
        widget = Box(.column, [searchField, filters, panes])
        list.setAccessibleName(Words.history.text)
        searchContext.nextContext = self
        undo.onEventGroupOpened = { [weak undo] in MainLoop.whenIdle { undo?.endEvent() } }
        menu.commands = [
            [Self.paste, Self.pastePlain, Self.copyEntry], [Self.pin, Self.keep, Self.save], [Self.deleteEntry],
        ]
        popover.onClose = { [weak self] in self?.menu.hide() }

        rows.make = { [unowned self] in HistoryRow(self) }
        connect()
        showEntries(areOther: true)
    }

    /// The maker of rows, which the list needs before the page is complete.
    private final class Rows {
        var make: (() -> HistoryRow)?
    }

    private func connect() {
        model.onChange = { [unowned self] in showEntries(areOther: $0) }
        model.onEntryChange = { [unowned self] in list.refresh(String($0)) }
        model.onFailure = { [unowned self] in onFailure?($0) }
        scroll.onNearEnd { [unowned self] in
            if !list.keys.isEmpty { model.loadMore() }
        }
        list.onActivate = { [unowned self] _ in choose(closes: true) }
        list.onSelect = { [unowned self] in
            if !isSelecting { selectsFirst = false }
            showPreview()
            center.setNeedsUpdate()
        }
        list.onKey { [unowned self] in handle($0) }
        searchField.onChange { [unowned self] in model.search(searchField.text, model.filter) }
        filters.onChoose = { [unowned self] index in
            model.search(searchField.text, EntryFilter.allCases[index])
            searchField.focus()
        }
        searchField.onKey(early: true) { [unowned self] in handleInSearch($0) }
    }

    /// - Parameter areOther: True if the entries are those of another search or filter. Then the first one is selected.
    private func showEntries(areOther: Bool) {
        if areOther { selectsFirst = true }
        isSelecting = true
        let former = list.selected
        let contents = selectedEntry
        let isAtTop = scroll.offset < 1
        list.setKeys(model.entries.map { String($0.id) })
        if selectsFirst { selectFirst() } else { reselect(former, contents) }
        // The list would keep the rows in their place, and the new entries out of view.
        if isAtTop { scroll.offset = 0 }
        isSelecting = false
        if areOther { onSuccess?() }
        let isEmpty = model.entries.isEmpty && !model.isStale
        hint.isVisible = isEmpty
        if isEmpty { hint.text = (model.isWhole ? Words.emptyHistory : .noEntry).text }
        showPreview()
        center.setNeedsUpdate()
        if !model.isStale, let key = pendingReturn {
            pendingReturn = nil
            _ = handleReturn(key)
        }
    }

    /// Selects the latest entry. Without a search, the pinned entries are above it.
    private func selectFirst() {
        let latest = model.isWhole ? model.entries.firstIndex { !$0.isPinned } : 0
        list.select(latest ?? 0)
    }

    /// Selects an entry again that has moved: it was pinned, or copied, which gives it another number.
    private func reselect(_ former: String?, _ contents: PasteboardHistoryEntry?) {
        guard list.selected != former || former == nil else { return }
        let same = former.flatMap { list.keys.firstIndex(of: $0) }
        let copied = contents.flatMap { entry in model.entries.firstIndex { $0.hasContents(of: entry) } }
        if let index = same ?? copied { list.select(index) } else if list.selected == nil { selectFirst() }
    }

    /// Shows the history as it is when the window is presented again: all entries, with the latest one selected.
    func presentAgain() {
        searchField.text = ""
        model.search("", model.filter)
        selectsFirst = true
        showEntries(areOther: false)
        searchField.focus()
        model.reload()
    }

    private func showPreview() {
        let entries = selectedEntries
        guard entries.count > 1 else { return preview.show(selectedEntry, note: nil) }
        let note = HistoryModel.canJoin(entries) ? Words.selectedEntries : .selectedPictures
        preview.show(selectedEntry, note: "\(entries.count) \(note.text)")
    }

    /// Selects an entry, and opens its menu.
    func openMenu(for entry: Int, at place: EditRectangle) {
        guard let index = list.keys.firstIndex(of: String(entry)) else { return }
        // The menu of one of several selected entries is that of all of them.
        if !list.selectedKeys.contains(String(entry)) { list.select(index) }
        menu.show(at: place)
    }

    // MARK: Keys

    /// Handles a key that no other widget has handled.
    func handle(_ key: Key) -> Bool {
        if Key.returns.contains(key.value) { return handleReturn(key) }
        if key.value == Key.escape { return escape() }
        if key.value == Key.menu || key.value == Key.f10 && key.isShift { return showMenu() }
        guard let character = key.character, !key.isControl else { return false }
        searchField.focus()
        searchField.insertAtEnd(String(character))
        return true
    }

    /// Handles the keys that the search field does not use, as the list would.
    private func handleInSearch(_ key: Key) -> Bool {
        switch key.value {
        case Key.down: list.moveSelection(by: 1, extends: key.isShift)
        case Key.up: list.moveSelection(by: -1, extends: key.isShift)
        case Key.pageDown: list.moveSelection(by: 10)
        case Key.pageUp: list.moveSelection(by: -10)
        case Key.home where searchField.text.isEmpty || key.isControl: list.select(0)
        case Key.end where searchField.text.isEmpty || key.isControl: list.select(list.keys.count - 1)
        case Key.delete where searchField.text.isEmpty: center.perform(.delete)
        case Key.escape: return escape()
        case Key.menu: return showMenu()
        case Key.f10 where key.isShift: return showMenu()
        case _ where Key.returns.contains(key.value): return handleReturn(key)
        default: return false
        }
        return true
    }

    private func handleReturn(_ key: Key) -> Bool {
        // The user means an entry of what has been typed, which is still to be found.
        model.search(searchField.text, model.filter)
        if model.isStale {
            pendingReturn = key
            return true
        }
        if key.isShift { choosePlain() } else { choose(closes: !key.isControl) }
        return true
    }

    private func showMenu() -> Bool { menu.show(at: EditRectangle(x: 200, y: 20)) }

    /// Ends the search, or else closes the window.
    private func escape() -> Bool {
        if searchField.text.isEmpty { onFinish?() } else { searchField.text = "" }
        return true
    }

    // MARK: Commands

    /// The entry that was selected last.
    var selectedEntry: PasteboardHistoryEntry? { list.selected.flatMap(Int.init).flatMap { model[$0] } }
    /// The selected entries, in the order in which they were selected.
    var selectedEntries: [PasteboardHistoryEntry] { list.selectedKeys.compactMap(Int.init).compactMap { model[$0] } }
    var next: (any EditingContext)? { nil }
    var undoManager: UndoManager? { undo }

    func canPerform(_ command: EditCommand, sender: Any?) -> Bool {
        switch command {
        case .copy, .delete, Self.pin, Self.paste, Self.copyEntry, Self.keep, Self.deleteEntry: selectedEntry != nil
        case Self.save: selectedEntries.count == 1
        case Self.pastePlain: selectedEntry?.preview != nil
        case .find: true
        default: false
        }
    }

    func perform(_ command: EditCommand, sender: Any?) {
        switch command {
        case .copy, Self.copyEntry: choose(closes: false)
        case .delete, Self.deleteEntry: delete()
        case .find: searchField.focus()
        case Self.paste: choose(closes: true)
        case Self.pastePlain: choosePlain()
        case Self.pin:
            guard let entry = selectedEntry else { return }
            selectsFirst = false
            model.pin(selectedEntries.map(\.id), !entry.isPinned)
        case Self.keep:
            for entry in selectedEntries { thumbnails.readItems(of: entry.id) { [weak self] in self?.onKeep?($0) } }
        case Self.save: if let entry = selectedEntry { save(entry) }
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
        let loose = selectedEntries.filter { !$0.isPinned }
        guard !loose.isEmpty else {
            if selectedEntry != nil { onMessage?(Words.pinnedStays.text) }
            return
        }
        let keys = Set(loose.map { String($0.id) })
        let index = list.keys.firstIndex(where: keys.contains) ?? 0
        setDeleted(true, loose.map(\.id))
        list.select(min(index, list.keys.count - 1))
    }

    /// Brings back all entries that were deleted since the window was opened.
    func undoDeletions() { setDeleted(false, model.deletions) }

    private func setDeleted(_ areDeleted: Bool, _ identifiers: [Int]) {
        undo.registerUndo(withTarget: self) { $0.setDeleted(!areDeleted, identifiers) }
        undo.setActionName(Words.deleteEntry.text)
        if areDeleted { model.delete(identifiers) } else { model.undelete(identifiers) }
        onDeletionsChange?(model.deletions.count)
    }
}
