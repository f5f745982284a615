import Editing
import Foundation
import Pasteboard
import TestSupport
import Testing
import Undo

final class BoardContext: EditingContext {
    let next: (any EditingContext)? = nil
    let undoManager: UndoManager? = nil
    private(set) var removed: [TileContext] = []
    var availability: PasteAvailability?

    // snippet: can paste
    func canPerform(_ command: EditCommand, sender: Any?) -> Bool {
        command == .rotate || command == .paste && availability?.isAvailable == true
    }
    // end

    func remove(_ tile: TileContext) { removed.append(tile) }
}

// snippet: tile context
final class TileContext: EditingContext {
    weak var board: BoardContext?
    let undoManager: UndoManager? = UndoManager()
    var next: (any EditingContext)? { board }
    var copied = 0

    func canPerform(_ command: EditCommand, sender: Any?) -> Bool { [.copy, .cut].contains(command) }

    func perform(_ command: EditCommand, sender: Any?) {
        copied += 1
        if command == .cut { board?.remove(self) }
    }
}
// end

// snippet: command
extension EditCommand {
    static let rotate = EditCommand("org.example.rotate", title: "Rotate", keys: [KeyEquivalent("r", .control)])
}
// end

// snippet: popover
final class Popover: EditMenuPresenter {
    private(set) var items: [[EditMenu.Item]] = []

    func show(_ items: [[EditMenu.Item]], at rectangle: EditRectangle) { self.items = items }
    func update(_ items: [[EditMenu.Item]]) { self.items = items }
    func hide() { items = [] }

    func choose(_ item: EditMenu.Item) { item.perform(sender: self) }
}
// end

// snippet: accessory view
extension EditCommand {
    static let changeColor = EditCommand("com.example.change-color", title: "Change Color")
}

final class ColorBar: InputAudioFeedback {
    let colors = ["red", "green", "blue"]
    weak var host: InputHost?
    weak var context: ColoredContext?
    var enableInputClicksWhenVisible: Bool { true }

    /// Called by the button of a color.
    func choose(_ color: String) {
        host?.playInputClick()
        context?.setColor(color)
    }
}

final class ColoredContext: EditingContext {
    private(set) var color = "red"
    let bar = ColorBar()
    let next: (any EditingContext)? = nil
    let undoManager: UndoManager? = UndoManager()
    var inputAccessoryView: AnyObject? { bar }

    init() { bar.context = self }

    func setColor(_ new: String) {
        let former = color
        undoManager?.registerUndo(withTarget: self) { $0.setColor(former) }
        undoManager?.setActionName("Change Color")
        color = new
    }

    func canPerform(_ command: EditCommand, sender: Any?) -> Bool { command == .changeColor }

    func perform(_ command: EditCommand, sender: Any?) {
        let place = bar.colors.firstIndex(of: color) ?? 0
        setColor(bar.colors[(place + 1) % bar.colors.count])
    }
}
// end

/// Tests that run the code of the articles about commands in a window.
@Suite("Commands in a program with a window") struct CommandsInAWindowTests {
    private final class Window: InputPresenter {
        var undoTitle = ""
        var isUndoEnabled = false
        var palette: AnyObject?
        var bar: AnyObject?
        var clicks = 0

        func present(inputView: AnyObject?, accessoryView: AnyObject?) {
            palette = inputView
            bar = accessoryView
        }

        func playClick() { clicks += 1 }
    }

    private let board = BoardContext()
    private let tile = TileContext()

    init() { tile.board = board }

    @Test("A command goes to the focused tile, and a command that nothing performs fails")
    func center() {
        // snippet: center
        let center = EditCenter()
        center.rootContext = board
        center.makeFirstResponder(tile)
        center.perform(.copy)
        // end
        #expect(tile.copied == 1)
        center.perform(.cut)
        #expect(board.removed.count == 1 && !center.perform(.paste))
    }

    @Test("A window shows the state of undo")
    func window() {
        let window = Window()
        var idle: [() -> Void] = []
        func whenIdle(_ body: @escaping () -> Void) { idle.append(body) }
        // snippet: window
        let center = EditCenter()
        center.rootContext = board
        center.scheduleUpdate = { whenIdle($0) }
        let observation = center.observe { [unowned center] in
            let undo = center.state(of: .undo)
            window.undoTitle = undo.title
            window.isUndoEnabled = undo.isEnabled
        }
        // end
        center.menuLanguage = .english
        center.makeFirstResponder(tile)
        tile.undoManager?.registerUndo(withTarget: tile) { $0.copied = 0 }
        tile.undoManager?.setActionName("Copy Tile")
        for body in idle { body() }
        #expect(window.undoTitle == "Undo Copy Tile" && window.isUndoEnabled)
        observation.cancel()
    }

    @Test("A popover shows the menu")
    func menu() throws {
        let (center, popover) = (EditCenter(), Popover())
        center.rootContext = board
        center.makeFirstResponder(tile)
        // snippet: menu
        let menu = EditMenu(center: center, presenter: popover)
        menu.customItems = [.rotate]
        menu.show(at: EditRectangle(x: 40, y: 30, width: 64, height: 64))
        // end
        #expect(popover.items.last?.map(\.command) == [.rotate])
        popover.choose(try #require(popover.items.joined().first { $0.command == .copy }))
        #expect(tile.copied == 1)
        menu.hide()
    }

    @Test("An input host presents views")
    func input() {
        let (center, window) = (EditCenter(), Window())
        // snippet: input
        let host = InputHost(center: center, presenter: window)
        // end
        #expect(window.palette == nil && !host.playInputClick())
        let context = ColoredContext()
        center.makeFirstResponder(context)
        context.bar.host = host
        #expect(window.bar === context.bar)
        context.bar.choose("blue")
        #expect(window.clicks == 1 && context.color == "blue")
    }

    @Test("The menu item Change Color changes the color, and undo names the change")
    func changeColor() throws {
        let (center, popover, context) = (EditCenter(), Popover(), ColoredContext())
        center.menuLanguage = .english
        center.makeFirstResponder(context)
        let menu = EditMenu(center: center, presenter: popover)
        menu.customItems = [.changeColor]
        menu.show(at: EditRectangle(x: 40, y: 30, width: 64, height: 64))
        let item = try #require(popover.items.joined().first { $0.command == .changeColor })
        #expect(item.title == "Change Color")
        popover.choose(item)
        #expect(context.color == "green" && center.state(of: .undo).title == "Undo Change Color")
        center.perform(.undo)
        #expect(context.color == "red")
    }
}

extension Documentation {
    @Suite("The pasteboards of a window") struct WindowTests {
        private final class TextView {
            var selectedText = "selected"
            var isSelected = true
            func deselect() { isSelected = false }
        }

        private final class SearchField {
            var text = "needle"
        }

        @Test("Paste, the selection and the search string follow the pasteboards")
        func pasteboards() async throws {
            try await withPasteboards { _ in
                try await waiting {
                    let events = try PasteboardEvents()
                    let (center, board, view, searchField) = (EditCenter(), BoardContext(), TextView(), SearchField())
                    center.rootContext = board
                    // snippet: availability
                    let availability = PasteAvailability(events: events, types: [.text, .image])
                    availability.onChange = { center.setNeedsUpdate() }
                    // end
                    board.availability = availability
                    try Pasteboard.general.setString("text")
                    try dispatch(events) { center.state(of: .paste).isEnabled }
                    // snippet: selection
                    let selection = SelectionOffer(events: events)
                    selection.onLoss = { view.deselect() }
                    // Whenever the user has selected something, even in the middle of a drag:
                    selection.offer(types: ["public.utf8-plain-text"]) { _ in Data(view.selectedText.utf8) }
                    // end
                    try dispatch(events) { selection.isOwner }
                    // snippet: find
                    let find = FindString(events: events)
                    find.onChange = { [unowned find] in searchField.text = find.string ?? "" }
                    // When the user presses Return in the search field, and not for each letter:
                    find.commit(searchField.text)
                    // end
                    try dispatch(events) { !view.isSelected }
                    #expect(try Pasteboard.find.string == "needle")
                }
            }
        }
    }
}
