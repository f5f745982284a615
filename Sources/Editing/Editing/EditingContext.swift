public import Undo

/// Something that can be edited: a tile, a list, the document of a window.
///
/// Contexts form chains. A command goes to the first responder, which follows the focus of the toolkit, and from there
/// up the chain by ``next``, until a context can perform it. Contexts are not a tree of views: a program has a context
/// for each thing with commands of its own.
///
/// ```swift
/// final class TileContext: EditingContext {
///     weak var board: BoardContext?
///     let undoManager: UndoManager? = UndoManager()
///     var next: (any EditingContext)? { board }
///     var copied = 0
///
///     func canPerform(_ command: EditCommand, sender: Any?) -> Bool { [.copy, .cut].contains(command) }
///
///     func perform(_ command: EditCommand, sender: Any?) {
///         copied += 1
///         if command == .cut { board?.remove(self) }
///     }
/// }
/// ```
///
/// All members but ``next`` and ``undoManager`` have defaults: a chain that ends too early, or an undo manager that is
/// never asked, would go unnoticed. A property whose type differs from the type declared here, such as
/// `let inputView: Palette` without the question mark, is a different property, and the default applies. All members
/// are called on the thread of ``EditCenter``, and must not block.
///
/// Source: `UIResponder`, whose `canPerformAction(_:withSender:)` and actions are the two functions here.
public protocol EditingContext: AnyObject {
    /// The context that is asked after this one; nil if this context is the last.
    ///
    /// Source: `UIResponder.next`.
    var next: (any EditingContext)? { get }

    /// Returns true if the context can perform a command in its present state; by default returns false.
    ///
    /// This function is called often: whenever a menu is shown or updated.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - sender: The object that asks, such as a menu item; nil if it is unknown.
    ///
    /// Source: `UIResponder.canPerformAction(_:withSender:)`.
    func canPerform(_ command: EditCommand, sender: Any?) -> Bool

    /// Performs a command for which ``canPerform(_:sender:)`` has just returned true. Does nothing by default.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - sender: The object that gives the command; nil if it is unknown.
    func perform(_ command: EditCommand, sender: Any?)

    /// The undo manager for changes of the context; nil to use the undo manager of a later context.
    ///
    /// ``EditCenter/undoManager`` is the first undo manager up the chain.
    ///
    /// Source: `UIResponder.undoManager`.
    var undoManager: UndoManager? { get }

    /// True, the default, if the context can become the first responder.
    ///
    /// Source: `UIResponder.canBecomeFirstResponder`, which is false by default.
    var canBecomeFirstResponder: Bool { get }

    /// True, the default, if the context agrees to resign as first responder. A field with an invalid value refuses.
    ///
    /// Source: `UIResponder.canResignFirstResponder`, `NSTextFieldDelegate.control(_:textShouldEndEditing:)`.
    var canResignFirstResponder: Bool { get }

    /// Called after the context has become the first responder. Does nothing by default.
    ///
    /// Source: `UIResponder.becomeFirstResponder()`.
    func didBecomeFirstResponder()

    /// Called after the context has ceased to be the first responder. Does nothing by default.
    ///
    /// Source: `UIResponder.resignFirstResponder()`.
    func didResignFirstResponder()

    /// An object for input, such as a palette, that is shown while the context or a context before it in the chain is
    /// the first responder; nil, the default, to use the input view of a later context. See ``InputHost``.
    ///
    /// Source: `UIResponder.inputView`.
    var inputView: AnyObject? { get }

    /// An object that accompanies input, such as a bar with actions; otherwise like ``inputView``.
    ///
    /// Source: `UIResponder.inputAccessoryView`.
    var inputAccessoryView: AnyObject? { get }

    /// Returns a title that replaces the usual one of a command, such as "Delete Tile"; nil by default.
    ///
    /// Source: `UIResponder.validate(_:)`, which changes the title of a `UICommand`.
    func title(of command: EditCommand) -> String?
}

extension EditingContext {
    /// Returns false.
    public func canPerform(_ command: EditCommand, sender: Any?) -> Bool { false }

    /// Does nothing.
    public func perform(_ command: EditCommand, sender: Any?) {}

    /// True.
    public var canBecomeFirstResponder: Bool { true }

    /// True.
    public var canResignFirstResponder: Bool { true }

    /// Does nothing.
    public func didBecomeFirstResponder() {}

    /// Does nothing.
    public func didResignFirstResponder() {}

    /// No input view of the context's own.
    public var inputView: AnyObject? { nil }

    /// No accessory view of the context's own.
    public var inputAccessoryView: AnyObject? { nil }

    /// Returns nil.
    public func title(of command: EditCommand) -> String? { nil }
}
