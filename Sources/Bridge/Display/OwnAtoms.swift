/// The names that the bridge speaks with, whoever uses it. They are told to the X server at once, and count towards no
/// limit, so that text can be copied whatever others did.
enum OwnAtoms {
    static let names =
        ["CLIPBOARD", "PRIMARY", ManagerRole.selection, ManagerRole.save, "NULL", "TEXT", "COMPOUND_TEXT"]
        + SelectionRequestor.commonTargets
}
