import CGtk

/// The dialog of the desktop in which the user chooses the place of a new file.
public enum SaveDialog {
    /// Shows the dialog, and calls a closure with the path of the file, unless the user cancels.
    ///
    /// - Parameters:
    ///   - window: The window that the dialog belongs to.
    ///   - title: The title of the dialog.
    ///   - name: The proposed name of the file.
    public static func show(
        for window: Window, title: String, name: String, _ body: @escaping (String) -> Void
    ) {
        guard
            let dialog = unsafe gtk_file_chooser_native_new(
                title, window.window, GTK_FILE_CHOOSER_ACTION_SAVE, nil, nil)
        else { return }
        unsafe gtk_file_chooser_set_current_name(dialog, name)
        unsafe Signal.connectNumber(dialog, "response") { response in
            let isAccepted = response == Int(UInt32(bitPattern: GTK_RESPONSE_ACCEPT.rawValue))
            if isAccepted, let path = unsafe path(of: dialog) { body(path) }
            MainLoop.whenIdle { unsafe g_object_unref(UnsafeMutableRawPointer(dialog)) }
        }
        unsafe gtk_native_dialog_show(UnsafeMutableRawPointer(dialog).assumingMemoryBound(to: GtkNativeDialog.self))
    }

    private static func path(of dialog: OpaquePointer) -> String? {
        guard let file = unsafe gtk_file_chooser_get_file(dialog) else { return nil }
        defer { unsafe g_object_unref(UnsafeMutableRawPointer(file)) }
        guard let path = unsafe g_file_get_path(file) else { return nil }
        defer { unsafe g_free(path) }
        return unsafe String(cString: path)
    }
}
