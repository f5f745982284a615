import FoundationEssentials
import Glibc
import Pasteboard
import UniformTypes

/// A value of a type that this program defines. A reader defines its own type, with members of the same names.
struct Note: Codable, Sendable {
    var title: String
    var lines: [String]
}

/// Copies a note: as a note for programs that know notes, and as text for all others.
@main enum CopyNote {
    /// X11 programs recognize the type by its MIME type.
    private static let noteType = TypeDeclaration(
        identifier: "com.example.note", conformsTo: ["public.data"], mimeTypes: ["application/x-example-note+json"],
        description: "Note")

    static func main() {
        let words = CommandLine.arguments.dropFirst()
        guard let title = words.first else {
            print("usage: copy-note TITLE [LINE…]")
            exit(2)
        }
        do {
            try Pasteboard.declare([noteType])
            try copy(Note(title: title, lines: Array(words.dropFirst())))
        } catch {
            print("copy-note: \(error)")
            exit(1)
        }
    }

    private static func copy(_ note: Note) throws {
        var item = PasteboardItem()
        try item.encode(note, forType: noteType)
        let text = ([note.title] + note.lines).joined(separator: "\n")
        item.setData(Data(text.utf8), forType: "public.utf8-plain-text")
        try Pasteboard.general.setItems([item])
    }
}
