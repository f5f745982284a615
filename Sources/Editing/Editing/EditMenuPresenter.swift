/// A rectangle of a window, in the units and with the origin of its toolkit.
public struct EditRectangle: Hashable, Sendable {
    /// The distance of the left edge.
    public var x: Double
    /// The distance of the upper edge.
    public var y: Double
    /// The width.
    public var width: Double
    /// The height.
    public var height: Double

    /// Creates a rectangle; without a size, it is a point.
    public init(x: Double, y: Double, width: Double = 0, height: Double = 0) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

/// A toolkit's menu, as ``EditMenu`` uses it: a popover of GTK, a `QMenu`.
///
/// When the user has chosen an item, the presenter calls ``EditMenu/Item/perform(sender:)``. When the menu was closed,
/// it calls ``EditMenu/hide()``. The two calls can come in either order.
public protocol EditMenuPresenter: AnyObject {
    /// Shows the items, in groups, beside a rectangle and within the screen.
    ///
    /// - Parameters:
    ///   - items: The items of each group. No group is empty.
    ///   - rectangle: The place of the selection.
    func show(_ items: [[EditMenu.Item]], at rectangle: EditRectangle)

    /// Replaces the items of the menu that is shown.
    func update(_ items: [[EditMenu.Item]])

    /// Closes the menu, if it is still open.
    func hide()
}
