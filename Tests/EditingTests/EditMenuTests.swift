import Editing
import Testing
import Undo

@Suite struct EditMenuTests {
    /// A menu that records its calls instead of drawing.
    private final class Presenter: EditMenuPresenter {
        var items: [[EditMenu.Item]] = []
        var calls: [String] = []
        var rectangle: EditRectangle?

        func show(_ items: [[EditMenu.Item]], at rectangle: EditRectangle) {
            self.items = items
            self.rectangle = rectangle
            calls.append("show")
        }

        func update(_ items: [[EditMenu.Item]]) {
            self.items = items
            calls.append("update")
        }

        func hide() { calls.append("hide") }

        /// The titles, in parentheses if dimmed.
        var titles: [[String]] { items.map { $0.map { $0.isEnabled ? $0.title : "(\($0.title))" } } }

        func item(_ command: EditCommand) -> EditMenu.Item? { items.joined().first { $0.command == command } }
    }

    private let center = EditCenter()
    private let presenter = Presenter()
    private let menu: EditMenu
    private let place = EditRectangle(x: 10, y: 20)

    init() {
        center.menuLanguage = .english
        menu = EditMenu(center: center, presenter: presenter)
        menu.commands = [[.undo, .redo], [.cut, .copy], [.find]]
    }

    @Test("Items have the titles and states of their targets; custom items come last")
    func items() {
        let document = TestDocument()
        let board = TestContext([.find, .rotate], undoManager: document.undoManager)
        let tile = TestContext([.copy], next: board)
        tile.titles[.copy] = "Copy Tile"
        document.move(to: 1)
        center.makeFirstResponder(tile)
        menu.customItems = [.rotate]
        #expect(menu.show(at: place) && menu.isVisible)
        #expect(
            presenter.titles == [
                ["Undo Move Tile", "(Redo)"], ["(Cut)", "Copy Tile"], ["Find…"], ["Rotate"],
            ])
        #expect(presenter.rectangle == place)
        #expect(presenter.item(.rotate)?.perform() == true)
        #expect(presenter.item(.cut)?.perform() == false)
        #expect(board.performed == [.rotate])
    }

    @Test("Commands that do not apply can be left out, and a menu without items is not shown")
    func omitted() {
        let tile = TestContext([.copy])
        menu.unavailableItems = .omitted
        var events: [EditMenu.Event] = []
        menu.onEvent = { events.append($0) }
        #expect(!menu.show(at: place) && !menu.isVisible && events.isEmpty && presenter.calls.isEmpty)
        center.makeFirstResponder(tile)
        #expect(menu.show(at: place))
        #expect(presenter.titles == [["Copy"]])
        tile.commands = []
        center.setNeedsUpdate()
        #expect(!menu.isVisible && presenter.calls == ["show", "hide"])
    }

    @Test("Events come in order, and a closed menu can be closed again")
    func events() {
        var events: [EditMenu.Event] = []
        menu.onEvent = { events.append($0) }
        menu.show(at: place)
        menu.hide()
        menu.hide()
        #expect(events == [.willShow, .didShow, .willHide, .didHide])
        menu.show(at: place)
        menu.show(at: EditRectangle(x: 0, y: 0, width: 5, height: 5))
        #expect(events.dropFirst(4) == [.willShow, .didShow, .willHide, .didHide, .willShow, .didShow])
        #expect(presenter.calls == ["show", "hide", "show", "hide", "show"])
    }

    @Test("A menu may be changed, prevented and shown again while its events are handled")
    func nested() {
        menu.onEvent = { [menu] in if $0 == .willShow { menu.commands = [[.paste]] } }
        #expect(menu.show(at: place) && presenter.titles == [["(Paste)"]])
        menu.onEvent = { [menu] in if $0 == .willShow { menu.hide() } }
        #expect(!menu.show(at: place) && !menu.isVisible)
        #expect(presenter.calls == ["show", "hide"])
        menu.onEvent = nil
        menu.show(at: place)
        menu.onEvent = { [menu, place] in if $0 == .willHide { menu.show(at: place) } }
        menu.hide()
        #expect(menu.isVisible && presenter.calls.last == "show")
        menu.onEvent = nil
    }

    @Test("A visible menu follows the states, and is updated only if an item has changed")
    func updated() {
        let document = TestDocument()
        let tile = TestContext([.copy], undoManager: document.undoManager)
        center.makeFirstResponder(tile)
        let loop = TestLoop()
        center.scheduleUpdate = { loop.whenIdle($0) }
        var events: [EditMenu.Event] = []
        menu.show(at: place)
        menu.onEvent = { events.append($0) }
        center.setNeedsUpdate()
        loop.endEvent()
        menu.update()
        #expect(presenter.calls == ["show"] && events.isEmpty)
        document.move(to: 1)
        loop.endEvent()
        #expect(presenter.calls == ["show", "update"] && events == [.didUpdate])
        #expect(presenter.item(.undo)?.title == "Undo Move Tile")
        tile.commands.insert(.cut)
        menu.update()
        #expect(presenter.item(.cut)?.isEnabled == true)
        menu.hide()
        tile.commands = []
        center.setNeedsUpdate()
        loop.endEvent()
        #expect(presenter.calls == ["show", "update", "update", "hide"])
    }

    @Test("When the focus moves, the menu shows the items of the new first responder")
    func focusUpdates() {
        let (first, second) = (TestContext([.copy]), TestContext([.copy, .cut]))
        center.makeFirstResponder(first)
        menu.show(at: place)
        let old = presenter.item(.copy)
        center.makeFirstResponder(second)
        #expect(presenter.calls == ["show", "update"] && presenter.titles[1] == ["Cut", "Copy"])
        #expect(presenter.item(.copy)?.perform() == true)
        #expect(second.performed == [.copy])
        // A toolkit may still show the previous items for a moment.
        #expect(old?.perform() == true)
        #expect(first.performed == [.copy])
    }

    @Test("When the focus moves, a menu is closed if its `focusChange` is `hide`", arguments: [true, false])
    func focusHides(_ isEnd: Bool) {
        var tile: TestContext? = TestContext([.copy])
        center.makeFirstResponder(tile)
        menu.focusChange = .hide
        menu.show(at: place)
        center.setNeedsUpdate()
        #expect(menu.isVisible)
        if isEnd {
            tile = nil
            center.setNeedsUpdate()
        } else {
            center.makeFirstResponder(nil)
        }
        #expect(!menu.isVisible && presenter.calls.last == "hide")
        withExtendedLifetime(tile) {}
    }

    @Test("An item whose target was released performs nothing, and its command reaches no other context")
    func targetEnded() {
        let board = TestContext([.delete, .cut])
        var tile: TestContext? = TestContext([.delete, .cut], next: board)
        menu.commands = [[.delete, .cut]]
        center.makeFirstResponder(tile)
        menu.show(at: place)
        tile?.commands = [.delete]
        #expect(presenter.item(.cut)?.perform() == false)
        center.rootContext = board
        let item = presenter.item(.delete)
        tile = nil
        menu.hide()
        #expect(item?.perform() == false)
        #expect(board.performed.isEmpty)
        #expect(center.perform(.delete) && board.performed == [.delete])
    }

    @Test("A command closes the menu, and may show it again")
    func closing() {
        let tile = TestContext([.copy, .cut])
        center.makeFirstResponder(tile)
        menu.show(at: place)
        #expect(presenter.item(.copy)?.perform() == true)
        #expect(!menu.isVisible && presenter.calls == ["show", "hide"])
        menu.show(at: place)
        tile.commands = [.copy]
        #expect(presenter.item(.cut)?.perform() == false)
        #expect(!menu.isVisible)
        menu.onEvent = { [unowned menu] event in
            if event == .didHide { menu.show(at: self.place) }
        }
        menu.show(at: place)
        #expect(presenter.item(.copy)?.perform() == true)
        #expect(menu.isVisible)
    }

    @Test("An item performs after the menu was closed, since toolkits close it first")
    func afterwards() {
        let document = TestDocument()
        let tile = TestContext([.copy], undoManager: document.undoManager)
        document.move(to: 1)
        center.makeFirstResponder(tile)
        menu.show(at: place)
        let (copy, undo) = (presenter.item(.copy), presenter.item(.undo))
        menu.hide()
        #expect(copy?.perform(sender: "menu") == true && undo?.perform() == true)
        #expect(tile.performed == [.copy] && document.place == 0)
        #expect(undo?.perform() == false)
    }
}
