import Editing
import Testing
import Undo

@Suite struct EditCenterTests {
    private let center = EditCenter()

    init() { center.menuLanguage = .english }

    // MARK: Chains

    @Test("A command goes to the first context up the chain that performs it, or else to the window's own context")
    func chain() {
        let root = TestContext([.find, .copy])
        let board = TestContext([.selectAll, .copy])
        let tile = TestContext([.copy], next: board)
        center.rootContext = root
        center.makeFirstResponder(tile)
        for command in [EditCommand.copy, .selectAll, .find] { #expect(center.perform(command)) }
        #expect(tile.performed == [.copy])
        #expect(board.performed == [.selectAll])
        #expect(root.performed == [.find])
        #expect(center.target(of: .copy) === tile)
    }

    @Test("A command that no context performs is disabled and does nothing")
    func missing() {
        let tile = TestContext([.copy])
        #expect(!center.perform(.paste))
        center.makeFirstResponder(tile)
        #expect(center.target(of: .paste) == nil)
        #expect(center.state(of: .paste) == CommandState(title: "Paste", isEnabled: false))
        #expect(!center.perform(.paste))
        #expect(!center.perform(.rotate))
        #expect(!center.perform(.undo))
        #expect(tile.performed.isEmpty)
    }

    @Test("A context may implement nothing")
    func defaults() {
        let plain = PlainContext()
        #expect(center.makeFirstResponder(plain))
        #expect(center.firstResponder === plain)
        #expect(!center.perform(.copy))
        #expect(center.undoManager == nil)
        #expect(center.makeFirstResponder(nil))
        plain.perform(.copy, sender: nil)
    }

    @Test("Without a first responder, commands go to the window's own context")
    func rootOnly() {
        let root = TestContext([.paste])
        center.rootContext = root
        #expect(center.firstResponder == nil)
        #expect(center.perform(.paste))
        #expect(root.performed == [.paste])
    }

    @Test("The first responder is held weakly; once it is released, commands go to the window's own context")
    func ended() {
        let root = TestContext([.copy])
        center.rootContext = root
        var tile: TestContext? = TestContext([.copy, .cut])
        center.makeFirstResponder(tile)
        #expect(center.state(of: .cut).isEnabled)
        weak let former = tile
        tile = nil
        #expect(former == nil)
        #expect(center.firstResponder == nil)
        #expect(!center.state(of: .cut).isEnabled)
        #expect(center.perform(.copy))
        #expect(root.performed == [.copy])
        #expect(center.makeFirstResponder(root))
    }

    @Test("The search for a target ends even if the chain leads back to itself or is endless")
    func cycle() {
        final class Counted: EditingContext {
            var asked = 0
            var next: (any EditingContext)?
            let undoManager: UndoManager? = nil
            func canPerform(_ command: EditCommand, sender: Any?) -> Bool {
                asked += 1
                return false
            }
        }
        let (first, second) = (Counted(), Counted())
        first.next = second
        second.next = first
        center.rootContext = second
        center.makeFirstResponder(first)
        #expect(center.target(of: .copy) == nil)
        #expect(first.asked == 1 && second.asked == 1)
        #expect(center.undoManager == nil)
        first.next = nil
        second.next = nil

        final class Endless: EditingContext {
            var next: (any EditingContext)? { Endless() }
            let undoManager: UndoManager? = nil
        }
        let endless = Endless()
        center.rootContext = nil
        center.makeFirstResponder(endless)
        #expect(!center.perform(.copy))
    }

    @Test("Contexts receive the sender of a command")
    func sender() {
        final class Sent: EditingContext {
            let next: (any EditingContext)? = nil
            let undoManager: UndoManager? = nil
            var senders: [String] = []
            func canPerform(_ command: EditCommand, sender: Any?) -> Bool { sender as? String != "touch" }
            func perform(_ command: EditCommand, sender: Any?) { senders.append(sender as? String ?? "none") }
        }
        let context = Sent()
        center.makeFirstResponder(context)
        #expect(center.perform(.copy, sender: "key"))
        #expect(center.perform(.copy))
        #expect(!center.perform(.copy, sender: "touch"))
        #expect(center.target(of: .copy, sender: "touch") == nil)
        #expect(context.senders == ["key", "none"])
    }

    // MARK: The first responder

    @Test("The previous first responder is called before the new first responder")
    func order() {
        let (first, second) = (TestContext(), TestContext())
        var order: [String] = []
        first.onResign = { order.append("first resigns, \(second.calls.count)") }
        second.onBecome = { order.append("second becomes, \(first.calls.count)") }
        #expect(center.makeFirstResponder(first))
        #expect(center.makeFirstResponder(second))
        #expect(center.makeFirstResponder(second))
        #expect(order == ["first resigns, 0", "second becomes, 2"])
        #expect(second.calls == ["become"])
    }

    @Test("A first responder that refuses to resign keeps the focus")
    func refusal() {
        let (field, other) = (TestContext([.paste]), TestContext())
        center.makeFirstResponder(field)
        field.canResignFirstResponder = false
        #expect(!center.makeFirstResponder(other))
        #expect(!center.makeFirstResponder(nil))
        #expect(center.firstResponder === field)
        #expect(center.makeFirstResponder(field))
        #expect(field.calls == ["become"] && other.calls.isEmpty)
        #expect(center.perform(.paste))
        field.canResignFirstResponder = true
        #expect(center.makeFirstResponder(other))
    }

    @Test("A context that cannot become first responder does not take the focus from another context")
    func unable() {
        let (tile, label) = (TestContext(), TestContext())
        label.canBecomeFirstResponder = false
        center.makeFirstResponder(tile)
        #expect(!center.makeFirstResponder(label))
        #expect(center.firstResponder === tile && tile.calls == ["become"])
    }

    @Test("A context may pass the focus on while it gains or loses focus; the last call counts")
    func passedOn() {
        let (first, second, third) = (TestContext(), TestContext(), TestContext())
        second.onBecome = { [center] in #expect(center.makeFirstResponder(third)) }
        center.makeFirstResponder(first)
        #expect(!center.makeFirstResponder(second))
        #expect(center.firstResponder === third && second.calls == ["become", "resign"])

        third.onResign = { [center] in center.makeFirstResponder(second) }
        second.onBecome = {}
        #expect(!center.makeFirstResponder(first))
        #expect(center.firstResponder === second)
        #expect(first.calls == ["become", "resign"])
    }

    @Test("Two contexts that pass the focus to each other do not loop forever")
    func endless() {
        let (first, second) = (TestContext(), TestContext())
        first.onBecome = { [center] in center.makeFirstResponder(second) }
        second.onBecome = { [center] in center.makeFirstResponder(first) }
        center.makeFirstResponder(first)
        #expect(center.firstResponder === first || center.firstResponder === second)
        #expect(first.calls.count + second.calls.count < 40)
        first.onBecome = {}
        second.onBecome = {}
        #expect(center.makeFirstResponder(nil))
    }

    // MARK: Titles

    @Test("A title comes from the target, or else from the command in the menu's language")
    func titles() {
        let board = TestContext([.selectAll, .rotate])
        let tile = TestContext([.delete], next: board)
        board.titles = [.delete: "Delete Board", .cut: "Cut Board"]
        center.makeFirstResponder(tile)
        #expect(center.state(of: .delete).title == "Delete")
        tile.titles[.delete] = "Delete Tile"
        #expect(center.state(of: .delete) == CommandState(title: "Delete Tile", isEnabled: true))
        #expect(center.state(of: .cut) == CommandState(title: "Cut Board", isEnabled: false))
        center.menuLanguage = .german
        #expect(center.state(of: .selectAll).title == "Alles auswählen")
        #expect(center.state(of: .rotate).title == "Drehen")
        center.menuLanguage = .french
        #expect(center.state(of: .rotate).title == "Rotate")
    }

    // MARK: Undo

    @Test("Undo goes to the first undo manager up the chain, with the name of its action")
    func undo() {
        let (inner, outer) = (TestDocument(), TestDocument())
        let board = TestContext(undoManager: outer.undoManager)
        let tile = TestContext(next: board, undoManager: inner.undoManager)
        outer.move(to: 1)
        center.makeFirstResponder(tile)
        #expect(center.undoManager === inner.undoManager)
        #expect(center.state(of: .undo) == CommandState(title: "Undo", isEnabled: false))
        #expect(!center.perform(.undo) && outer.place == 1)

        inner.move(to: 2)
        #expect(center.state(of: .undo) == CommandState(title: "Undo Move Tile", isEnabled: true))
        #expect(center.target(of: .undo) === tile)
        #expect(center.perform(.undo) && inner.place == 0 && outer.place == 1)
        #expect(center.state(of: .redo) == CommandState(title: "Redo Move Tile", isEnabled: true))
        #expect(center.perform(.redo) && inner.place == 2)

        center.makeFirstResponder(board)
        #expect(center.perform(.undo) && outer.place == 0)
    }

    @Test(
        "Undo is titled in the language of the menu, not that of the undo manager",
        arguments: [
            (UndoManager.MenuLanguage.english, "Undo Move Tile"), (.german, "Rückgängig: Move Tile"),
            (.french, "Annuler\u{A0}: Move Tile"), (.japanese, "元に戻す: Move Tile"),
        ])
    func undoLanguage(_ language: UndoManager.MenuLanguage, _ title: String) {
        let document = TestDocument()
        document.undoManager.menuLanguage = .spanish
        let tile = TestContext(undoManager: document.undoManager)
        document.move(to: 1)
        center.menuLanguage = language
        center.makeFirstResponder(tile)
        #expect(center.state(of: .undo).title == title)
        #expect(document.undoManager.menuLanguage == .spanish)
    }

    @Test("A context that comes before the undo manager in the chain may claim undo for itself")
    func claimed() {
        let document = TestDocument()
        document.move(to: 1)
        let board = TestContext(undoManager: document.undoManager)
        let field = TestContext([.undo], next: board)
        center.makeFirstResponder(field)
        #expect(center.state(of: .undo) == CommandState(title: "Undo", isEnabled: true))
        #expect(center.perform(.undo))
        #expect(field.performed == [.undo] && document.place == 1)
        field.commands = []
        #expect(center.perform(.undo) && document.place == 0)
    }

    @Test("An undo that fails is reported, and can be tried again")
    func failing() {
        let document = TestDocument()
        let tile = TestContext([.copy], undoManager: document.undoManager)
        center.makeFirstResponder(tile)
        document.move(to: 1)
        document.isReadOnly = true
        var errors: [UndoError.Code] = []
        let observation = document.undoManager.observe { if case .failed(let error) = $0 { errors.append(error.code) } }
        #expect(!center.perform(.undo))
        #expect(errors == [.handlerFailed] && document.place == 1)
        #expect(center.state(of: .undo).isEnabled && center.perform(.copy))
        document.isReadOnly = false
        #expect(center.perform(.undo) && document.place == 0)

        document.undoManager.beginUndoGrouping()
        document.undoManager.registerUndo(withTarget: document) { $0.place = 7 }
        #expect(!center.perform(.undo))
        #expect(errors == [.handlerFailed, .groupOpen])
        document.undoManager.endUndoGrouping()
        #expect(center.perform(.undo) && document.place == 7)
        observation.cancel()
    }

    @Test("Undo is disabled once the undo manager has been released")
    func endedManager() {
        var document: TestDocument? = TestDocument()
        let tile = TestContext(undoManager: document?.undoManager)
        center.makeFirstResponder(tile)
        document?.move(to: 1)
        let observation = center.observe {}
        #expect(center.state(of: .undo).isEnabled)
        tile.undoManager = nil
        document = nil
        #expect(!center.state(of: .undo).isEnabled && !center.perform(.undo))
        observation.cancel()
    }
}
