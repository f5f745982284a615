import CGtk

/// A row or a column of widgets.
public final class Box: Widget {
    /// The directions of a box.
    public enum Direction { case row, column }

    /// Makes a box.
    ///
    /// - Parameters:
    ///   - direction: The direction in which widgets follow each other.
    ///   - spacing: The space between two widgets, in pixels.
    ///   - children: The widgets.
    public init(_ direction: Direction, spacing: Int = 0, _ children: [Widget] = []) {
        unsafe super.init(
            made: gtk_box_new(
                direction == .row ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL, gint(spacing)))
        for child in children { append(child) }
    }

    /// Adds a widget after the others.
    public func append(_ child: Widget) { unsafe gtk_box_append(cast(GtkBox.self), child.pointer) }
}

/// A line or a paragraph of text that cannot be edited.
public final class Label: Widget {
    /// Makes a label.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - lines: The maximum number of lines; longer text is cut off.
    public init(_ text: String = "", lines: Int = 1) {
        unsafe super.init(made: gtk_label_new(text))
        unsafe gtk_label_set_xalign(opaque, 0)
        unsafe gtk_label_set_ellipsize(opaque, PANGO_ELLIPSIZE_END)
        if lines > 1 {
            unsafe gtk_label_set_wrap(opaque, 1)
            unsafe gtk_label_set_wrap_mode(opaque, PANGO_WRAP_WORD_CHAR)
            unsafe gtk_label_set_lines(opaque, gint(lines))
            // A hyphen at the end of a line would look like a part of the text.
            let attributes = unsafe pango_attr_list_new()
            unsafe pango_attr_list_insert(attributes, pango_attr_insert_hyphens_new(0))
            unsafe gtk_label_set_attributes(opaque, attributes)
            unsafe pango_attr_list_unref(attributes)
        }
    }

    /// The text.
    public var text: String {
        get { unsafe String(cString: gtk_label_get_text(opaque)) }
        set { unsafe gtk_label_set_text(opaque, newValue) }
    }

    /// Shows text with the markup of Pango.
    public func show(markup: String) { unsafe gtk_label_set_markup(opaque, markup) }
}

/// A button with a title or an icon, which performs an action of the window or calls a closure.
public final class Button: Widget {
    /// Makes a button with a title.
    public init(_ title: String) { unsafe super.init(made: gtk_button_new_with_label(title)) }

    /// Makes a button with an icon of the theme.
    ///
    /// - Parameters:
    ///   - icon: The name of the icon.
    ///   - title: The name for assistive technologies and the tool tip.
    public init(icon: String, title: String) {
        unsafe super.init(made: gtk_button_new_from_icon_name(icon))
        setTitle(title)
    }

    /// Sets the title.
    public func setLabel(_ title: String) { unsafe gtk_button_set_label(cast(GtkButton.self), title) }

    /// Sets the name for assistive technologies, and the tool tip, of a button with an icon.
    public func setTitle(_ title: String) {
        setToolTip(title)
        setAccessibleName(title)
    }

    /// Sets the action, such as `win.copy`. The button is dimmed while the action is disabled.
    public func setAction(_ name: String) { unsafe gtk_actionable_set_action_name(opaque, name) }

    /// Calls a closure at each click.
    public func onClick(_ body: @escaping () -> Void) { unsafe Signal.connect(opaque, "clicked", body) }
}

/// A field for one line of text. GTK handles its undo, selection and clipboard.
public class TextField: Widget {
    /// The kinds of text fields.
    public enum Kind {
        /// A field for any text.
        case plain
        /// A search field with icons.
        case search
    }

    /// True if the next letter replaces the text.
    var isReplaced = false

    /// Makes an empty field.
    ///
    /// - Parameters:
    ///   - kind: The kind of field.
    ///   - placeholder: The text that is shown in the empty field, which is also the field's name for assistive
    ///     technologies.
    public init(_ kind: Kind = .plain, placeholder: String) {
        unsafe super.init(made: kind == .search ? gtk_search_entry_new() : gtk_entry_new())
        switch kind {
        case .plain: unsafe gtk_entry_set_placeholder_text(cast(GtkEntry.self), placeholder)
        case .search: unsafe g_object_set_property_string(opaque, "placeholder-text", placeholder)
        }
        setAccessibleName(placeholder)
        onKey(early: true) { [unowned self] key in
            if isReplaced, key.character != nil, !key.isControl { text = "" }
            isReplaced = false
            return false
        }
    }

    /// The text.
    public var text: String {
        get { unsafe String(cString: gtk_editable_get_text(opaque)) }
        set { unsafe gtk_editable_set_text(opaque, newValue) }
    }

    /// True if some of the text is selected.
    public var hasSelection: Bool { unsafe gtk_editable_get_selection_bounds(opaque, nil, nil) != 0 }

    /// True if the field or a part of it has the focus.
    public var isEditing: Bool {
        guard let delegate = unsafe gtk_editable_get_delegate(opaque) else { return hasFocus }
        return unsafe gtk_widget_has_focus(UnsafeMutablePointer(delegate)) != 0
    }

    /// Selects all of the text.
    public func selectAll() { unsafe gtk_editable_select_region(opaque, 0, -1) }

    /// Performs an action of the text, such as `clipboard.copy`, `text.undo` or `selection.select-all`.
    @discardableResult
    public func performTextAction(_ name: String) -> Bool {
        guard let delegate = unsafe gtk_editable_get_delegate(opaque) else { return performAction(name) }
        return unsafe gtk_widget_activate_action_variant(UnsafeMutablePointer(delegate), name, nil) != 0
    }

    /// Sets whether the field is styled as invalid.
    public func setInvalid(_ isInvalid: Bool) { isInvalid ? addStyle("error") : removeStyle("error") }

    /// Calls a closure after each change of the text. GTK's own signal of a search field comes 150 ms later.
    public func onChange(_ body: @escaping () -> Void) { unsafe Signal.connect(opaque, "changed", body) }

    /// Calls a closure after each change of the text or of its selection.
    func onEdit(_ body: @escaping () -> Void) {
        unsafe Signal.connect(opaque, "changed", body)
        unsafe Signal.connectNotify(opaque, "selection-bound", body)
    }

    /// Calls a closure when Return is pressed.
    public func onCommit(_ body: @escaping () -> Void) { unsafe Signal.connect(opaque, "activate", body) }
}

/// An area in which a larger widget can be scrolled.
public final class ScrollArea: Widget {
    /// Makes an area with its contents.
    public init(_ child: Widget) {
        unsafe super.init(made: gtk_scrolled_window_new())
        unsafe gtk_scrolled_window_set_child(opaque, child.pointer)
    }

    /// Gives the contents the width of the area, so that only their height is scrolled.
    public func scrollsOnlyVertically() {
        unsafe gtk_scrolled_window_set_policy(opaque, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
    }

    /// The distance to the upper end, in pixels.
    public var offset: Double {
        get { unsafe gtk_adjustment_get_value(gtk_scrolled_window_get_vadjustment(opaque)) }
        set { unsafe gtk_adjustment_set_value(gtk_scrolled_window_get_vadjustment(opaque), newValue) }
    }

    /// Calls a closure when the user scrolls near the lower end, or when the contents become shorter than the area.
    public func onNearEnd(_ body: @escaping () -> Void) {
        guard let adjustment = unsafe gtk_scrolled_window_get_vadjustment(opaque) else { return }
        let check: () -> Void = {
            let left = unsafe gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_value(adjustment)
            if unsafe left < gtk_adjustment_get_page_size(adjustment) * 3 { body() }
        }
        let object = OpaquePointer(adjustment)
        unsafe Signal.connect(object, "value-changed", check)
        unsafe Signal.connect(object, "changed", check)
    }
}

/// A bar above the contents, with a message and a button.
public final class MessageBar: Widget {
    private let label = Label(lines: 3)
    private var action: (() -> Void)?
    private let button = Button("")

    /// Makes a bar that is hidden.
    public init() {
        unsafe super.init(made: gtk_info_bar_new())
        unsafe gtk_info_bar_set_show_close_button(opaque, 1)
        unsafe gtk_info_bar_add_child(opaque, label.pointer)
        unsafe gtk_info_bar_add_child(opaque, button.pointer)
        label.setExpands(horizontally: true)
        unsafe gtk_info_bar_set_revealed(opaque, 0)
        isVisible = false
        unsafe Signal.connectNumber(opaque, "response") { [weak self] _ in self?.hide() }
        button.onClick { [weak self] in
            let action = self?.action
            self?.hide()
            action?()
        }
    }

    /// The message that is shown; nil if the bar is hidden.
    public private(set) var message: String?

    /// Shows a message.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - isError: True if something failed.
    ///   - title: The title of a button; nil for none.
    ///   - action: Called when the button is clicked.
    public func show(_ message: String, isError: Bool, title: String? = nil, action: (() -> Void)? = nil) {
        let message = message.prefix(1).uppercased() + message.dropFirst()
        self.message = message
        label.text = message
        setAccessibleName(message)
        button.isVisible = title != nil
        if let title { unsafe gtk_button_set_label(button.cast(GtkButton.self), title) }
        self.action = action
        unsafe gtk_info_bar_set_message_type(opaque, isError ? GTK_MESSAGE_ERROR : GTK_MESSAGE_INFO)
        isVisible = true
        unsafe gtk_info_bar_set_revealed(opaque, 1)
    }

    /// Hides the bar.
    public func hide() {
        guard message != nil else { return }
        message = nil
        action = nil
        isVisible = false
    }
}

/// Sets a string property that has no setter of its own.
func g_object_set_property_string(_ object: OpaquePointer, _ name: String, _ text: String) {
    var value = GValue()
    unsafe g_value_init(&value, GType(16 << 2))
    unsafe g_value_set_string(&value, text)
    unsafe g_object_set_property(UnsafeMutableRawPointer(object).assumingMemoryBound(to: GObject.self), name, &value)
    unsafe g_value_unset(&value)
}

extension TextField {
    /// Gives the focus to the field, whose text the next letter replaces. The text is not selected: a selection would
    /// become PRIMARY, the selection that the middle button pastes.
    public func focusToReplace() {
        focus()
        unsafe gtk_editable_set_position(opaque, -1)
        isReplaced = true
    }

    /// Appends to the field's text, and places the cursor at the end.
    public func insertAtEnd(_ addition: String) {
        text += addition
        unsafe gtk_editable_set_position(opaque, -1)
    }
}
