import BridgeClient
import Commands
import Testing
import XPBCommand

@Suite struct RepresentationFileNamesTests {
    private func representation(
        _ item: Int, _ type: String, _ target: String? = nil
    ) -> FetchedContents.Representation {
        FetchedContents.Representation(item: item, type: type, target: target, exact: false, bytes: .missing(""))
    }

    private func name(_ type: String, _ target: String? = nil) -> String {
        var names = RepresentationFileNames(itemCount: 1, taken: "manifest.json")
        return names.name(for: representation(0, type, target))
    }

    @Test(
        "A filename has the item, the end of the identifier and the extension",
        arguments: [
            ("public.html", "0-html.html"), ("public.utf8-plain-text", "0-utf8-plain-text.txt"),
            ("com.adobe.pdf", "0-pdf.pdf"), ("com.example.Note", "0-Note"), ("public.png", "0-png.png"),
        ])
    func declared(type: String, name: String) {
        #expect(self.name(type) == name)
    }

    @Test(
        "The target gives the filename for an unknown type",
        arguments: [
            ("text/x-kaya-note;version=2", "0-x-kaya-note"), ("_NETSCAPE_URL", "0-_NETSCAPE_URL"),
            ("../../etc/passwd", "0-passwd"), ("/", "0-data"), ("..", "0-data"), ("a b\nc\u{1B}", "0-a-b-c"),
            ("ünï", "0-n"), ("-rf", "0-rf"),
        ])
    func dynamic(target: String, name: String) {
        #expect(self.name("dyn.ah62d4rv4gu8zazxt", target) == name)
        #expect(self.name("no identifier at all", target) == name)
    }

    @Test("A long filename is cut")
    func long() {
        let target = String(repeating: "a", count: 1_000)
        #expect(name("dyn.ah62d4rv4gu8zazxt", target) == "0-\(target.prefix(40))")
    }

    @Test("No filename occurs twice, even in another case, and items sort by number")
    func several() {
        var names = RepresentationFileNames(itemCount: 11, taken: "00-manifest")
        let representations = [
            representation(0, "public.png"), representation(0, "org.example.png"), representation(0, "org.example.PNG"),
            representation(0, "org.other.PNG"), representation(0, "a.manifest"), representation(10, "public.png"),
        ]
        #expect(
            representations.map { names.name(for: $0) } == [
                "00-png.png", "00-png", "00-PNG-2", "00-PNG-3", "00-manifest-2", "10-png.png",
            ])
    }
}
