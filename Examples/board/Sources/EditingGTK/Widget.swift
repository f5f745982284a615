import CGtk

/// A GTK widget. This object holds one reference to the GTK widget; the widget's container holds another.
///
/// The objects of this library belong to the thread of the main loop.
@safe
open class Widget {
    let pointer: UnsafeMutablePointer<GtkWidget>
    /// Objects that live as long as this widget, such as objects that its handlers use.
    public var retained: [AnyObject] = []

    /// Takes ownership of a new widget.
    init(_ pointer: UnsafeMutablePointer<GtkWidget>) {
        unsafe self.pointer = pointer
        unsafe g_object_ref_sink(pointer)
    }

    /// Takes ownership of a new widget that a function has returned as an implicitly unwrapped pointer.
    init(made pointer: UnsafeMutablePointer<GtkWidget>?) {
        guard let pointer = unsafe pointer else { preconditionFailure("GTK made no widget") }
        unsafe self.pointer = pointer
        unsafe g_object_ref_sink(pointer)
    }

    deinit { unsafe g_object_unref(pointer) }

    /// The widget as an object of an opaque type.
    var opaque: OpaquePointer { unsafe OpaquePointer(pointer) }

    /// Returns the widget as an instance of one of its types.
    func cast<Instance>(_ type: Instance.Type) -> UnsafeMutablePointer<Instance> {
        unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: type)
    }

    // MARK: Properties

    /// True if the widget is shown whenever its containers are.
    public var isVisible: Bool {
        get { unsafe gtk_widget_get_visible(pointer) != 0 }
        set { unsafe gtk_widget_set_visible(pointer, newValue ? 1 : 0) }
    }

    /// True if the user can use the widget; otherwise it is dimmed.
    public var isEnabled: Bool {
        get { unsafe gtk_widget_get_sensitive(pointer) != 0 }
        set { unsafe gtk_widget_set_sensitive(pointer, newValue ? 1 : 0) }
    }

    /// The size that the layout gave to the widget.
    public var size: (width: Int, height: Int) {
        unsafe (Int(gtk_widget_get_width(pointer)), Int(gtk_widget_get_height(pointer)))
    }

    /// True if the widget has the keyboard focus.
    public var hasFocus: Bool { unsafe gtk_widget_has_focus(pointer) != 0 }

    /// Sets whether the widget can have the keyboard focus.
    public func setFocusable(_ isFocusable: Bool) { unsafe gtk_widget_set_focusable(pointer, isFocusable ? 1 : 0) }

    /// Gives the keyboard focus to the widget.
    public func focus() { unsafe _ = gtk_widget_grab_focus(pointer) }

    /// Sets whether the widget takes the remaining space of its container.
    public func setExpands(horizontally: Bool = false, vertically: Bool = false) {
        unsafe gtk_widget_set_hexpand(pointer, horizontally ? 1 : 0)
        unsafe gtk_widget_set_vexpand(pointer, vertically ? 1 : 0)
    }

    /// Sets the space around the widget, in pixels.
    public func setMargins(horizontal: Int, vertical: Int) {
        unsafe gtk_widget_set_margin_start(pointer, gint(horizontal))
        unsafe gtk_widget_set_margin_end(pointer, gint(horizontal))
        unsafe gtk_widget_set_margin_top(pointer, gint(vertical))
        unsafe gtk_widget_set_margin_bottom(pointer, gint(vertical))
    }

    /// Sets the text that is shown when the pointer rests on the widget.
    public func setToolTip(_ text: String) { unsafe gtk_widget_set_tooltip_text(pointer, text) }

    /// Adds a class of the style sheet.
    public func addStyle(_ name: String) { unsafe gtk_widget_add_css_class(pointer, name) }

    /// Removes a class of the style sheet.
    public func removeStyle(_ name: String) { unsafe gtk_widget_remove_css_class(pointer, name) }

    /// Sets the widget's name for assistive technologies.
    public func setAccessibleName(_ name: String) {
        var property = GTK_ACCESSIBLE_PROPERTY_LABEL
        var value = GValue()
        unsafe g_value_init(&value, GType(16 << 2))
        unsafe g_value_set_string(&value, name)
        unsafe gtk_accessible_update_property_value(opaque, 1, &property, &value)
        unsafe g_value_unset(&value)
    }

    /// Sets the name of the widget's container for assistive technologies.
    public func setAccessibleNameOfContainer(_ name: String) {
        guard let parent = unsafe gtk_widget_get_parent(pointer) else { return }
        unsafe Widget(parent).setAccessibleName(name)
    }

    /// Draws the widget again.
    public func redraw() { unsafe gtk_widget_queue_draw(pointer) }

    /// Performs one of the widget's own actions, such as `clipboard.copy` of a text field.
    ///
    /// - Returns: False if the widget has no such action, or if the action is disabled.
    @discardableResult
    public func performAction(_ name: String) -> Bool {
        unsafe gtk_widget_activate_action_variant(pointer, name, nil) != 0
    }

    /// Calls a closure with each key that is pressed while the widget, or a widget within it, has the focus.
    ///
    /// - Parameters:
    ///   - early: True to handle keys before the widgets within do.
    ///   - body: Returns true if it has handled the key.
    public func onKey(early: Bool = false, _ body: @escaping (Key) -> Bool) {
        guard let controller = unsafe gtk_event_controller_key_new() else { return }
        if early { unsafe gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE) }
        unsafe Signal.connectKey(controller, "key-pressed") { key, modifiers in
            body(Key(value: key, modifiers: modifiers))
        }
        unsafe gtk_widget_add_controller(pointer, controller)
    }
}

/// A key that was pressed.
public struct Key: Equatable, Sendable {
    /// The number of the key's symbol on X11.
    public let value: UInt32
    /// The modifier keys.
    let modifiers: UInt32

    /// True if the control key is held.
    public var isControl: Bool { modifiers & GDK_CONTROL_MASK.rawValue != 0 }
    /// True if the shift key is held.
    public var isShift: Bool { modifiers & GDK_SHIFT_MASK.rawValue != 0 }

    /// The Return keys.
    public static let returns: Set<UInt32> = [0xff0d, 0xff8d, 0xfe34]
    /// The Escape key.
    public static let escape: UInt32 = 0xff1b
    /// The Delete key.
    public static let delete: UInt32 = 0xffff
    /// The arrow keys.
    public static let left: UInt32 = 0xff51, up: UInt32 = 0xff52, right: UInt32 = 0xff53, down: UInt32 = 0xff54
    /// The keys that move by a page.
    public static let pageUp: UInt32 = 0xff55, pageDown: UInt32 = 0xff56
    /// The keys that move to the beginning and the end.
    public static let home: UInt32 = 0xff50, end: UInt32 = 0xff57
    /// The Menu key.
    public static let menu: UInt32 = 0xff67
    /// The F10 key.
    public static let f10: UInt32 = 0xffc7
    /// The Tab key.
    public static let tab: UInt32 = 0xff09

    /// The character that the key stands for; nil for other keys.
    public var character: Character? {
        let code = gdk_keyval_to_unicode(value)
        guard code >= 0x20, code != 0x7f, let scalar = Unicode.Scalar(code) else { return nil }
        return Character(scalar)
    }
}
