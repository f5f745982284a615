#if !canImport(Darwin)

/// A recorder of changes, for undo and redo.
///
/// A program that changes something registers an action that reverts the change. ``undo()`` performs the actions of the
/// last group in reverse order. Actions that are registered during the undo repeat the change, and go to the redo
/// stack. A new change empties the redo stack.
///
/// Names and rules are those of `UndoManager` in Apple's Foundation, so that code written for Apple's class compiles
/// unchanged. The documentation of members without a counterpart there says so, and the module's page lists missing
/// members.
///
/// An undo manager is used from one thread, usually that of the event loop. It has no locks, belongs to no actor and is
/// not `Sendable`: the loops of GLib, Qt and SDL do not run the tasks of the main actor. Code of the main actor can use
/// it like any object that the actor owns.
///
/// A misuse never ends the program: see ``UndoError``.
///
/// Source: the documentation of `UndoManager` by Apple, and "Introduction to Undo Architecture".
open class UndoManager {
    final var history = UndoHistory()
    /// The actions that the undo or redo in progress still has to perform.
    final var pendingActions: [UndoAction] = []
    /// True if actions were removed during the undo or redo in progress.
    final var hasRemovedPending = false
    /// True while the handler of a discardable action registers actions.
    final var inheritsDiscardable = false
    final var observers: [Observer] = []
    final var observerCount = 0
    final var reportedState: MenuState?
    final var isSendingCheckpoint = false
    /// The level of the group that is being closed.
    final var closingLevel: Int?
    /// True if the event of the event group has ended while groups were open within it.
    final var isEventOver = false
    private final var disableCount = 0
    /// True if an event was ended, or if the lack of a host was reported.
    final var hasEventHost = false

    /// The language of ``undoMenuItemTitle`` and ``redoMenuItemTitle``; by default that of the program's environment.
    /// Apple's `UndoManager` uses the language of the app.
    public final var menuLanguage = MenuLanguage.environment

    /// Called when an event group opens, so that the host of the event loop calls ``endEvent()`` once after the event,
    /// for example from an idle source of the loop. If groups are still open in the event group at that time, the
    /// closure is called again when they end. Apple's `UndoManager` uses its run loop instead.
    public final var onEventGroupOpened: (() -> Void)?

    /// Creates an undo manager without actions. Its state is clean.
    public init() {}

    // MARK: Groups

    /// True if the undo manager opens a group for each event, so that a single undo reverts all changes of the event;
    /// true by default.
    ///
    /// The group is opened by the first action, group or action name of an event, and closed by ``endEvent()``,
    /// ``undo()``, ``redo()`` or ``endUndoGrouping()``. Without a host that calls ``endEvent()``, all changes up to the
    /// next undo belong to one event, and the undo writes a message to standard error. If the property is false, the
    /// program begins and ends groups itself.
    open var groupsByEvent = true

    /// The number of open groups, including the event group. During an undo or redo, the number of groups that the
    /// handlers have begun.
    open var groupingLevel: Int { history.open.level - (history.activity == .idle ? 0 : 1) }

    /// Begins a group. Groups can be nested. If no group is open and ``groupsByEvent`` is true, the event group is
    /// opened first.
    ///
    /// Sends ``Notice/checkpoint``, unless the group is outermost, and ``Notice/didOpenGroup``.
    open func beginUndoGrouping() {
        if groupsByEvent, groupingLevel == 0, history.activity == .idle { openEventGroup() }
        if groupingLevel > 0 { checkpoint() }
        openGroup(isEvent: false)
    }

    /// Ends the innermost group. It becomes a part of the group around it; an outermost group goes onto the undo stack,
    /// unless it is empty.
    ///
    /// Sends ``Notice/checkpoint``, ``Notice/willCloseGroup`` and ``Notice/didCloseGroup(isDiscardable:)``. Without an
    /// open group the error is ``UndoError/Code/noGroupOpen``.
    open func endUndoGrouping() {
        checkpoint()
        if let closingLevel, groupingLevel <= closingLevel {
            return report(.busy, "a group was ended while it was being closed")
        }
        guard groupingLevel > 0 else { return report(.noGroupOpen, "a group was ended that was not begun") }
        closeGroup()
    }

    // MARK: Registration

    /// True unless ``disableUndoRegistration()`` is in effect.
    open var isUndoRegistrationEnabled: Bool { disableCount == 0 }

    /// Ignores registrations until ``enableUndoRegistration()`` has been called as often as this method.
    open func disableUndoRegistration() { disableCount += 1 }

    /// Reverts a call of ``disableUndoRegistration()``. If registration is not disabled, the error is
    /// ``UndoError/Code/registrationEnabled``.
    open func enableUndoRegistration() {
        guard disableCount > 0 else { return report(.registrationEnabled, "undo registration is enabled already") }
        disableCount -= 1
    }

    /// Removes all actions from both stacks and from the open groups, which stay open, and enables registration. An
    /// undo or redo in progress performs no further action.
    open func removeAllActions() {
        history.removeAll()
        hasRemovedPending = true
        removePending { _ in true }
        disableCount = 0
        settle()
    }

    /// Removes the actions of one target, and the groups that have no other actions.
    ///
    /// An undo past the place of a removed action does not restore the state before it, so a clean mark beyond that
    /// place is lost.
    ///
    /// - Parameter target: The target, an object.
    open func removeAllActions(withTarget target: Any) {
        let object = target as AnyObject
        history.removeActions { $0.target === object }
        removePending { $0.target === object }
        settle()
    }

    // MARK: Undo and redo

    /// The limit on the groups of each stack. Beyond the limit, the oldest groups are dropped. 0, the default, means no
    /// limit.
    open var levelsOfUndo: Int {
        get { history.levels }
        set {
            history.levels = newValue
            history.trim()
            settle()
        }
    }

    /// True if there is an action to undo whose target still exists. Even so, ``undo()`` is refused while groups other
    /// than the event group are open.
    open var canUndo: Bool {
        removeDead()
        return hasOpenActions || !history.undo.isEmpty
    }

    /// True if there is an action to redo whose target still exists. Sends ``Notice/checkpoint``, since pending changes
    /// empty the redo stack when they are registered.
    open var canRedo: Bool {
        checkpoint()
        return hasRedo
    }

    /// The number of times that ``undo()`` can be called before no actions are left.
    open var undoCount: Int { history.undo.liveCount + (hasOpenActions ? 1 : 0) }

    /// The number of times that ``redo()`` can be called before no actions are left.
    open var redoCount: Int { history.redo.liveCount }

    /// True while ``undo()`` or ``undoNestedGroup()`` performs actions.
    open var isUndoing: Bool { history.activity == .undoing }

    /// True while ``redo()`` performs actions.
    open var isRedoing: Bool { history.activity == .redoing }

    /// Performs the actions of the last group, even the event group, and records their inverse for redo.
    ///
    /// Without actions, does nothing. Actions whose target no longer exists are skipped. If a handler throws, the undo
    /// ends there: see ``UndoError/Code/handlerFailed``.
    ///
    /// Sends ``Notice/checkpoint``, the notices of the event group's end, ``Notice/willUndo`` and ``Notice/didUndo``.
    /// The error is ``UndoError/Code/groupOpen`` while groups other than the event group are open, and
    /// ``UndoError/Code/busy`` within an undo or redo.
    open func undo() {
        guard prepare("an undo") else { return }
        performUndo()
    }

    /// Performs the actions of the group that was undone last, and records their inverse for undo.
    ///
    /// Sends notices and errors as ``undo()`` does, with ``Notice/willRedo`` and ``Notice/didRedo``.
    open func redo() {
        guard prepare("a redo") else { return }
        performRedo()
    }

    /// Performs the actions of the last group that was ended within the innermost open group, and records their inverse
    /// for redo as one group. If no group is open, performs the actions of the last group on the undo stack.
    ///
    /// Sends ``Notice/checkpoint``, ``Notice/willUndo`` and ``Notice/didUndo``. The error is
    /// ``UndoError/Code/groupOpen`` if no group was ended in the open group since its last action.
    open func undoNestedGroup() {
        guard isIdle("an undo") else { return }
        checkpoint()
        if groupingLevel == 0 { performUndo() } else { performNestedUndo() }
    }

    // MARK: Names and other information

    /// The name of the action that an undo reverts; empty if there is none.
    open var undoActionName: String { nextUndo?.label.name ?? "" }

    /// The name of the action that a redo repeats; empty if there is none.
    open var redoActionName: String { nextRedo?.label.name ?? "" }

    /// Names the innermost open group and all groups around it, for example "Move Tile". The last name given counts.
    ///
    /// Outside of groups it opens the event group, which then gets the name; if ``groupsByEvent`` is false, it names
    /// the last group of the undo stack. The inverse of a group has the name of the group, unless a handler gives a
    /// different name during the undo. The name is ignored while registration is disabled.
    ///
    /// - Parameter actionName: The name, in the language of the user.
    open func setActionName(_ actionName: String) { updateLabel { $0.name = actionName } }

    /// The title of Undo in a menu, such as "Undo Move Tile".
    open var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }

    /// The title of Redo in a menu, such as "Redo Move Tile".
    open var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }

    /// Returns the title of Undo in a menu, in ``menuLanguage``.
    ///
    /// - Parameter actionName: The name of an action, or an empty string.
    open func undoMenuTitle(forUndoActionName actionName: String) -> String { menuLanguage.undoTitle(actionName) }

    /// Returns the title of Redo in a menu, in ``menuLanguage``.
    ///
    /// - Parameter actionName: The name of an action, or an empty string.
    open func redoMenuTitle(forUndoActionName actionName: String) -> String { menuLanguage.redoTitle(actionName) }

    /// Sets whether the latest action may be lost together with its document, like a change of the view.
    ///
    /// The latest action is the last action of the innermost open group, or the group's next action if the group is
    /// empty; outside of groups, the rules of ``setActionName(_:)`` apply. A group is discardable if all its actions
    /// are discardable, and an inverse if its original is.
    open func setActionIsDiscardable(_ discardable: Bool) {
        guard prepareLabel() else { return }
        if history.open.level > 0 {
            history.updateOpen { $0.setDiscardable(discardable) }
        } else {
            history.updateLastUndo { $0.setDiscardable(discardable) }
        }
    }

    /// True if an undo reverts only discardable actions; false if there are no actions.
    open var undoActionIsDiscardable: Bool {
        hasOpenActions ? history.open.isDiscardable : nextUndo?.isDiscardable ?? false
    }

    /// True if a redo repeats only discardable actions; false if there are no actions.
    open var redoActionIsDiscardable: Bool { nextRedo?.isDiscardable ?? false }

    /// Attaches a value, such as an icon or the time of the action, to the open groups, by the rules of
    /// ``setActionName(_:)``.
    ///
    /// - Parameters:
    ///   - info: The value; nil removes an earlier value.
    ///   - key: The key of the value.
    open func setActionUserInfoValue(_ info: Any?, forKey key: UserInfoKey) {
        // The previous values are released after the change.
        let former = (history.open.groups.map(\.label), history.undo.last?.label)
        updateLabel { $0.userInfo[key] = info }
        withExtendedLifetime(former) {}
    }

    /// Returns the value attached to the action that an undo reverts.
    open func undoActionUserInfoValue(forKey key: UserInfoKey) -> Any? { nextUndo?.label.userInfo[key] }

    /// Returns the value attached to the action that a redo repeats.
    open func redoActionUserInfoValue(forKey key: UserInfoKey) -> Any? { nextRedo?.label.userInfo[key] }
}

extension UndoManager {
    /// The key of a value that is attached to an action. Programs extend the type with their own keys.
    public struct UserInfoKey: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
        /// The string of the key.
        public let rawValue: String

        /// Creates a key.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Creates a key.
        public init(_ rawValue: String) { self.rawValue = rawValue }

        /// Creates a key.
        public init(stringLiteral value: String) { rawValue = value }
    }
}

#endif
