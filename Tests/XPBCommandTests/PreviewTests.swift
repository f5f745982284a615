import CommandCore
import FoundationEssentials
import PasteboardWire
import Terminal
import Testing
import UniformTypes
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

    private func text(_ preview: String) -> String { Preview().text(entry("public.utf8-plain-text", preview)) }

    private static let now = Date(timeIntervalSince1970: 1_700_000_090)

    @Test("A row has the ID, the preview, the type, the age and the count")
    func row() {
        let row = Preview().row(entry("public.utf8-plain-text", "hello"), at: Self.now)
        #expect(row == ["12", "hello", "text", "1m", "7"])
    }

    @Test(
        "The type is a class, or else the best known type",
        arguments: [
            (["public.utf8-plain-text"], "text"), (["public.html", "public.utf8-plain-text"], "html"),
            (["public.rtf"], "text"), (["public.file-url", "public.utf8-plain-text"], "files"),
            (["public.url", "public.utf8-plain-text"], "url"), (["com.adobe.pdf"], "com.adobe.pdf"),
            (["public.png", "public.file-url"], "image"), (["public.mp3"], "audio"),
            (["org.example.private", "public.utf8-plain-text"], "text"),
        ])
    func kinds(types: [String], kind: String) {
        #expect(Preview().kind(entry(types[0], "a", types: types)) == kind)
    }

    @Test("The dynamic type of a GTK view does not hide its text, and other dynamic types are named by their targets")
    func dynamicTypes() {
        let types = ["application/x-gtk-text-buffer-rich-text", "GTK_TEXT_BUFFER_CONTENTS", "UTF8_STRING"]
            .map { UniformType(target: $0).identifier }
        let view = entry(types[0], "the text", types: types)
        #expect(types[0].count > 60)
        #expect(Preview().row(view, at: Self.now)[1...2] == ["the text", "text"])
        #expect(Preview().lines([view], at: Self.now, columns: 40) == ["12  the text  text  1m  7"])
        let target = entry(UniformType(target: "_EXAMPLE_PRIVATE").identifier)
        #expect(Preview().row(target, at: Self.now)[1...2] == ["[_EXAMPLE_PRIVATE, 312 KiB]", "_EXAMPLE_PRIVATE"])
        let long = entry(UniformType(target: String(repeating: "x", count: 200)).identifier)
        #expect(Preview().kind(long) == String(repeating: "x", count: 31) + "…")
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

    @Test("Long text ends with an ellipsis, after a whole character")
    func long() {
        #expect(text(String(repeating: "x", count: 200)) == String(repeating: "x", count: 200))
        #expect(text(String(repeating: "x", count: 201)) == String(repeating: "x", count: 199) + "…")
        let family = String(repeating: "👩‍👩‍👧", count: 10)
        #expect(Columns.cut(family, to: 7) == "👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧…")
        // One character may be as long as the text.
        #expect(text("a" + String(repeating: "\u{301}", count: 60_000)).utf8.count < 10_000)
    }

    @Test("On a terminal the columns are aligned, and a line fits its width")
    func columns() {
        let long = entry("public.html", String(repeating: "x", count: 100))
        let wide = entry("public.png", "", size: (3, 4))
        let lines = Preview().lines([long, wide], at: Self.now, columns: 60)
        // 2 for the ID, 5 for the type, 2 for the age, 1 for the count, and 2 between them.
        let x = String(repeating: "x", count: 41) + "…"
        #expect(
            lines == ["12  \(x)  html   1m  7", "12  \(Columns.padded("[PNG 3×4, 312 KiB]", to: 42))  image  1m  7"])
        #expect(lines.allSatisfy { Columns.count($0) == 60 })
        let short = [entry("public.utf8-plain-text", "日本"), entry("public.utf8-plain-text", "a")]
        #expect(
            Preview().lines(short, at: Self.now, columns: 60)
                == ["12  日本  text  1m  7", "12  a     text  1m  7"])
        let narrow = Preview().lines([entry("public.html", "abcdefghijklmnopqrstuvwxyz")], at: Self.now, columns: 10)
        #expect(narrow == ["12  abcdefghijklmnopqrs…  html  1m  7"])
    }

    @Test("An image is described by its format, dimensions and length, even if there is text too")
    func images() {
        func text(_ entry: WireHistoryEntry) -> String { Preview().text(entry) }
        #expect(text(entry("public.png", size: (1920, 1080))) == "[PNG 1920×1080, 312 KiB]")
        #expect(text(entry("public.png", "screenshot", size: (1920, 1080))) == "[PNG 1920×1080, 312 KiB]")
        #expect(text(entry("public.png")) == "[PNG, 312 KiB]")
        #expect(
            text(entry("public.html", types: ["public.html", "public.jpeg"], size: (3, 4)))
                == "[JPEG 3×4, 312 KiB]")
        #expect(text(entry("public.svg-image", "<svg>")) == "[SVG, 312 KiB]")
        #expect(text(entry("public.html", "a", types: ["public.html", "public.jpeg"], size: (3, 4))) == "a")
    }

    @Test("Other types are described by their MIME type or another name, and their length")
    func others() {
        func text(_ type: String, _ length: Int) -> String { Preview().text(entry(type, length: length)) }
        #expect(text("com.adobe.pdf", 1_258_291) == "[application/pdf, 1.2 MiB]")
        #expect(text("com.example.note", 1) == "[com.example.note, 1 byte]")
        #expect(text("public.utf8-plain-text", 0) == "[text/plain;charset=utf-8, 0 bytes]")
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

    @Test("A secret in the history would not be shown")
    func secret() {
        let types = ["public.utf8-plain-text", "org.nspasteboard.ConcealedType"]
        #expect(Preview().text(entry("public.utf8-plain-text", "hunter2", types: types)) == "[concealed]")
    }

    @Test("The words of a search are underlined, and shown even if they are far from the beginning")
    func found() {
        var near = entry("public.utf8-plain-text", "see the word here")
        near.matches = [8, 4]
        let style = Style(isTerminal: true, environment: [:])
        let lines = Preview().lines([near], at: Self.now, columns: 60, style: style)
        #expect(lines == ["12  see the \u{1B}[4mword\u{1B}[24m here  text  1m  7"])
        #expect(Preview().lines([near], at: Self.now, columns: 60) == ["12  see the word here  text  1m  7"])
        var far = entry("public.utf8-plain-text", String(repeating: "a ", count: 60) + "some word")
        far.matches = [125, 4]
        #expect(Preview().text(far, within: 30) == "…a a some word")
        #expect(Preview().text(far, within: 200) == text(far.preview ?? ""))
        far.excerpt = "an excerpt with a word"
        far.matches = [18, 4]
        #expect(Preview().text(far, within: 30).hasSuffix("a word"))
    }
}
