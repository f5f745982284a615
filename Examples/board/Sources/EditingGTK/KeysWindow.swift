import CGtk

/// The window that lists the keys of a window. It takes some time to be made, and is made when it is shown.
public enum KeysWindow {
    /// A key in GTK's notation, such as `<Control>p`, and its effect.
    public typealias Line = (key: String, title: String)

    /// Shows a list of keys above a window.
    ///
    /// - Parameter groups: The keys in groups with titles.
    public static func show(above window: Window, _ groups: [(title: String, lines: [Line])]) {
        let contents = groups.map { group in
            let lines = group.lines.map { line in
                object("GtkShortcutsShortcut", property("accelerator", line.key) + property("title", line.title))
            }
            return object("GtkShortcutsGroup", property("title", group.title) + lines.joined())
        }
        let section = object(
            "GtkShortcutsSection", property("section-name", "keys") + property("max-height", "12") + contents.joined())
        // The outermost object is not the child of another.
        let text =
            "<interface><object class=\"GtkShortcutsWindow\" id=\"keys\">\(property("modal", "1"))\(section)"
            + "</object></interface>"
        guard let builder = unsafe gtk_builder_new_from_string(text, -1) else { return }
        defer { unsafe g_object_unref(UnsafeMutableRawPointer(builder)) }
        guard let keys = unsafe gtk_builder_get_object(builder, "keys") else { return }
        let overlay = unsafe UnsafeMutableRawPointer(keys).assumingMemoryBound(to: GtkWindow.self)
        unsafe gtk_window_set_transient_for(overlay, window.window)
        unsafe gtk_window_present(overlay)
    }

    private static func object(_ name: String, _ contents: String) -> String {
        "<child><object class=\"\(name)\">\(contents)</object></child>"
    }

    private static func property(_ name: String, _ value: String) -> String {
        "<property name=\"\(name)\">\(escaped(value))</property>"
    }

    private static func escaped(_ text: String) -> String {
        String(
            text.flatMap { character in
                switch character {
                case "&": Array("&amp;")
                case "<": Array("&lt;")
                case ">": Array("&gt;")
                default: [character]
                }
            })
    }
}
