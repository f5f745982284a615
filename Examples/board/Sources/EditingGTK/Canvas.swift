import CGtk
public import Editing

/// A widget that a program draws itself.
public class Canvas: Widget {
    typealias Draw = (Drawing) -> Void

    /// Makes a canvas.
    ///
    /// - Parameters:
    ///   - title: The name for assistive technologies.
    ///   - isFocusable: True if the canvas can have the keyboard focus.
    ///   - draw: Draws the contents.
    public init(title: String, isFocusable: Bool = true, draw: @escaping (Drawing) -> Void) {
        unsafe super.init(made: gtk_drawing_area_new())
        setFocusable(isFocusable)
        setAccessibleName(title)
        let call: GtkDrawingAreaDrawFunc = { _, context, width, height, data in
            guard let context = unsafe context else { return }
            unsafe ClosureBox<Draw>.body(data)?(Drawing(context, width: Double(width), height: Double(height)))
        }
        unsafe gtk_drawing_area_set_draw_func(
            cast(GtkDrawingArea.self), call, ClosureBox<Draw>.retain(draw),
            { data in unsafe ClosureBox<Draw>.release(data) })
    }

    /// Sets the size of the contents. They are scrolled if the canvas is smaller.
    public func setContentSize(width: Int, height: Int) {
        unsafe gtk_drawing_area_set_content_width(cast(GtkDrawingArea.self), gint(width))
        unsafe gtk_drawing_area_set_content_height(cast(GtkDrawingArea.self), gint(height))
    }

    /// Calls closures during a drag with the left button.
    ///
    /// - Parameters:
    ///   - begin: Called with the place where the button was pressed.
    ///   - move: Called with the distance from there, at each motion.
    ///   - end: Called when the button is released.
    public func onDrag(
        begin: @escaping (Double, Double) -> Void, move: @escaping (Double, Double) -> Void,
        end: @escaping () -> Void
    ) {
        guard let gesture = unsafe gtk_gesture_drag_new() else { return }
        unsafe Signal.connectPoint(gesture, "drag-begin", begin)
        unsafe Signal.connectPoint(gesture, "drag-update", move)
        unsafe Signal.connectPoint(gesture, "drag-end") { _, _ in end() }
        unsafe gtk_widget_add_controller(pointer, gesture)
    }
}

/// A surface to draw on, within a call of the toolkit.
@safe
public final class Drawing {
    private let context: OpaquePointer
    /// The size of the surface.
    public let width: Double, height: Double

    init(_ context: OpaquePointer, width: Double, height: Double) {
        unsafe self.context = context
        self.width = width
        self.height = height
    }

    /// A color, with components from 0 to 1.
    public struct Color: Sendable {
        let red: Double, green: Double, blue: Double, alpha: Double

        /// Makes a color.
        public init(_ red: Double, _ green: Double, _ blue: Double, _ alpha: Double = 1) {
            self.red = red
            self.green = green
            self.blue = blue
            self.alpha = alpha
        }
    }

    /// Fills the whole surface.
    public func fill(_ color: Color) {
        set(color)
        unsafe cairo_paint(context)
    }

    /// Fills a rectangle with round corners.
    public func fill(_ rectangle: EditRectangle, corners: Double, _ color: Color) {
        outline(rectangle, corners)
        set(color)
        unsafe cairo_fill(context)
    }

    /// Draws the edge of a rectangle with round corners.
    public func stroke(_ rectangle: EditRectangle, corners: Double, _ color: Color, width: Double) {
        outline(rectangle, corners)
        set(color)
        unsafe cairo_set_line_width(context, width)
        unsafe cairo_stroke(context)
    }

    /// Draws text within a rectangle, on several lines, and cuts off the text that does not fit.
    public func text(_ text: String, in rectangle: EditRectangle, _ color: Color, font: String = "Sans 10") {
        unsafe layOut(in: rectangle, color, font) { layout in unsafe pango_layout_set_text(layout, text, -1) }
    }

    /// Draws text with the markup of Pango, as ``text(_:in:_:font:)`` does.
    public func text(markup: String, in rectangle: EditRectangle, _ color: Color, font: String = "Sans 10") {
        unsafe layOut(in: rectangle, color, font) { layout in unsafe pango_layout_set_markup(layout, markup, -1) }
    }

    private func layOut(
        in rectangle: EditRectangle, _ color: Color, _ font: String, _ setText: (OpaquePointer) -> Void
    ) {
        guard let layout = unsafe pango_cairo_create_layout(context) else { return }
        defer { unsafe g_object_unref(UnsafeMutableRawPointer(layout)) }
        let description = unsafe pango_font_description_from_string(font)
        unsafe pango_layout_set_font_description(layout, description)
        unsafe pango_font_description_free(description)
        unsafe setText(layout)
        unsafe pango_layout_set_width(layout, gint(rectangle.width * Double(PANGO_SCALE)))
        unsafe pango_layout_set_height(layout, gint(rectangle.height * Double(PANGO_SCALE)))
        unsafe pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        unsafe pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
        set(color)
        unsafe cairo_move_to(context, rectangle.x, rectangle.y)
        unsafe pango_cairo_show_layout(context, layout)
    }

    /// Draws a picture within a rectangle, scaled to fit and centered.
    public func picture(_ picture: Picture, in rectangle: EditRectangle) {
        let scale = min(rectangle.width / Double(picture.width), rectangle.height / Double(picture.height))
        let (width, height) = (Double(picture.width) * scale, Double(picture.height) * scale)
        unsafe cairo_save(context)
        unsafe cairo_translate(
            context, rectangle.x + (rectangle.width - width) / 2, rectangle.y + (rectangle.height - height) / 2)
        unsafe cairo_scale(context, scale, scale)
        unsafe gdk_cairo_set_source_pixbuf(context, picture.pixbuf, 0, 0)
        unsafe cairo_paint(context)
        unsafe cairo_restore(context)
    }

    private func set(_ color: Color) {
        unsafe cairo_set_source_rgba(context, color.red, color.green, color.blue, color.alpha)
    }

    private func outline(_ rectangle: EditRectangle, _ corners: Double) {
        let radius = min(corners, rectangle.width / 2, rectangle.height / 2)
        let (left, top) = (rectangle.x + radius, rectangle.y + radius)
        let (right, bottom) = (rectangle.x + rectangle.width - radius, rectangle.y + rectangle.height - radius)
        unsafe cairo_new_sub_path(context)
        unsafe cairo_arc(context, right, top, radius, -Double.pi / 2, 0)
        unsafe cairo_arc(context, right, bottom, radius, 0, Double.pi / 2)
        unsafe cairo_arc(context, left, bottom, radius, Double.pi / 2, Double.pi)
        unsafe cairo_arc(context, left, top, radius, Double.pi, Double.pi * 1.5)
        unsafe cairo_close_path(context)
    }
}
