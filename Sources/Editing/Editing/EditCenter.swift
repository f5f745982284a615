public import Undo

/// The first responder of a window, and the route of commands from there.
///
/// A toolkit's host makes a center for each window, reports the focus to it, gives it the commands of keys and menus,
/// and shows their states:
///
/// ```swift
/// let center = EditCenter()
/// center.rootContext = board
/// center.makeFirstResponder(tile)
/// center.perform(.copy)
/// ```
///
/// A command goes to the first responder, up its chain (``EditingContext/next``), and then to ``rootContext``; the
/// first context that can perform it does. Undo and redo need no code in contexts: the first
/// ``EditingContext/undoManager`` up the chain performs them, unless a context before it claims the command, like a
/// text field with its own undo.
///
/// A chain ends where it leads back to one of its contexts, or after ``maxContexts`` contexts.
///
/// A center is used from one thread, that of the window's loop. Like `UndoManager`, it has no locks, belongs to no
/// actor and is not `Sendable`. It keeps no context alive.
///
/// Source: the responder chain of UIKit, `UIWindow.firstResponder`, `NSWindow.makeFirstResponder(_:)`, and
/// `UIApplication.sendAction(_:to:from:for:)`.
public final class EditCenter {
    /// The limit on the contexts of a chain.
    public static let maxContexts = 256
    /// The limit on nested changes of the first responder; deeper changes are refused.
    static let maxNestedChanges = 8
    /// The limit on how often observers run for one call if they call ``setNeedsUpdate()`` themselves.
    static let maxImmediateUpdates = 16

    private weak var responder: (any EditingContext)?
    /// The number of changes of the first responder, for detecting nested changes.
    private var responderChanges = 0
    private var nestedChanges = 0

    private var observers: [Observer] = []
    private var observerCount = 0
    private var isUpdatePending = false
    private var isUpdating = false
    private weak var observedManager: UndoManager?
    private var managerObservation: UndoManager.Observation?

    /// Creates a center without contexts.
    public init() {}

    // MARK: Contexts

    /// The window's own context: the end of every chain, and its beginning while there is no first responder.
    public weak var rootContext: (any EditingContext)? {
        didSet { setNeedsUpdate() }
    }

    /// The context that commands reach first; nil if no context was set, or if the context no longer exists.
    public var firstResponder: (any EditingContext)? { responder }

    /// Makes a context the first responder; call it when the context has received the focus.
    ///
    /// The former first responder is asked for its consent (``EditingContext/canResignFirstResponder``). Then it is
    /// notified (``EditingContext/didResignFirstResponder()``), and after it the new one
    /// (``EditingContext/didBecomeFirstResponder()``). Both contexts may call this method in turn, nested up to 8 deep;
    /// the last call wins.
    ///
    /// - Parameter context: The context; nil for no first responder.
    /// - Returns: True if the context is now the first responder. False if it cannot become the first responder, or if
    ///   the former first responder refuses to resign; then nothing changes, and the host should leave the focus where
    ///   it was.
    ///
    /// Source: `NSWindow.makeFirstResponder(_:)`, `UIResponder.becomeFirstResponder()`.
    @discardableResult
    public func makeFirstResponder(_ context: (any EditingContext)?) -> Bool {
        if context === responder {
            // The former first responder may have been released without a notice.
            if context == nil { setNeedsUpdate() }
            // During a change there is no first responder, and this call overrides the change.
            if context == nil, nestedChanges > 0 { responderChanges += 1 }
            return true
        }
        guard nestedChanges < Self.maxNestedChanges else { return false }
        nestedChanges += 1
        defer { nestedChanges -= 1 }

        let before = responderChanges
        guard context?.canBecomeFirstResponder ?? true, responder?.canResignFirstResponder ?? true else { return false }
        guard responderChanges == before else { return context === responder }

        responderChanges += 1
        let change = responderChanges
        let former = responder
        responder = nil
        former?.didResignFirstResponder()
        guard responderChanges == change else { return context === responder }

        responder = context
        context?.didBecomeFirstResponder()
        setNeedsUpdate()
        return context === responder
    }

    /// The contexts that a command goes to, in order and without duplicates.
    var chain: [any EditingContext] {
        var chain: [any EditingContext] = []
        var seen: Set<ObjectIdentifier> = []
        for start in [responder, rootContext] {
            var context = start
            while let next = context, chain.count < Self.maxContexts, seen.insert(ObjectIdentifier(next)).inserted {
                chain.append(next)
                context = next.next
            }
        }
        return chain
    }

    /// The first undo manager up the chain, which records the changes of the first responder.
    public var undoManager: UndoManager? { chain.lazy.compactMap(\.undoManager).first }

    // MARK: Commands

    /// The language of titles; by default that of the program's environment. It also applies to the titles of Undo and
    /// Redo, instead of the undo manager's language.
    public var menuLanguage = UndoManager.MenuLanguage.environment {
        didSet { setNeedsUpdate() }
    }

    /// Returns the context that performs a command: the first context up the chain that can. For undo and redo, this
    /// may be the context with the undo manager. Returns nil if the command cannot be performed.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - sender: The object that asks; contexts receive it.
    ///
    /// Source: `UIApplication.target(forAction:withSender:)`, `NSApplication.target(forAction:to:from:)`.
    public func target(of command: EditCommand, sender: Any? = nil) -> (any EditingContext)? {
        guard let target = commandTarget(of: command, sender: sender) else { return nil }
        return target.canPerform(command, sender: sender, isFound: true) ? target.context : nil
    }

    /// Returns the title of a command and whether it can be performed.
    ///
    /// The title comes from the target (``EditingContext/title(of:)``), else from the undo manager, else from the
    /// command. If the command cannot be performed, any context up the chain may give the title.
    public func state(of command: EditCommand) -> CommandState {
        state(of: command, target: commandTarget(of: command, sender: nil))
    }

    func state(of command: EditCommand, target: CommandTarget?) -> CommandState {
        let isEnabled = target?.canPerform(command, sender: nil, isFound: true) ?? false
        let naming = isEnabled ? target.flatMap(\.context).map { [$0] } ?? [] : chain
        let title =
            naming.lazy.compactMap { $0.title(of: command) }.first
            ?? target?.undoTitle(of: command, in: menuLanguage) ?? command.title(in: menuLanguage)
        return CommandState(title: title, isEnabled: isEnabled)
    }

    /// Performs a command on the context that is its target at the time of the call.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - sender: The object that gives the command; contexts receive it.
    /// - Returns: False if no context can perform the command, or if the undo manager has reported an error to its
    ///   observers (`UndoManager.Notice.failed`), for example because a handler threw. The center remains usable.
    ///
    /// Source: `UIApplication.sendAction(_:to:from:for:)`.
    @discardableResult
    public func perform(_ command: EditCommand, sender: Any? = nil) -> Bool {
        guard let target = commandTarget(of: command, sender: sender) else { return false }
        return perform(command, sender: sender, on: target, isFound: true)
    }

    func perform(_ command: EditCommand, sender: Any?, on target: CommandTarget, isFound: Bool) -> Bool {
        defer { setNeedsUpdate() }
        return target.perform(command, sender: sender, isFound: isFound)
    }

    /// Returns the first context up the chain that performs a command, or, for undo and redo, the first undo manager.
    func commandTarget(of command: EditCommand, sender: Any?) -> CommandTarget? {
        let isUndo = command == .undo || command == .redo
        for context in chain {
            if context.canPerform(command, sender: sender) { return CommandTarget(context: context) }
            guard isUndo, let manager = context.undoManager else { continue }
            return CommandTarget(context: context, undoManager: manager)
        }
        return nil
    }

    // MARK: Observation

    /// The function that runs a closure in a later turn of the loop, for example from an idle source. With nil, the
    /// default, observers run within ``setNeedsUpdate()``, possibly in the middle of a change.
    public var scheduleUpdate: ((@escaping () -> Void) -> Void)?

    /// Reports that states of commands may have changed, for example after a change of the selection. Observers then
    /// run; if ``scheduleUpdate`` is set, they run once for all calls in the same event.
    ///
    /// The center itself calls this for a new first responder, after a command, and when the first undo manager up the
    /// chain has changed, but not when a context is released.
    ///
    /// Source: `UIMenuSystem.setNeedsRevalidate()`.
    public func setNeedsUpdate() {
        guard !isUpdatePending else { return }
        isUpdatePending = true
        if let scheduleUpdate {
            scheduleUpdate { [weak self] in self?.update() }
        } else if !isUpdating {
            updateAtOnce()
        }
    }

    /// Calls a closure whenever states of commands may have changed.
    ///
    /// - Parameter body: The closure. It may use the center and cancel observations. If it calls ``setNeedsUpdate()``,
    ///   all observers run once more, in a later event if ``scheduleUpdate`` is set.
    /// - Returns: The observation; keep it for as long as you want notices.
    public func observe(_ body: @escaping () -> Void) -> Observation {
        observerCount += 1
        observers.append(Observer(number: observerCount, body: body))
        observeUndoManager()
        return Observation(of: self, number: observerCount)
    }

    private func updateAtOnce() {
        isUpdating = true
        for _ in 0..<Self.maxImmediateUpdates where isUpdatePending { update() }
        isUpdating = false
        isUpdatePending = false
    }

    private func update() {
        isUpdatePending = false
        observeUndoManager()
        for observer in observers where observers.contains(where: { $0.number == observer.number }) { observer.body() }
    }

    private func observeUndoManager() {
        let manager = undoManager
        guard manager !== observedManager || manager == nil else { return }
        observedManager = manager
        managerObservation = manager?.observe { [weak self] notice in
            if case .didChange = notice { self?.setNeedsUpdate() }
        }
    }

    private struct Observer {
        let number: Int
        let body: () -> Void
    }

    /// An observation of a center. Its closure is called until ``cancel()`` is called or the observation is released.
    public final class Observation {
        private weak var center: EditCenter?
        private let number: Int

        fileprivate init(of center: EditCenter, number: Int) {
            self.center = center
            self.number = number
        }

        deinit { cancel() }

        /// Ends the observation. The closure itself may call this method.
        public func cancel() {
            guard let center else { return }
            // The closure is released after the change, since releasing its captures may cancel other observations.
            let former = center.observers
            center.observers = former.filter { $0.number != number }
            withExtendedLifetime(former) {}
        }
    }
}
