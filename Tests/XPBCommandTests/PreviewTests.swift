import FoundationEssentials
import PasteboardWire
import Testing
import XPBCommand

@Suite struct PreviewTests {
    private func entry(
        _ type: String, _ preview: String? = nil, types: [String]? = nil, length: Int = 319_488, size: (Int, Int)? = nil
    ) -> WireHistoryEntry {
        WireHistoryEntry(
            id: 12, pasteboard: "general", count: 7, copies: 1, created: 1_700_000_000_000, type: type,
            types: types ?? [type], items: 1, length: length, preview: preview, width: size?.0, height: size?.1,
            pinned: false)
    }

    private func text(_ preview: String, columns: Int? = nil) -> String {
        Preview().text(entry("public.utf8-plain-text", preview), columns: columns)
    }

    @Test("A row has the ID, the count, the age, the type and the preview")
    func row() {
        let now = Date(timeIntervalSince1970: 1_700_000_090)
        let row = Preview().row(entry("public.utf8-plain-text", "hello"), at: now)
        #expect(row == ["12", "7", "1m", "public.utf8-plain-text", "hello"])
    }

    @Test(
        "A preview is one line, without terminal controls and reordering",
        arguments: [
            ("a\nb\r\nc\td", #"a\nb\r\nc\td"#), ("\u{1B}[2J\u{7F}", #"\u{1b}[2J\u{7f}"#),
            ("\u{85}\u{9B}31m", #"\u{85}\u{9b}31m"#), ("\u{202E}evil\u{2066}", #"\u{202e}evil\u{2066}"#),
            ("a\u{2028}b\u{2029}", #"a\u{2028}b\u{2029}"#), ("\0", #"\u{0}"#), (#"C:\new"#, #"C:\new"#),
            ("שלום עליכם", "שלום עליכם"), ("日本 👩‍👩‍👧", "日本 👩‍👩‍👧"),
        ])
    func controls(text: String, line: String) {
        #expect(self.text(text) == line)
    }

    @Test("A long text ends with an ellipsis, after a whole character")
    func long() {
        #expect(text(String(repeating: "x", count: 200)) == String(repeating: "x", count: 200))
        #expect(text(String(repeating: "x", count: 201)) == String(repeating: "x", count: 199) + "…")
        let family = String(repeating: "👩‍👩‍👧", count: 10)
        #expect(text(family, columns: 7) == "👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧…")
        // One character may be as long as the text.
        #expect(text("a" + String(repeating: "\u{301}", count: 60_000)).utf8.count < 10_000)
    }

    @Test("On a terminal the line fits its width")
    func columns() {
        let row = Preview(columns: 60).row(
            entry("public.html", String(repeating: "x", count: 100)), at: Date(timeIntervalSince1970: 1_700_000_000))
        // Tab stops: 8, 16, 24, and 40 after `public.html`.
        #expect(row[4] == String(repeating: "x", count: 19) + "…")
        let narrow = Preview(columns: 10).row(entry("public.html", "abcdefghijklmnopqrstuvwxyz"), at: .now)
        #expect(narrow[4] == "abcdefghijklmnopqrs…")
    }

    @Test("An image is described by its format, dimensions and length, even beside text")
    func images() {
        func text(_ entry: WireHistoryEntry) -> String { Preview().text(entry) }
        #expect(text(entry("public.png", size: (1920, 1080))) == "[image/png 1920×1080 312 KiB]")
        #expect(text(entry("public.png", "screenshot", size: (1920, 1080))) == "[image/png 1920×1080 312 KiB]")
        #expect(text(entry("public.png")) == "[image/png 312 KiB]")
        #expect(
            text(entry("public.html", types: ["public.html", "public.jpeg"], size: (3, 4)))
                == "[image/jpeg 3×4 312 KiB]")
        #expect(text(entry("public.html", "a", types: ["public.html", "public.jpeg"], size: (3, 4))) == "a")
    }

    @Test("Other types are described by their MIME type or another name, and their length")
    func others() {
        func text(_ type: String, _ length: Int) -> String { Preview().text(entry(type, length: length)) }
        #expect(text("com.adobe.pdf", 1_258_291) == "[application/pdf 1.2 MiB]")
        #expect(text("com.example.note", 1) == "[com.example.note 1 byte]")
        #expect(text("public.utf8-plain-text", 0) == "[text/plain;charset=utf-8 0 bytes]")
    }

    @Test("Files are described by their names")
    func files() {
        let paths = "/home/me/report.pdf\n/home/me/a b\n/\nhttps://xpb.example/x"
        #expect(Preview().text(entry("public.file-url", paths)) == "report.pdf, a b, /, https://xpb.example/x")
        let many = (1...1_000).map { "/tmp/\($0)" }.joined(separator: "\n")
        let text = Preview().text(entry("public.file-url", many))
        #expect(text.hasPrefix("1, 2, 3, ") && text.hasSuffix("…") && text.count == 200)
        #expect(Preview().text(entry("public.file-url", "/tmp/a\u{1B}b")) == #"a\u{1b}b"#)
    }

    @Test("A secret would not be shown")
    func secret() {
        let types = ["public.utf8-plain-text", "org.nspasteboard.ConcealedType"]
        #expect(Preview().text(entry("public.utf8-plain-text", "hunter2", types: types)) == "[concealed]")
    }
}
