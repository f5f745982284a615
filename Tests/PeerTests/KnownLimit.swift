import TestSupport

/// Why a cell is a dash: what cannot be, and not by a fault that its test is to find.
///
/// A dash is held to what it says: its test passes only while the cell does fail.
enum KnownLimit: CaseIterable, Sendable {
    case tkSendsCutCharacters
    case tkReceivesCutCharacters
    case noFileList

    /// The footnote.
    var reason: String {
        switch self {
        case .tkSendsCutCharacters:
            "Tk sends pieces of 4,000 bytes, and one that ends within a character of four bytes is wrong. It is so with xclip "
                + "as the reader as well."
        case .tkReceivesCutCharacters:
            "Tk decodes each piece of an incremental transfer by itself: a character of four bytes of which three are in "
                + "one piece comes out as four. It does so with GTK 3 as the owner as well."
        case .noFileList: "xpb set --files offers text/uri-list, and not yet the lists of file managers."
        }
    }

    /// Sees the same fail between other programs, without xpb, where the fault is the toolkit's: what is wrong with what
    /// came, nil where nothing is.
    var control: (@Sendable (Sandbox) async throws -> String?)? {
        switch self {
        case .tkSendsCutCharacters:
            { sandbox in
                try await sandbox.owning(.tk, [("text", "in")]) { _ in
                    let pasted = try await sandbox.shell("exec xclip -o -selection clipboard -t UTF8_STRING >out")
                    guard pasted.status == 0 else { return "\(pasted)" }
                    return try await sandbox.differenceOfPasted(.fourByteText, isToolkits: true)
                }
            }
        case .tkReceivesCutCharacters:
            { sandbox in
                try await sandbox.owning(.gtk3, [("text", "in")]) { _ in
                    let pasted = try await sandbox.pasting(.tk, "text", into: "out")
                    guard pasted.status == 0 else { return "\(pasted)" }
                    return try await sandbox.differenceOfPasted(.fourByteText, isToolkits: true)
                }
            }
        case .noFileList: nil
        }
    }
}

extension Cell {
    /// Why this cell is a dash; nil where it is to work.
    var limit: KnownLimit? {
        switch (direction, toolkit, kind) {
        case (.copies, .tk, .fourByteText): .tkSendsCutCharacters
        case (.pastes, .tk, .fourByteText): .tkReceivesCutCharacters
        case (.pastes, _, .fileList): .noFileList
        default: nil
        }
    }
}
