import Undo

/// A change of a number, as both the undo manager and its model carry it out.
struct Change: Equatable {
    /// The behavior of the change, and so of the handler that reverts it.
    enum Kind: Equatable {
        case plain
        /// Sets the number by key path.
        case byKeyPath
        /// Registers within a group of its own.
        case grouped
        /// Begins a group and does not end it, in a handler.
        case unended
        /// Registers nothing, in a handler.
        case silent
        /// Registers twice.
        case twice
        /// Names its action, in a handler.
        case naming
        /// Throws once in a handler, before it changes anything.
        case failing
        /// Throws once in a handler, after the change.
        case failingLate
        /// Removes all actions, in a handler.
        case removing
        /// Removes the actions of its target, in a handler.
        case removingTarget
    }

    var value: Int
    var kind = Kind.plain
    var cost = 0
    var merging: UndoManager.Merging?
}

/// An operation on an undo manager. Any sequence of operations is possible.
enum ModelOperation {
    case change(slot: Int, Change)
    /// A change that is made and registered at the next checkpoint.
    case pend(slot: Int, Change)
    /// Releases the object of a slot, and puts a new object in its place.
    case end(slot: Int)
    case begin, endGroup, endEvent, undo, redo, undoNested, canRedo, disable, enable, removeAll
    case remove(slot: Int)
    case name(String)
    case info(Int?)
    case discardable(Bool)
    case groupsByEvent(Bool)
    case levels(Int)
    case budget(Int)
    case maxActions(Int)
    case markClean, removeCleanMark, endMerging

    static let slots = 4

    /// The kinds of operations, one character each. A kind is chosen as often as it occurs in the string.
    private static let kinds = Array(
        "cccccccccccccccccccppbbbbeeeeevvvvvuuuuuuuuuurrrrrrrooqqdxxxnnniimmgllstkkKjz".utf8)
    private static let names = ["", "Move", "Type"]
    private static let changes: [Change.Kind] = [
        .grouped, .unended, .silent, .twice, .twice, .naming, .failing, .failingLate, .removing, .removingTarget,
    ]

    private static func merging(_ number: Int) -> UndoManager.Merging? {
        switch number {
        case 0, 1: .keepFirst(1)
        case 2: .keepFirst(2)
        case 3, 4: .keepAll(1)
        default: nil
        }
    }

    static func random(using generator: inout some RandomNumberGenerator) -> ModelOperation {
        func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }
        func one(in count: Int) -> Bool { number(0..<count) == 0 }
        func change() -> Change {
            Change(
                value: number(0..<100),
                kind: one(in: 5) ? changes[number(0..<changes.count)] : one(in: 4) ? .byKeyPath : .plain,
                cost: one(in: 3) ? number(-1..<8) : 0, merging: merging(number(0..<7)))
        }
        let slot = number(0..<slots)
        switch UnicodeScalar(kinds[number(0..<kinds.count)]) {
        case "c": return .change(slot: slot, change())
        case "p": return .pend(slot: slot, change())
        case "b": return .begin
        case "e": return .endGroup
        case "v": return .endEvent
        case "u": return .undo
        case "r": return .redo
        case "o": return .undoNested
        case "q": return .canRedo
        case "d": return .disable
        case "x": return .enable
        case "n": return .name(names[number(0..<names.count)])
        case "i": return .info(one(in: 3) ? nil : number(0..<9))
        case "m": return .markClean
        case "g": return .groupsByEvent(one(in: 2))
        case "l": return .levels(one(in: 2) ? 0 : number(-1..<8))
        case "s": return .budget(one(in: 2) ? 0 : number(-1..<30))
        case "t": return .maxActions(one(in: 2) ? 1_000 : number(0..<9))
        case "k": return .end(slot: slot)
        case "K": return .remove(slot: slot)
        case "j": return .discardable(!one(in: 3))
        case "z": return one(in: 4) ? .removeAll : one(in: 3) ? .removeCleanMark : .endMerging
        default: fatalError("a letter has no operation")
        }
    }
}

/// The state of an undo manager and of the numbers that it changes.
struct ModelState: Equatable {
    var values: [Int] = []
    var canUndo = false
    var canRedo = false
    var undoActionName = ""
    var redoActionName = ""
    var undoInfo: Int?
    var redoInfo: Int?
    var isUndoDiscardable = false
    var isRedoDiscardable = false
    var groupingLevel = 0
    var isEnabled = true
    var isClean = true
    var canReachClean = true

    var menu: ModelSubject.Menu {
        .init(
            isEnabled: canUndo, canRedo: canRedo, undoActionName: undoActionName, redoActionName: redoActionName,
            isClean: isClean)
    }
}
