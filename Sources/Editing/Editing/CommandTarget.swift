import Undo

/// The context that performs a command, or whose undo manager performs it. Either object may be released between the
/// display of a menu and the choice of an item.
struct CommandTarget {
    private(set) weak var context: (any EditingContext)?
    private weak var undoManager: UndoManager?
    private let usesUndoManager: Bool

    init(context: any EditingContext, undoManager: UndoManager? = nil) {
        self.context = context
        self.undoManager = undoManager
        usesUndoManager = undoManager != nil
    }

    /// - Parameter isFound: True if the context has just said that it performs the command.
    func canPerform(_ command: EditCommand, sender: Any?, isFound: Bool) -> Bool {
        guard let context else { return false }
        guard usesUndoManager else { return isFound || context.canPerform(command, sender: sender) }
        guard let undoManager else { return false }
        return command == .undo ? undoManager.canUndo : undoManager.canRedo
    }

    /// Returns true if the command was performed.
    ///
    /// - Parameter isFound: True if the context has just said that it performs the command.
    func perform(_ command: EditCommand, sender: Any?, isFound: Bool) -> Bool {
        guard canPerform(command, sender: sender, isFound: isFound), let context else { return false }
        guard usesUndoManager else {
            context.perform(command, sender: sender)
            return true
        }
        guard let undoManager else { return false }
        var hasFailed = false
        let observation = undoManager.observe { notice in
            if case .failed = notice { hasFailed = true }
        }
        if command == .undo { undoManager.undo() } else { undoManager.redo() }
        observation.cancel()
        return !hasFailed
    }

    /// Returns the title with the name of the action, such as "Undo Move Tile"; nil if a context performs the command.
    func undoTitle(of command: EditCommand, in language: UndoManager.MenuLanguage) -> String? {
        guard usesUndoManager, let undoManager else { return nil }
        // The undo manager makes titles in its own language only, but the menu is in the language of the center.
        let former = undoManager.menuLanguage
        undoManager.menuLanguage = language
        defer { undoManager.menuLanguage = former }
        return command == .undo ? undoManager.undoMenuItemTitle : undoManager.redoMenuItemTitle
    }

    /// Returns true if both targets refer to the same objects and the context still exists.
    func isSame(as other: CommandTarget) -> Bool {
        context != nil && context === other.context && undoManager === other.undoManager
    }
}
