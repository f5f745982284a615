import Testing
import Undo

// snippet: tile
final class Tile {
    let undoManager: UndoManager
    private(set) var color = "white"
    var place = 0

    init(_ undoManager: UndoManager) { self.undoManager = undoManager }

    func setColor(_ color: String) {
        let former = self.color
        undoManager.registerUndo(withTarget: self) { $0.setColor(former) }
        undoManager.setActionName("Set Color")
        self.color = color
    }
}
// end

/// A tile whose method is the example on the module's page.
private final class OtherTile {
    let undoManager = UndoManager()
    private(set) var color = "white"

    // snippet: color
    func setColor(_ color: String) {
        let former = self.color
        undoManager.registerUndo(withTarget: self) { $0.setColor(former) }
        undoManager.setActionName("Set Color")
        self.color = color
    }
    // end
}

/// Tests that run the code of the articles about undo.
@Suite("Undo in a program") struct UndoTests {
    private struct Window {
        var undoTitle = ""
        var isUndoEnabled = false
        var isDocumentEdited = false
        var message = ""
    }

    private let undoManager = UndoManager()

    init() { undoManager.menuLanguage = .english }

    @Test("A change is undone and redone")
    func change() {
        let tile = Tile(undoManager)
        tile.setColor("red")
        undoManager.undo()
        #expect(tile.color == "white" && undoManager.redoMenuItemTitle == "Redo Set Color")
        undoManager.redo()
        #expect(tile.color == "red")
        let other = OtherTile()
        other.setColor("red")
        other.undoManager.undo()
        #expect(other.color == "white")
    }

    @Test("A property is set, and the event ends when the loop is idle")
    func event() {
        var idle: [() -> Void] = []
        func whenIdle(_ body: @escaping () -> Void) { idle.append(body) }
        // snippet: event
        undoManager.onEventGroupOpened = { [unowned undoManager] in
            whenIdle { undoManager.endEvent() }
        }
        // end
        let tile = Tile(undoManager)
        // snippet: property
        undoManager.set(\.place, of: tile, to: 40)
        undoManager.setActionName("Move Tile")
        // end
        for body in idle { body() }
        #expect(tile.place == 40 && undoManager.undoMenuItemTitle == "Undo Move Tile" && undoManager.groupingLevel == 0)
        // snippet: drag
        undoManager.set(\.place, of: tile, to: 41, merging: .keepFirst("drag"))
        // end
        undoManager.endEvent()
        for place in 42..<50 {
            undoManager.set(\.place, of: tile, to: place, merging: .keepFirst("drag"))
            undoManager.endEvent()
        }
        undoManager.undo()
        #expect(tile.place == 40)
    }

    @Test("A window shows what can be undone, and whether the document is edited")
    func menus() {
        var window = Window()
        // snippet: menus
        let observation = undoManager.observe { [unowned undoManager] notice in
            switch notice {
            case .didChange:
                window.undoTitle = undoManager.undoMenuItemTitle
                window.isUndoEnabled = undoManager.canUndo
                window.isDocumentEdited = !undoManager.isClean
            case .failed(let error): window.message = error.description
            default: break
            }
        }
        // end
        let tile = Tile(undoManager)
        tile.setColor("red")
        #expect(window.undoTitle == "Undo Set Color" && window.isUndoEnabled && window.isDocumentEdited)
        undoManager.markClean()
        #expect(!window.isDocumentEdited)
        undoManager.endUndoGrouping()
        #expect(window.message != "")
        observation.cancel()
    }

    @Test("An action states its cost in bytes")
    func cost() {
        let tile = Tile(undoManager)
        let picture: [UInt8] = [1, 2, 3]
        var restored: [UInt8] = []
        func restore(_ picture: [UInt8]) { restored = picture }
        // snippet: cost
        undoManager.undoBudget = 64 << 20
        undoManager.registerUndo(withTarget: tile, cost: picture.count) { _ in restore(picture) }
        // end
        undoManager.undo()
        #expect(restored == picture)
    }
}
