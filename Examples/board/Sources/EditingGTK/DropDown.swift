import CGtk

/// A button that shows the chosen one of several titles, and all of them in a list when it is pressed.
public final class DropDown: Widget {
    /// Makes a button. The first title is chosen.
    public init(_ titles: [String]) {
        var strings: [UnsafePointer<CChar>?] = unsafe titles.map { unsafe UnsafePointer(g_strdup($0)) }
        unsafe strings.append(nil)
        unsafe super.init(made: gtk_drop_down_new_from_strings(&strings))
        unsafe strings.forEach { string in unsafe g_free(UnsafeMutableRawPointer(mutating: string)) }
    }

    /// The index of the chosen title.
    public var selected: Int {
        get { unsafe Int(gtk_drop_down_get_selected(opaque)) }
        set { unsafe gtk_drop_down_set_selected(opaque, guint(newValue)) }
    }
}
