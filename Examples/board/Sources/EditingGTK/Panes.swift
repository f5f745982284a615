import CGtk

/// Two widgets side by side, with a handle that the user can drag.
public final class Panes: Widget {
    /// Makes the panes.
    ///
    /// - Parameters:
    ///   - first: The widget that takes the space that a larger window has.
    ///   - second: The widget that keeps its width.
    ///   - place: The initial place of the handle, in pixels.
    public init(_ first: Widget, _ second: Widget, handleAt place: Int) {
        unsafe super.init(made: gtk_paned_new(GTK_ORIENTATION_HORIZONTAL))
        unsafe gtk_paned_set_start_child(opaque, first.pointer)
        unsafe gtk_paned_set_end_child(opaque, second.pointer)
        unsafe gtk_paned_set_resize_end_child(opaque, 0)
        unsafe gtk_paned_set_position(opaque, gint(place))
    }
}

/// A row of buttons. Exactly one button is pressed.
public final class ChoiceBar: Widget {
    private var buttons: [Widget] = []
    /// Called when the user has chosen another button, with its index.
    public var onChoose: ((Int) -> Void)?

    /// Makes buttons with titles. The first one is pressed.
    public init(_ titles: [String]) {
        unsafe super.init(made: gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0))
        addStyle("linked")
        for (index, title) in titles.enumerated() {
            let button = unsafe Widget(made: gtk_toggle_button_new_with_label(title))
            let toggle = unsafe button.cast(GtkToggleButton.self)
            if let first = buttons.first {
                unsafe gtk_toggle_button_set_group(toggle, first.cast(GtkToggleButton.self))
            } else {
                unsafe gtk_toggle_button_set_active(toggle, 1)
            }
            button.setFocusable(false)
            buttons.append(button)
            unsafe Signal.connect(button.opaque, "toggled") { [weak self, weak button] in
                guard let button, unsafe gtk_toggle_button_get_active(button.cast(GtkToggleButton.self)) != 0 else {
                    return
                }
                self?.onChoose?(index)
            }
            unsafe gtk_box_append(cast(GtkBox.self), button.pointer)
        }
    }
}
