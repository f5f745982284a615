import Pasteboard

/// A program that uses only the library, to show what linking `Pasteboard` costs. See Scripts/checks/linkage.
@main struct PasteboardAlone {
    static func main() throws {
        print(try Pasteboard.general.string ?? "")
    }
}
