import CGtk
public import Editing

/// An input view or accessory view that is not itself a widget, such as a view that plays clicks.
public protocol WidgetProviding: AnyObject {
    /// The widget that is shown.
    var widget: Widget { get }
}

/// The views of the first responder in a window: the accessory view as a bar below the contents, the input view as a
/// popover beside the edited object.
public final class InputArea: InputPresenter {
    /// The widget that the bar appears in, to be placed below the contents.
    public let bar: Widget
    private unowned let anchor: Widget
    private let place: () -> EditRectangle
    private var popover: Popover?
    private var accessory: Widget?

    /// Makes an area without views.
    ///
    /// - Parameters:
    ///   - anchor: The widget whose coordinates the place uses.
    ///   - place: Returns the place of the edited object.
    public init(anchor: Widget, place: @escaping () -> EditRectangle) {
        unsafe bar = Widget(made: gtk_action_bar_new())
        self.anchor = anchor
        self.place = place
        bar.isVisible = false
    }

    /// Shows views instead of the previous views.
    public func present(inputView: AnyObject?, accessoryView: AnyObject?) {
        if let former = accessory { unsafe gtk_action_bar_remove(bar.opaque, former.pointer) }
        accessory = Self.widget(of: accessoryView)
        if let accessory { unsafe gtk_action_bar_pack_start(bar.opaque, accessory.pointer) }
        bar.isVisible = accessory != nil

        popover?.close()
        popover?.detach()
        popover = Self.widget(of: inputView).map(Popover.init)
        popover?.show(on: anchor, at: place())
    }

    private static func widget(of view: AnyObject?) -> Widget? {
        view as? Widget ?? (view as? any WidgetProviding)?.widget
    }

    /// Moves the input view to the edited object.
    public func updatePlace() { popover?.setPlace(place()) }

    /// Removes the views. This must happen before the window is destroyed.
    public func close() { present(inputView: nil, accessoryView: nil) }

    /// Plays the bell of the display.
    public func playClick() { Application.beep() }
}
