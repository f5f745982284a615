import Glibc
import Pasteboard
import UniformTypes

/// A note, as this program defines it.
struct Note: Codable, Sendable {
    var title: String
    var lines: [String]
}

/// A program that prints the note on the general pasteboard, whichever program wrote it.
@main enum PasteNote {
    /// The same declaration as the writer's, so that it does not matter which program runs first, or whether the writer
    /// uses X11.
    private static let noteType = TypeDeclaration(
        identifier: "com.example.note", conformsTo: ["public.data"], mimeTypes: ["application/x-example-note+json"],
        description: "Note")

    static func main() {
        do {
            try Pasteboard.declare([noteType])
            guard let note = try Pasteboard.general.decode(Note.self, forType: noteType) else {
                print("paste-note: there is no note on the pasteboard")
                exit(1)
            }
            print("title: \(note.title)")
            for line in note.lines { print("line: \(line)") }
        } catch {
            print("paste-note: \(error)")
            exit(1)
        }
    }
}
