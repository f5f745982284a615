/// The names that the bridge speaks with, whoever uses it. They are told to the X server at once, and count towards no
/// limit, so that text can be copied whatever others did.
enum OwnAtoms {
    package static let names =
        [
            "CLIPBOARD", "PRIMARY", ClipboardManagerProtocol.selection, ClipboardManagerProtocol.saveTargets, "NULL",
            "TEXT", "COMPOUND_TEXT",
        ]
        + SelectionRequestor.commonTargets
}

/// The names of freedesktop.org's "Clipboard Manager Specification".
package enum ClipboardManagerProtocol {
    /// The selection of the display's clipboard manager.
    package static let selection = "CLIPBOARD_MANAGER"
    /// The target by which a program that is about to end has its contents saved.
    package static let saveTargets = "SAVE_TARGETS"
}
