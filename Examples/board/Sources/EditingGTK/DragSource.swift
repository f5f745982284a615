import CGtk
public import FoundationEssentials

/// A widget whose contents the user can drag to another program.
public final class DragSource {
    /// The contents, with the MIME type of each representation. Nothing is dragged while they are empty.
    public var contents: [(type: String, data: Data)] = []
    /// Called when the button is pressed, before it is known whether a drag follows.
    public var onPress: (() -> Void)?

    typealias Prepare = () -> [(type: String, data: Data)]

    /// Makes a widget a source of drags.
    public init(_ widget: Widget) {
        guard let source = unsafe gtk_drag_source_new(), let click = unsafe gtk_gesture_click_new() else { return }
        unsafe Signal.connectPress(click, "pressed") { [weak self] _, _, _ in self?.onPress?() }
        unsafe gtk_event_controller_set_propagation_phase(click, GTK_PHASE_CAPTURE)
        unsafe gtk_widget_add_controller(widget.pointer, click)

        let handler: @convention(c) (gpointer?, Double, Double, gpointer?) -> OpaquePointer? = { _, _, _, data in
            unsafe DragSource.provider(ClosureBox<Prepare>.body(data)?() ?? [])
        }
        unsafe Signal.connect(
            source, "prepare", unsafeBitCast(handler, to: GCallback.self),
            ClosureBox<Prepare>.retain { [weak self] in self?.contents ?? [] })
        unsafe gtk_widget_add_controller(widget.pointer, source)
    }

    /// Returns an object that offers the contents; nil for none.
    private static func provider(_ contents: [(type: String, data: Data)]) -> OpaquePointer? {
        guard !contents.isEmpty else { return nil }
        var providers = unsafe contents.map { content in
            let bytes = unsafe content.data.withUnsafeBytes { unsafe g_bytes_new($0.baseAddress, gsize($0.count)) }
            defer { unsafe g_bytes_unref(bytes) }
            return unsafe gdk_content_provider_new_for_bytes(content.type, bytes)
        }
        guard let union = unsafe gdk_content_provider_new_union(&providers, gsize(providers.count)) else { return nil }
        return OpaquePointer(union)
    }
}
