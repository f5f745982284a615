import Pasteboard

/// A program with the library alone, which shows what linking `Pasteboard` costs. See Scripts/checks/linkage.
@main struct PasteboardAlone {
    static func main() throws {
        print(try Pasteboard.general.string ?? "")
    }
}
