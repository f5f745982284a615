/// A rectangle of a window, in the units and with the origin of its toolkit.
public struct EditRectangle: Hashable, Sendable {
    /// The distance of the left edge from the origin.
    public var x: Double
    /// The distance of the upper edge from the origin.
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

/// A toolkit's menu that ``EditMenu`` shows, such as a GTK popover or a `QMenu`.
///
/// When the user has chosen an item, the presenter calls ``EditMenu/Item/perform(sender:)``. When the menu has closed,
/// it calls ``EditMenu/hide()``. The two calls can come in either order.
public protocol EditMenuPresenter: AnyObject {
    /// Shows the items, in groups, beside a rectangle and within the screen.
    ///
    /// - Parameters:
    ///   - items: The items of each group. No group is empty.
    ///   - rectangle: The place of the selection.
    func show(_ items: [[EditMenu.Item]], at rectangle: EditRectangle)

    /// Replaces the items of the visible menu.
    func update(_ items: [[EditMenu.Item]])

    /// Closes the menu, if it is still open.
    func hide()
}
