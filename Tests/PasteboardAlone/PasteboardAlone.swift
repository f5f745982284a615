import Pasteboard

/// A program with the library and nothing else: what it links is what `Pasteboard` costs. See Scripts/linkage.
@main struct PasteboardAlone {
    static func main() throws {
        print(try Pasteboard.general.string ?? "")
    }
}
