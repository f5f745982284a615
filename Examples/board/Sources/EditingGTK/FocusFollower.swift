import CGtk
public import Editing
public import Undo

/// The keyboard focus of a window as the first responder of an `EditCenter`.
///
/// Each widget that can be edited is registered with its context. Focus in a popover, such as a menu, is ignored, so
/// that a menu's commands go to the context that the menu was opened from.
@safe
public final class FocusFollower {
    private let center: EditCenter
    private unowned let window: Window
    private var contexts: [UnsafeMutablePointer<GtkWidget>: () -> (any EditingContext)?] = unsafe [:]
    private weak var lastWidget: Widget?
    private var widgets: [UnsafeMutablePointer<GtkWidget>: Widget] = unsafe [:]
    /// Called when a change of focus was refused, since the context with the focus has an invalid value.
    public var onRefusal: (() -> Void)?

    /// Follows the focus of a window.
    public init(center: EditCenter, window: Window) {
        self.center = center
        self.window = window
        window.onFocusChange = { [weak self] in self?.follow() }
    }

    /// Registers the context of a widget.
    ///
    /// - Parameters:
    ///   - widget: The widget, which gets the focus itself or contains a widget that does.
    ///   - context: Returns the context when the widget has the focus.
    public func register(_ widget: Widget, _ context: @escaping () -> (any EditingContext)?) {
        unsafe contexts[widget.pointer] = context
        unsafe widgets[widget.pointer] = widget
    }

    /// Makes the focused widget's context the first responder. The window calls this at each change of focus; the
    /// program calls it when the focused widget stands for another context.
    public func follow() {
        guard let focus = unsafe gtk_window_get_focus(window.window),
            unsafe gtk_widget_get_ancestor(focus, gtk_popover_get_type()) == nil
        else { return }
        var widget: UnsafeMutablePointer<GtkWidget>? = unsafe focus
        while let current = unsafe widget {
            if let context = unsafe contexts[current]?() {
                if center.makeFirstResponder(context) {
                    unsafe lastWidget = widgets[current]
                } else {
                    refuse()
                }
                return
            }
            unsafe widget = gtk_widget_get_parent(current)
        }
    }

    /// Gives the focus back, after the current change of focus has ended.
    private func refuse() {
        onRefusal?()
        MainLoop.whenIdle { [weak self] in self?.lastWidget?.focus() }
    }
}

/// The context of a text field. It forwards commands to GTK, which handles the field's selection, clipboard and undo.
public final class TextFieldContext: EditingContext {
    private unowned let field: TextField
    /// The context after this one.
    public weak var nextContext: (any EditingContext)?
    /// Returns false while the field's value is not accepted, so that the field keeps the focus; nil to accept all
    /// values.
    public var isValid: (() -> Bool)?
    /// Called when the field has lost the focus.
    public var onEnd: (() -> Void)?
    /// GTK's actions for the commands. GTK also handles the undo of typing, and reports no action names.
    private static let actions: [EditCommand: String] = [
        .cut: "clipboard.cut", .copy: "clipboard.copy", .paste: "clipboard.paste", .undo: "text.undo",
        .redo: "text.redo", .selectAll: "selection.select-all",
    ]

    /// Makes the context of a field. Changes of the field's text and selection update the states of commands.
    public init(_ field: TextField, center: EditCenter) {
        self.field = field
        field.onEdit { [weak center] in center?.setNeedsUpdate() }
    }

    /// The context after the field.
    public var next: (any EditingContext)? { nextContext }
    /// The undo manager of a later context.
    public var undoManager: UndoManager? { nil }

    /// False while the value is not accepted.
    public var canResignFirstResponder: Bool { isValid?() ?? true }

    /// Returns true for the commands that a text field handles itself.
    public func canPerform(_ command: EditCommand, sender: Any?) -> Bool {
        switch command {
        case .copy, .cut: field.hasSelection
        // An empty field leaves undo to the context after it.
        case .undo, .redo: !field.text.isEmpty
        default: Self.actions[command] != nil
        }
    }

    /// Performs a command of the text field.
    public func perform(_ command: EditCommand, sender: Any?) {
        if let action = Self.actions[command] { field.performTextAction(action) }
    }

    /// Tells the program that the editing has ended.
    public func didResignFirstResponder() { onEnd?() }
}
