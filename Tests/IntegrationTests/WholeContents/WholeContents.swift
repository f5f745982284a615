import CopyingSupport
import TestSupport

extension Sandbox {
    /// Sets two items with two representations each, one of them under an unknown name.
    func setWholeContents(of pasteboard: String = "general") async throws {
        try await require(
            "set", "-p", pasteboard, "-t", "html", "--text", "<b>x</b>", "-t", "X-Kaya/Note; v=2", "--text", "note",
            "--next", "-t", "application/rtf", "--text", "{\\rtf1}", "-t", "text", "--text", "")
    }

    /// A limit of 256 KiB on the length of a call, a sixteenth of the default. Thousands of items exceed this limit;
    /// exceeding the default takes tens of thousands of items, and most of a minute.
    static var shortCalls: [String: String?] { ["XPB_LIMIT_MESSAGE": "262144"] }
}
