import TestSupport

/// Why a cell is a dash: what cannot be, and not by a fault that its test is to find.
///
/// A dash is held to what it says: its test passes only while the cell does fail.
enum KnownLimit: CaseIterable, Sendable {
    case tkSendsCutCharacters

    /// The footnote.
    var reason: String {
        switch self {
        case .tkSendsCutCharacters:
            "Tk sends pieces of 4,000 bytes, and one that ends within a character of four bytes is wrong. It is so with xclip "
                + "as the reader as well."
        }
    }

    /// What becomes of a paste in such a cell.
    var verdict: Verdict {
        switch self {
        case .tkSendsCutCharacters: .different(reason)
        }
    }

    /// Where the fault is a toolkit's: what becomes of the same paste between other programs, without xpb.
    var control: (@Sendable (Sandbox) async throws -> Verdict)? {
        switch self {
        case .tkSendsCutCharacters:
            { sandbox in
                try await sandbox.owning(.tk, [("text", "in")]) { _ in
                    try await sandbox.verdict(
                        on: .fourByteText, pastedBy: "xclip", "-o", "-selection", "clipboard", "-t", "UTF8_STRING")
                }
            }
        }
    }
}

extension Cell {
    /// Why this cell is a dash; nil where it is to work.
    var limit: KnownLimit? {
        switch (direction, toolkit, kind) {
        case (.copies, .tk, .fourByteText): .tkSendsCutCharacters
        default: nil
        }
    }

    /// What is to become of its paste.
    var expected: Verdict { limit?.verdict ?? (kind == .absent ? .absent("there is nothing of that kind") : .same) }
}
