#if canImport(Darwin)
import Foundation
#else
import Undo
#endif

// Code as written for the UndoManager of Apple's systems. It uses every member that does not need the Objective-C
// runtime. Apart from the import above, it is the same on Apple's systems.

extension UndoManager.UserInfoKey {
    static let icon: UndoManager.UserInfoKey = "icon"
}

/// A drawing with layers, owned by the main actor as documents of apps are.
@MainActor
final class Drawing {
    let undoManager = UndoManager()
    private(set) var layers: [String] = []
    private(set) var zoom = 1.0
    var title = "" {
        didSet {
            undoManager.registerUndo(withTarget: self) { $0.title = oldValue }
            if !undoManager.isUndoing, !undoManager.isRedoing { undoManager.setActionName("Rename") }
        }
    }

    func insert(_ layer: String, at index: Int) {
        undoManager.setActionName("Insert Layer")
        undoManager.setActionUserInfoValue(layer, forKey: .icon)
        layers.insert(layer, at: index)
        undoManager.registerUndo(withTarget: self) { $0.remove(at: index) }
    }

    func remove(at index: Int) {
        let layer = layers.remove(at: index)
        undoManager.registerUndo(withTarget: self) { target in
            target.insert(layer, at: index)
        }
        if !undoManager.isUndoing { undoManager.setActionName("Delete Layer") }
    }

    func zoom(to factor: Double) {
        let former = zoom
        undoManager.registerUndo(withTarget: self, handler: { drawing in drawing.zoom(to: former) })
        undoManager.setActionIsDiscardable(true)
        zoom = factor
    }

    func replaceAll(with new: [String]) {
        undoManager.beginUndoGrouping()
        defer { undoManager.endUndoGrouping() }
        while !layers.isEmpty { remove(at: layers.count - 1) }
        for layer in new { insert(layer, at: layers.count) }
        undoManager.setActionName("Replace Layers")
    }

    func load(_ new: [String]) {
        undoManager.disableUndoRegistration()
        layers = new
        undoManager.enableUndoRegistration()
        undoManager.removeAllActions()
    }

    func tryOut(_ layer: String) {
        undoManager.beginUndoGrouping()
        insert(layer, at: 0)
        undoManager.endUndoGrouping()
        undoManager.undoNestedGroup()
    }

    func closeGroups() {
        while undoManager.groupingLevel > 0 { undoManager.endUndoGrouping() }
    }

    func forget() { undoManager.removeAllActions(withTarget: self) }
}

/// The commands of an edit menu, for any undo manager.
@MainActor
struct EditCommands {
    let manager: UndoManager?

    var titles: [String] { [manager?.undoMenuItemTitle ?? "", manager?.redoMenuItemTitle ?? ""] }
    var isEnabled: [Bool] { [manager?.canUndo ?? false, manager?.canRedo == true] }
    var names: [String] { [manager?.undoActionName ?? "", manager?.redoActionName ?? ""] }
    var icons: [Any?] {
        [manager?.undoActionUserInfoValue(forKey: .icon), manager?.redoActionUserInfoValue(forKey: .icon)]
    }
    var losesNothing: [Bool] { [manager?.undoActionIsDiscardable ?? true, manager?.redoActionIsDiscardable ?? true] }
    /// The actions of the menu items, in the form that buttons take.
    var actions: [() -> Void] {
        guard let manager else { return [] }
        return [manager.undo, manager.redo]
    }
}

/// An undo manager that counts calls of undo and redo, and has its own titles. On Apple's systems, the class belongs to
/// the main actor like its superclass.
final class CountingUndoManager: UndoManager {
    private(set) var count = 0

    override init() {
        super.init()
        groupsByEvent = false
        levelsOfUndo = 2
    }

    override func undo() {
        count += 1
        super.undo()
    }

    override func redo() {
        count += 1
        super.redo()
    }

    override func undoMenuTitle(forUndoActionName actionName: String) -> String {
        "(" + super.undoMenuTitle(forUndoActionName: actionName) + ")"
    }

    override func redoMenuTitle(forUndoActionName actionName: String) -> String {
        "(" + super.redoMenuTitle(forUndoActionName: actionName) + ")"
    }
}
