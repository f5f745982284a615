import CGtk
public import Editing

/// A small window beside a part of a widget.
public final class Popover: Widget {
    private var isAttached = false
    private var isMenu = false
    private var isShown = false
    /// Called when the popover is closed.
    public var onClose: (() -> Void)?

    /// Makes a popover with the items of a menu.
    public init(menuOf menu: Menu) {
        unsafe super.init(made: gtk_popover_menu_new_from_model(menu.model))
        isMenu = true
        connect()
    }

    /// Makes a popover with a widget. It stays until the program closes it, and leaves the focus where it is.
    public init(_ child: Widget) {
        unsafe super.init(made: gtk_popover_new())
        unsafe gtk_popover_set_child(popover, child.pointer)
        unsafe gtk_popover_set_autohide(popover, 0)
        connect()
    }

    private var popover: UnsafeMutablePointer<GtkPopover> { unsafe cast(GtkPopover.self) }

    private func connect() {
        unsafe gtk_popover_set_has_arrow(popover, Application.isComposited ? 1 : 0)
        unsafe Signal.connect(opaque, "closed") { [weak self] in
            self?.isShown = false
            self?.onClose?()
        }
    }

    /// Replaces the items of a menu and their actions, whose scope is `menu`.
    func setMenu(_ menu: Menu, _ actions: [Action]) {
        guard let group = unsafe g_simple_action_group_new() else { return }
        for action in actions { unsafe g_action_map_add_action(OpaquePointer(group), action.pointer) }
        unsafe gtk_widget_insert_action_group(pointer, "menu", OpaquePointer(group))
        unsafe g_object_unref(group)
        unsafe gtk_popover_menu_set_menu_model(opaque, menu.model)
        if isAttached { showWhenSized() }
    }

    /// Shows the popover beside a rectangle of a widget, within the screen.
    public func show(on anchor: Widget, at rectangle: EditRectangle) {
        if !isAttached {
            isAttached = true
            unsafe gtk_widget_set_parent(pointer, anchor.pointer)
        }
        setPlace(rectangle)
        isShown = true
        if isMenu { showWhenSized() } else { unsafe gtk_popover_popup(popover) }
    }

    /// Shows a menu once its groups have their separators, which GTK adds when the loop is idle. A menu shown before
    /// that is too short for its last items.
    private func showWhenSized() {
        MainLoop.whenIdle { [weak self] in
            guard let self, isShown else { return }
            unsafe gtk_popover_popup(popover)
            unsafe gtk_popover_present(popover)
        }
    }

    /// Moves the popover beside another rectangle.
    public func setPlace(_ rectangle: EditRectangle) {
        var place = GdkRectangle(
            x: gint(rectangle.x), y: gint(rectangle.y), width: gint(max(rectangle.width, 1)),
            height: gint(max(rectangle.height, 1)))
        unsafe gtk_popover_set_pointing_to(popover, &place)
    }

    /// Closes the popover.
    public func close() {
        isShown = false
        unsafe gtk_popover_popdown(popover)
    }

    /// Removes the popover from its widget. This must happen before the widget is destroyed.
    public func detach() {
        guard isAttached else { return }
        isAttached = false
        unsafe gtk_widget_unparent(pointer)
    }
}
