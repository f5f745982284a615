import Testing
import Undo

/// Tests that code for Apple's `UndoManager` does the same with ours.
@Suite @MainActor struct AppleSampleTests {
    private let drawing = Drawing()
    private var commands: EditCommands { EditCommands(manager: drawing.undoManager) }

    init() { drawing.undoManager.menuLanguage = .english }

    @Test("A change, its undo and its redo have names, titles and values")
    func change() {
        #expect(commands.isEnabled == [false, false] && commands.titles == ["Undo", "Redo"])
        drawing.insert("sky", at: 0)
        #expect(commands.isEnabled == [true, false] && commands.titles == ["Undo Insert Layer", "Redo"])
        #expect(commands.icons[0] as? String == "sky")
        commands.actions[0]()
        #expect(drawing.layers == [] && commands.titles == ["Undo", "Redo Insert Layer"])
        #expect(commands.icons[1] as? String == "sky")
        commands.actions[1]()
        #expect(drawing.layers == ["sky"] && commands.names == ["Insert Layer", ""])
    }

    @Test("A property reverts itself, and keeps its action's name")
    func property() {
        drawing.title = "Sea"
        drawing.undoManager.undo()
        #expect(drawing.title == "" && commands.names == ["", "Rename"])
        drawing.undoManager.redo()
        #expect(drawing.title == "Sea" && commands.names == ["Rename", ""])
    }

    @Test("Changes within a group are undone together")
    func group() {
        drawing.load(["a", "b"])
        #expect(commands.isEnabled == [false, false] && drawing.undoManager.isUndoRegistrationEnabled)
        drawing.replaceAll(with: ["c", "d", "e"])
        #expect(drawing.undoManager.groupsByEvent && drawing.undoManager.groupingLevel == 1)
        drawing.closeGroups()
        #expect(commands.titles[0] == "Undo Replace Layers")
        drawing.undoManager.undo()
        #expect(drawing.layers == ["a", "b"])
        drawing.undoManager.redo()
        #expect(drawing.layers == ["c", "d", "e"])
    }

    @Test("A nested group is reverted within the open group")
    func nestedGroup() {
        drawing.insert("sky", at: 0)
        drawing.tryOut("sea")
        #expect(drawing.layers == ["sky"] && commands.isEnabled == [true, true])
    }

    @Test("Changes of the view are discardable")
    func discardable() {
        drawing.zoom(to: 2)
        #expect(commands.losesNothing == [true, false])
        drawing.undoManager.undo()
        #expect(drawing.zoom == 1 && commands.losesNothing == [false, true])
        drawing.insert("sky", at: 0)
        #expect(commands.losesNothing == [false, false])
        drawing.forget()
        #expect(commands.isEnabled == [false, false])
    }

    @Test("A subclass overrides undo, redo and titles")
    func subclass() {
        let manager = CountingUndoManager()
        manager.menuLanguage = .english
        let cell = Cell(manager)
        for value in 1...3 {
            manager.beginUndoGrouping()
            cell.set(value, name: "Set")
            manager.endUndoGrouping()
        }
        #expect(manager.undoMenuItemTitle == "(Undo Set)")
        while manager.canUndo { manager.undo() }
        #expect(cell.value == 1 && manager.count == 2 && manager.redoMenuItemTitle == "(Redo Set)")
        manager.redo()
        #expect(cell.value == 2 && manager.count == 3 && manager.levelsOfUndo == 2)
    }
}
