import CGtk
public import Editing

/// A click of a mouse button on a widget.
public struct Click {
    /// The number of clicks in a row: 2 for a double click.
    public let count: Int
    /// The place within the widget.
    public let x: Double, y: Double
    /// True if the control or shift key is held.
    public let extends: Bool
}

extension Widget {
    /// Calls a closure when a mouse button is pressed: 1 is the left button, 3 the right button.
    public func onPress(button: UInt32, _ body: @escaping (Click) -> Void) {
        guard let controller = unsafe gtk_gesture_click_new() else { return }
        unsafe gtk_gesture_single_set_button(controller, button)
        unsafe Signal.connectPress(controller, "pressed") { count, x, y in
            let state = unsafe gtk_event_controller_get_current_event_state(controller).rawValue
            let modifiers = GDK_CONTROL_MASK.rawValue | GDK_SHIFT_MASK.rawValue
            body(Click(count: count, x: x, y: y, extends: (state & modifiers) != 0))
        }
        unsafe gtk_widget_add_controller(pointer, controller)
    }

    /// Returns the place in another widget of the same window that a place in this widget has.
    public func place(_ x: Double, _ y: Double, in other: Widget) -> EditRectangle {
        var (otherX, otherY) = (0.0, 0.0)
        unsafe _ = gtk_widget_translate_coordinates(pointer, other.pointer, x, y, &otherX, &otherY)
        return EditRectangle(x: otherX, y: otherY)
    }
}
