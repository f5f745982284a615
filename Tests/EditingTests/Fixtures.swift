import Editing
import Undo

/// A tile, a board or a window, with the commands that it performs.
class TestContext: EditingContext {
    var next: (any EditingContext)?
    var commands: Set<EditCommand>
    var performed: [EditCommand] = []
    var undoManager: UndoManager?
    var canBecomeFirstResponder = true
    var canResignFirstResponder = true
    var inputView: AnyObject?
    var inputAccessoryView: AnyObject?
    var titles: [EditCommand: String] = [:]
    /// The calls of ``didBecomeFirstResponder()`` and ``didResignFirstResponder()``.
    var calls: [String] = []
    var onBecome: () -> Void = {}
    var onResign: () -> Void = {}

    init(_ commands: Set<EditCommand> = [], next: (any EditingContext)? = nil, undoManager: UndoManager? = nil) {
        self.commands = commands
        self.next = next
        self.undoManager = undoManager
    }

    func canPerform(_ command: EditCommand, sender: Any?) -> Bool { commands.contains(command) }

    func perform(_ command: EditCommand, sender: Any?) { performed.append(command) }

    func title(of command: EditCommand) -> String? { titles[command] }

    func didBecomeFirstResponder() {
        calls.append("become")
        onBecome()
    }

    func didResignFirstResponder() {
        calls.append("resign")
        onResign()
    }
}

/// A context with the defaults of the protocol.
final class PlainContext: EditingContext {
    let next: (any EditingContext)? = nil
    let undoManager: UndoManager? = nil
}

/// A document with undo, whose actions have names.
final class TestDocument {
    struct Refusal: Error {}

    let undoManager = UndoManager()
    var place = 0
    var isReadOnly = false

    init() { undoManager.groupsByEvent = false }

    func move(to place: Int) {
        let former = self.place
        undoManager.beginUndoGrouping()
        undoManager.registerUndo(withTarget: self) { document in
            if document.isReadOnly { throw Refusal() }
            document.place = former
            document.undoManager.registerUndo(withTarget: document) { $0.place = place }
        }
        undoManager.setActionName("Move Tile")
        undoManager.endUndoGrouping()
        self.place = place
    }
}

/// A loop whose idle closures a test runs.
final class TestLoop {
    private var closures: [() -> Void] = []

    func whenIdle(_ body: @escaping () -> Void) { closures.append(body) }

    /// Ends an event, and returns the number of closures that ran.
    @discardableResult
    func endEvent() -> Int {
        let closures = closures
        self.closures = []
        for body in closures { body() }
        return closures.count
    }
}

/// A program's own command.
extension EditCommand {
    static let rotate = EditCommand("org.example.rotate", title: "Rotate", titles: [.german: "Drehen"])
}
