/// The names that the bridge speaks with, whoever uses it. They are told to the X server at once, and count towards no
/// limit, so that text can be copied whatever others did.
enum OwnAtoms {
    static let names = [
        "CLIPBOARD", "PRIMARY", ManagerRole.selection, ManagerRole.save, "MANAGER", "NULL", "_XPB_TIME",
        "_XPB_TRANSFER",
        "UTF8_STRING", "STRING", "TEXT", "COMPOUND_TEXT", "text/plain", "text/plain;charset=utf-8", "text/html",
        "text/uri-list", "image/png", "x-kde-passwordManagerHint", "org.nspasteboard.ConcealedType",
    ]
}
