import FormatConversion
import Testing
import UniformTypes

@Suite struct FormatNamesTests {
    private static let textNames = [
        "UTF8_STRING", "text/plain;charset=utf-8", "text/plain", "STRING", "TEXT", "COMPOUND_TEXT",
    ]

    // MARK: Text

    @Test("Text is offered under all names of text, UTF8_STRING first")
    func names() throws {
        let sample = try Sample(("text", "héllo"))
        #expect(sample.names == Self.textNames)
        #expect(try sample.bytes("STRING") == [0x68, 0xE9, 0x6C, 0x6C, 0x6F])
        #expect(try sample.text("UTF8_STRING") == "héllo")
    }

    @Test("TEXT is answered with the type UTF8_STRING, and each other name with its own type")
    func types() throws {
        for name in try Sample(("text", "a")).formats.names(items: 0..<1) {
            #expect(name.propertyType == (name.name == "TEXT" ? "UTF8_STRING" : name.name))
        }
    }

    @Test("Text with a UTF-8 type is unchanged under its UTF-8 names")
    func untouched() throws {
        for name in try Sample(("text", "a")).formats.names(items: 0..<1) where name.name.contains("UTF8") {
            #expect(name.derivation == .source(0))
        }
    }

    @Test(
        "STRING has a question mark for each character that it cannot hold",
        arguments: [("10 €", "10 ?"), ("漢字", "??"), ("aé€", "a\u{E9}?")])
    func beyondLatin(text: String, latin: String) throws {
        let sample = try Sample(("text", text))
        #expect(try sample.bytes("STRING") == latin.unicodeScalars.map { UInt8($0.value) })
        #expect(try sample.text("UTF8_STRING") == text)
        // A reader that names the encoding gets all of the text or none.
        let choice = try #require(sample.formats.choice(for: [.mimeType("text/plain;charset=iso-8859-1")]))
        #expect(throws: ConversionFailure.self) { try sample.make(choice.derivation) }
    }

    @Test(
        "COMPOUND_TEXT has no control characters, and is Latin-1 or one segment of UTF-8",
        arguments: [
            ("a\r\nb\tc\u{1B}\u{7F}", "a\nb\tc"), ("é", "\u{E9}"), ("€", "\u{1B}%G\u{E2}\u{82}\u{AC}\u{1B}%@"),
            ("\u{9B}", "\u{1B}%G\u{C2}\u{9B}\u{1B}%@"),
        ])
    func compoundText(text: String, bytes: String) throws {
        #expect(try Sample(("text", text)).bytes("COMPOUND_TEXT") == bytes.unicodeScalars.map { UInt8($0.value) })
    }

    @Test("A name that the writer gave has the writer's bytes, and the other names have the text of those bytes")
    func writersName() throws {
        let sample = try Sample(items: [[("STRING", [0x68, 0xE9])]])
        #expect(try sample.bytes("STRING") == [0x68, 0xE9])
        #expect(try sample.text("UTF8_STRING") == "hé")
        #expect(try sample.text("text/plain;charset=utf-8") == "hé")
    }

    @Test("A name that the writer gave to one source does not apply to an earlier source")
    func writersNameOfLaterSource() throws {
        let sample = try Sample(("text", "a"), ("STRING", "b"), ("text/x-moz-url", "h\0"), ("_NETSCAPE_URL", "n"))
        #expect(try sample.text("UTF8_STRING") == "a")
        #expect(try sample.text("STRING") == "b")
        #expect(try sample.text("_NETSCAPE_URL") == "n")
    }

    @Test("Text in another charset is offered under its own name and all names of text")
    func charset() throws {
        let sample = try Sample(items: [[("text/plain;charset=koi8-r", [0xC1])]])
        #expect(try sample.bytes("text/plain;charset=koi8-r") == [0xC1])
        #expect(try sample.text("UTF8_STRING") == "а")
        let wide = try Sample(items: [[("text/plain;charset=utf-16", [0x61, 0, 0xE9, 0])]])
        #expect(wide.names.first == "text/plain;charset=utf-16")
        #expect(try wide.text("UTF8_STRING") == "aé")
    }

    @Test("The text of several items is joined by newlines, under all names of text")
    func joined() throws {
        let sample = try Sample(items: [[("text", [0x61])], [("STRING", [0xE9])], [("image/png", [1])]])
        for target in ["UTF8_STRING", "text/plain"] { #expect(try sample.text(target) == "a\né") }
        #expect(try sample.bytes("STRING") == [0x61, 0x0A, 0xE9])
        #expect(try sample.bytes("image/png") == [1])
    }

    @Test("Derived text is joined with the text of other items")
    func mixed() throws {
        let sample = try Sample(items: [[("text/html", Array("<b>x</b>".utf8))], [("text", Array("two".utf8))]])
        #expect(try sample.text("UTF8_STRING") == "x\ntwo")
        #expect(try sample.text("text/html") == "<b>x</b>")
    }

    // MARK: Names

    @Test("An exact representation is offered only under its name")
    func exact() throws {
        for name in ["text/plain", "text/html", "text/uri-list", "application/json"] {
            #expect(try Sample((name, "a"), exact: true).names == [name])
        }
    }

    @Test(
        "An unknown name is offered unchanged",
        arguments: ["application/x-Foo; bar=1", "_MY_TARGET", "com.example.note"])
    func unknown(name: String) throws {
        #expect(try Sample((name, "a")).names == [name])
    }

    @Test("Canonically equivalent names are different")
    func equivalent() throws {
        let sample = try Sample(("caf\u{E9}", "one"), ("cafe\u{301}", "two"))
        #expect(sample.names.count == 2)
        #expect(sample.names.map { Array($0.utf8).count } == [5, 6])
    }

    @Test("The first of two representations with the same name is served")
    func first() throws {
        #expect(try Sample(("text/html", "1"), ("text/html", "2")).text("text/html") == "1")
    }

    @Test("Types keep their order, and derived types come last")
    func order() throws {
        let sample = try Sample(("image/png", "1"), ("text/html", "<p>a"))
        #expect(sample.names.prefix(2) == ["image/png", "text/html"])
        #expect(sample.names.dropFirst(2) == Self.textNames[...])
    }

    @Test("Rich text is offered under each name that programs ask for")
    func rich() throws {
        #expect(
            try Sample(("application/rtf", #"{\rtf1 a}"#)).names.prefix(3)
                == ["text/rtf", "application/rtf", "text/richtext"])
    }

    // MARK: Files

    private static let files = [[("files", "file:///a")], [("files", "file:///b%20c")]].map { item in
        item.map { ($0, Array($1.utf8)) }
    }

    @Test("Files are in one list, with CRLF at the end of each line")
    func files() throws {
        let sample = try Sample(items: Self.files)
        #expect(try sample.text("text/uri-list") == "file:///a\r\nfile:///b%20c\r\n")
        #expect(try Sample(("files", "file:///a")).text("text/uri-list") == "file:///a\r\n")
        #expect(try Sample(("text/uri-list", "file:///a")).text("text/uri-list") == "file:///a")
    }

    @Test("Files are offered under the names of each file manager, as copied or as cut")
    func copied() throws {
        let copied = try Sample(items: Self.files)
        let cut = try Sample(items: [Self.files[0] + [("application/x-kde-cutselection", [0x31])], Self.files[1]])
        for target in ["x-special/gnome-copied-files", "x-special/mate-copied-files"] {
            #expect(try copied.text(target) == "copy\nfile:///a\nfile:///b%20c")
            #expect(try cut.text(target) == "cut\nfile:///a\nfile:///b%20c")
        }
        #expect(try cut.text("application/x-kde-cutselection") == "1")
        #expect(!copied.names.contains("application/x-kde-cutselection"))
    }

    @Test("A file manager's own list is offered to all programs as a list of files")
    func fromManager() throws {
        let sample = try Sample(("x-special/gnome-copied-files", "cut\nfile:///a\nfile:///b"))
        #expect(try sample.text("text/uri-list") == "file:///a\r\nfile:///b\r\n")
        #expect(try sample.text("x-special/gnome-copied-files") == "cut\nfile:///a\nfile:///b")
        #expect(try sample.text("x-special/mate-copied-files") == "cut\nfile:///a\nfile:///b")
        #expect(try sample.text("application/x-kde-cutselection") == "1")
    }

    @Test("Lists of one item under several names are unchanged")
    func severalLists() throws {
        let sample = try Sample(("text/uri-list", "file:///a"), ("x-special/gnome-copied-files", "copy\nfile:///a"))
        #expect(try sample.text("text/uri-list") == "file:///a")
        #expect(try sample.text("x-special/gnome-copied-files") == "copy\nfile:///a")
        #expect(try sample.text("x-special/mate-copied-files") == "copy\nfile:///a")
    }

    @Test("The text of files comes before their list, which some programs would paste as text")
    func pathsFirst() throws {
        let picture: [(String, [UInt8])] = [("image/png", [1])]
        for items in [Self.files, [Self.files[0] + picture]] {
            let names = try Sample(items: items).names
            let text = try #require(names.firstIndex(of: "UTF8_STRING"))
            let list = try #require(names.firstIndex(of: "text/uri-list"))
            #expect(text < list)
        }
        let given = try Sample(("text/uri-list", "file:///a"), ("UTF8_STRING", "the writer's order")).names
        #expect(given.first == "text/uri-list")
    }

    @Test("The text of files is their paths")
    func paths() throws {
        #expect(try Sample(items: Self.files).text("UTF8_STRING") == "/a\n/b c")
        #expect(try Sample(("files", "file:///a%FF")).text("UTF8_STRING") == "file:///a%FF")
        #expect(try Sample(("files", "file:///a%0Ab")).text("UTF8_STRING") == "file:///a%0Ab")
    }

    // MARK: Links, colors, marks

    @Test("A link is offered in the formats of browsers, with its title if there is one")
    func links() throws {
        let plain = try Sample(("public.url", "https://a.example/"))
        #expect(try plain.text("_NETSCAPE_URL") == "https://a.example/\n")
        #expect(try plain.text("UTF8_STRING") == "https://a.example/")
        #expect(!plain.names.contains("text/uri-list"))
        let titled = try Sample(("public.url", "https://a.example/"), ("public.url-name", "Title"))
        #expect(try titled.text("_NETSCAPE_URL") == "https://a.example/\nTitle")
        let wide = "https://a.example/\nTitle".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(try titled.bytes("text/x-moz-url") == wide)
        let read = try Sample(items: [[("text/x-moz-url", wide)]])
        #expect(try read.text("text/x-uri") == "https://a.example/")
    }

    @Test("On X11, a color in any notation is four CARD16 values in format 16")
    func colors() throws {
        for text in ["#ff8000", "#f80", "rgb(255, 128, 0)"] {
            let sample = try Sample(("color", text))
            let name = try #require(sample.formats.names(items: 0..<1).first { $0.name == "application/x-color" })
            #expect(name.format == 16)
            let bytes = try sample.make(name.derivation).bytes()
            #expect(bytes.count == 8)
            #expect(bytes.prefix(2) == [0xFF, 0xFF])
        }
        let read = try Sample(items: [[("application/x-color", [0xFF, 0xFF, 0x80, 0x80, 0, 0, 0xFF, 0xFF])]])
        #expect(try read.text("UTF8_STRING") == "#ff8000")
    }

    @Test("A secret has the mark that the desktops use")
    func concealed() throws {
        let sample = try Sample(("org.nspasteboard.ConcealedType", ""), ("text", "pw"))
        #expect(try sample.text("x-kde-passwordManagerHint") == "secret")
    }

    // MARK: Derived formats

    @Test("Plain text is derived from HTML and RTF")
    func plain() throws {
        #expect(try Sample(("text/html", "<p>a&amp;b</p>")).text("UTF8_STRING") == "a&b")
        #expect(try Sample(("text/rtf", #"{\rtf1\ansi a\'e9}"#)).text("UTF8_STRING") == "aé")
        #expect(try Sample(("text/html", "<p>é")).bytes("STRING") == [0xE9])
    }

    @Test("No plain text is derived if plain text is present")
    func noSecondText() throws {
        #expect(try Sample(("text/html", "<p>a"), ("text", "b")).text("UTF8_STRING") == "b")
    }

    @Test("Structured text is also offered as plain text, unchanged, but a drawing is not")
    func structured() throws {
        #expect(try Sample(("application/json", "[1]")).text("UTF8_STRING") == "[1]")
        #expect(try Sample(("text/csv", "a,b")).text("UTF8_STRING") == "a,b")
        #expect(try Sample(("image/svg+xml", "<svg/>")).text("UTF8_STRING") == nil)
    }

    @Test("Nothing is derived if the settings forbid it")
    func switchedOff() throws {
        let sample = try Sample(("text/html", "<p>a"), rules: .init(derives: false))
        #expect(sample.names == ["text/html"])
        #expect(sample.formats.derived(items: 0..<1).isEmpty)
    }

    @Test("A filter's output is offered if its input is present and its output is not")
    func filters() throws {
        let filter = Filter(
            input: .svg, output: .png, command: ["rsvg-convert"], deadline: .seconds(1), limit: 1)
        let rules = FormatCatalog.Rules(filters: [filter])
        let drawing = try Sample(("image/svg+xml", "<svg/>"), rules: rules)
        #expect(drawing.names.last == "image/png")
        #expect(drawing.formats.derived(items: 0..<1).map(\.type) == [.png])
        #expect(
            try Sample(("image/svg+xml", ""), ("image/png", ""), rules: rules).formats.derived(items: 0..<1).isEmpty)
        #expect(try Sample(("image/gif", ""), rules: rules).formats.derived(items: 0..<1).isEmpty)
    }
}
