#if !canImport(Darwin)

public import Foundation
public import Undo

/// A recorder of changes, for undo and redo, under the name and by the rules of Foundation's class.
///
/// The class is that of the module `Undo`, with the two things that need Foundation: the notifications, and groups that
/// end with the turn of the main run loop.
///
/// An undo manager is used on one thread. Apple's class belongs to the main actor, so code for it may pass a reference
/// to another thread, without using it there. This class is sendable for that code, and the compiler does not check its
/// use.
///
/// Source: `UndoManager`.
open class UndoManager: Undo.UndoManager, @unchecked Sendable {
    private var observation: Observation?
    /// True if the end of the event was requested already.
    private var isEnding = false

    /// Creates an undo manager without actions.
    ///
    /// If it is used on the main thread, each event group ends with the turn of the run loop. A thread without a run
    /// loop ends groups by `endEvent()`.
    public override init() {
        super.init()
        observation = observe { [unowned self] notice in post(notice) }
        onEventGroupOpened = { [unowned self] in endEventLater() }
    }

    /// The modes of the run loop in which groups end. On Linux they end in every mode.
    open var runLoopModes: [RunLoop.Mode] = [.default]

    private func endEventLater() {
        // The main run loop must not touch the undo manager of another thread.
        guard !isEnding, MainThread.isCurrent else { return }
        isEnding = true
        MainThread.performInRunLoop { [weak self] in
            self?.isEnding = false
            self?.endEvent()
        }
    }

    private func post(_ notice: Notice) {
        if case .failed(let error) = notice { Diagnostics.report("UndoManager: \(error)") }
        guard let name = Self.name(of: notice) else { return }
        var information: [AnyHashable: Any]?
        if case .didCloseGroup(let isDiscardable) = notice, isDiscardable {
            information = [NSUndoManagerGroupIsDiscardableKey: true]
        }
        NotificationCenter.default.post(name: name, object: self, userInfo: information)
    }

    private static func name(of notice: Notice) -> Notification.Name? {
        switch notice {
        case .checkpoint: .NSUndoManagerCheckpoint
        case .didOpenGroup: .NSUndoManagerDidOpenUndoGroup
        case .willCloseGroup: .NSUndoManagerWillCloseUndoGroup
        case .didCloseGroup: .NSUndoManagerDidCloseUndoGroup
        case .willUndo: .NSUndoManagerWillUndoChange
        case .didUndo: .NSUndoManagerDidUndoChange
        case .willRedo: .NSUndoManagerWillRedoChange
        case .didRedo: .NSUndoManagerDidRedoChange
        case .didChange, .failed: nil
        }
    }
}

/// Undo managers are compared by identity.
extension UndoManager: Hashable {
    /// Returns true if both are the same undo manager.
    public static func == (one: UndoManager, other: UndoManager) -> Bool { one === other }

    /// Adds the identity of the undo manager to a hash.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The key of a Boolean value in the information of `NSUndoManagerDidCloseUndoGroup`: true if all actions of the group
/// are discardable.
public let NSUndoManagerGroupIsDiscardableKey = "NSUndoManagerGroupIsDiscardableKey"

extension Notification.Name {
    /// Posted before a group is opened within another or closed, and before an undo or redo.
    public static let NSUndoManagerCheckpoint = Notification.Name("NSUndoManagerCheckpointNotification")
    /// Posted after a group was opened.
    public static let NSUndoManagerDidOpenUndoGroup = Notification.Name("NSUndoManagerDidOpenUndoGroupNotification")
    /// Posted before a group is closed.
    public static let NSUndoManagerWillCloseUndoGroup = Notification.Name("NSUndoManagerWillCloseUndoGroupNotification")
    /// Posted after a group was closed.
    public static let NSUndoManagerDidCloseUndoGroup = Notification.Name("NSUndoManagerDidCloseUndoGroupNotification")
    /// Posted before an undo.
    public static let NSUndoManagerWillUndoChange = Notification.Name("NSUndoManagerWillUndoChangeNotification")
    /// Posted after an undo.
    public static let NSUndoManagerDidUndoChange = Notification.Name("NSUndoManagerDidUndoChangeNotification")
    /// Posted before a redo.
    public static let NSUndoManagerWillRedoChange = Notification.Name("NSUndoManagerWillRedoChangeNotification")
    /// Posted after a redo.
    public static let NSUndoManagerDidRedoChange = Notification.Name("NSUndoManagerDidRedoChangeNotification")
}

#endif
