import Testing
import UniformTypes

@testable import Bridge
@testable import FormatConversion
@testable import X11Bridge

@Suite struct FormNamesTests {
    private static let textNames = [
        "UTF8_STRING", "text/plain;charset=utf-8", "text/plain", "STRING", "TEXT", "COMPOUND_TEXT",
    ]

    // MARK: Texts

    @Test("A text is offered under all the names a text has, UTF8_STRING first")
    func names() throws {
        let sample = try Sample(("text", "héllo"))
        #expect(sample.names == Self.textNames)
        #expect(try sample.bytes("STRING") == [0x68, 0xE9, 0x6C, 0x6C, 0x6F])
        #expect(try sample.text("UTF8_STRING") == "héllo")
    }

    @Test("TEXT answers with the type UTF8_STRING, all others with their own")
    func types() throws {
        for name in try Sample(("text", "a")).forms.names(items: 0..<1) {
            #expect(name.propertyType == (name.name == "TEXT" ? "UTF8_STRING" : name.name))
        }
    }

    @Test("A text that is UTF-8 by its type is not touched for its UTF-8 names")
    func untouched() throws {
        for name in try Sample(("text", "a")).forms.names(items: 0..<1) where name.name.contains("UTF8") {
            #expect(name.derivation == .source(0))
        }
    }

    @Test("STRING is refused where it cannot hold the text", arguments: ["10 €", "漢字"])
    func beyondLatin(text: String) throws {
        let sample = try Sample(("text", text))
        #expect(throws: ConversionFailure.self) { try sample.bytes("STRING") }
        #expect(try sample.text("UTF8_STRING") == text)
    }

    @Test("A name that the writer gave stands for the writer's bytes, and the others for the text they are")
    func given() throws {
        let sample = try Sample(items: [[("STRING", [0x68, 0xE9])]])
        #expect(try sample.bytes("STRING") == [0x68, 0xE9])
        #expect(try sample.text("UTF8_STRING") == "hé")
        #expect(try sample.text("text/plain;charset=utf-8") == "hé")
    }

    @Test("A name that one source was given is no other name of an earlier one")
    func givenLater() throws {
        let sample = try Sample(("text", "a"), ("STRING", "b"), ("text/x-moz-url", "h\0"), ("_NETSCAPE_URL", "n"))
        #expect(try sample.text("UTF8_STRING") == "a")
        #expect(try sample.text("STRING") == "b")
        #expect(try sample.text("_NETSCAPE_URL") == "n")
    }

    @Test("A text in another charset has the names of a text besides its own")
    func charset() throws {
        let sample = try Sample(items: [[("text/plain;charset=koi8-r", [0xC1])]])
        #expect(try sample.bytes("text/plain;charset=koi8-r") == [0xC1])
        #expect(try sample.text("UTF8_STRING") == "а")
        let wide = try Sample(items: [[("text/plain;charset=utf-16", [0x61, 0, 0xE9, 0])]])
        #expect(wide.names.first == "text/plain;charset=utf-16")
        #expect(try wide.text("UTF8_STRING") == "aé")
    }

    @Test("Texts of several items are joined by newlines, under all the names of a text")
    func joined() throws {
        let sample = try Sample(items: [[("text", [0x61])], [("STRING", [0xE9])], [("image/png", [1])]])
        for target in ["UTF8_STRING", "text/plain"] { #expect(try sample.text(target) == "a\né") }
        #expect(try sample.bytes("STRING") == [0x61, 0x0A, 0xE9])
        #expect(try sample.bytes("image/png") == [1])
    }

    @Test("A text that has to be made stands beside those that are there")
    func mixed() throws {
        let sample = try Sample(items: [[("text/html", Array("<b>x</b>".utf8))], [("text", Array("two".utf8))]])
        #expect(try sample.text("UTF8_STRING") == "x\ntwo")
        #expect(try sample.text("text/html") == "<b>x</b>")
    }

    // MARK: Names

    @Test("An exact representation is offered under its name alone")
    func exact() throws {
        for name in ["text/plain", "text/html", "text/uri-list", "application/json"] {
            #expect(try Sample((name, "a"), exact: true).names == [name])
        }
    }

    @Test(
        "An unknown name is offered as it was given",
        arguments: ["application/x-Foo; bar=1", "_MY_TARGET", "com.example.note"])
    func unknown(name: String) throws {
        #expect(try Sample((name, "a")).names == [name])
    }

    @Test("Names that Unicode holds to be equal are two names")
    func equivalent() throws {
        let sample = try Sample(("caf\u{E9}", "one"), ("cafe\u{301}", "two"))
        #expect(sample.names.count == 2)
        #expect(sample.names.map { Array($0.utf8).count } == [5, 6])
    }

    @Test("Of two representations with one name the first answers")
    func first() throws {
        #expect(try Sample(("text/html", "1"), ("text/html", "2")).text("text/html") == "1")
    }

    @Test("Each type of several keeps its place, and what is derived comes last")
    func order() throws {
        let sample = try Sample(("image/png", "1"), ("text/html", "<p>a"))
        #expect(sample.names.prefix(2) == ["image/png", "text/html"])
        #expect(sample.names.dropFirst(2) == Self.textNames[...])
    }

    @Test("Rich text goes out under each name that programs ask for")
    func rich() throws {
        #expect(
            try Sample(("application/rtf", #"{\rtf1 a}"#)).names.prefix(3)
                == ["text/rtf", "application/rtf", "text/richtext"])
    }

    // MARK: Files

    private static let files = [[("files", "file:///a")], [("files", "file:///b%20c")]].map { item in
        item.map { ($0, Array($1.utf8)) }
    }

    @Test("Files stand in one list, a line each that ends with CRLF")
    func files() throws {
        let sample = try Sample(items: Self.files)
        #expect(try sample.text("text/uri-list") == "file:///a\r\nfile:///b%20c\r\n")
        #expect(try Sample(("files", "file:///a")).text("text/uri-list") == "file:///a\r\n")
        #expect(try Sample(("text/uri-list", "file:///a")).text("text/uri-list") == "file:///a")
    }

    @Test("File managers find the files under their own names, copied or cut")
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

    @Test("A file manager's own list is a list of files for everybody")
    func fromManager() throws {
        let sample = try Sample(("x-special/gnome-copied-files", "cut\nfile:///a\nfile:///b"))
        #expect(try sample.text("text/uri-list") == "file:///a\r\nfile:///b\r\n")
        #expect(try sample.text("x-special/gnome-copied-files") == "cut\nfile:///a\nfile:///b")
        #expect(try sample.text("x-special/mate-copied-files") == "cut\nfile:///a\nfile:///b")
        #expect(try sample.text("application/x-kde-cutselection") == "1")
    }

    @Test("Lists that one item was given under several names stay as they were given")
    func givenLists() throws {
        let sample = try Sample(("text/uri-list", "file:///a"), ("x-special/gnome-copied-files", "copy\nfile:///a"))
        #expect(try sample.text("text/uri-list") == "file:///a")
        #expect(try sample.text("x-special/gnome-copied-files") == "copy\nfile:///a")
        #expect(try sample.text("x-special/mate-copied-files") == "copy\nfile:///a")
    }

    @Test("The text of files stands before their list, which a program that takes the first name would paste as a text")
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
    }

    // MARK: Links, colours, marks

    @Test("A link goes out as browsers have it, with its title where there is one")
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

    @Test("A colour is four CARD16 on X11, in format 16, however it was written")
    func colours() throws {
        for text in ["#ff8000", "#f80", "rgb(255, 128, 0)"] {
            let sample = try Sample(("color", text))
            let name = try #require(sample.forms.names(items: 0..<1).first { $0.name == "application/x-color" })
            #expect(name.format == 16)
            let bytes = try sample.make(name.derivation).bytes()
            #expect(bytes.count == 8)
            #expect(bytes.prefix(2) == [0xFF, 0xFF])
        }
        let read = try Sample(items: [[("application/x-color", [0xFF, 0xFF, 0x80, 0x80, 0, 0, 0xFF, 0xFF])]])
        #expect(try read.text("UTF8_STRING") == "#ff8000")
    }

    @Test("A secret says so in the words of the desktop")
    func concealed() throws {
        let sample = try Sample(("org.nspasteboard.ConcealedType", ""), ("text", "pw"))
        #expect(try sample.text("x-kde-passwordManagerHint") == "secret")
    }

    // MARK: Derived

    @Test("HTML and RTF have a plain text, made when it is asked for")
    func plain() throws {
        #expect(try Sample(("text/html", "<p>a&amp;b</p>")).text("UTF8_STRING") == "a&b")
        #expect(try Sample(("text/rtf", #"{\rtf1\ansi a\'e9}"#)).text("UTF8_STRING") == "aé")
        #expect(try Sample(("text/html", "<p>é")).bytes("STRING") == [0xE9])
    }

    @Test("A plain text that is there is never derived")
    func noSecondText() throws {
        #expect(try Sample(("text/html", "<p>a"), ("text", "b")).text("UTF8_STRING") == "b")
    }

    @Test("Structured text is text as it is; a drawing is a picture first")
    func structured() throws {
        #expect(try Sample(("application/json", "[1]")).text("UTF8_STRING") == "[1]")
        #expect(try Sample(("text/csv", "a,b")).text("UTF8_STRING") == "a,b")
        #expect(try Sample(("image/svg+xml", "<svg/>")).text("UTF8_STRING") == nil)
    }

    @Test("Where nothing is to be derived, nothing is")
    func switchedOff() throws {
        let sample = try Sample(("text/html", "<p>a"), rules: .init(derives: false))
        #expect(sample.names == ["text/html"])
        #expect(sample.forms.derived(items: 0..<1).isEmpty)
    }

    @Test("A filter's type is on offer where its input is and its output is not")
    func filters() throws {
        let filter = Filter(
            input: .svg, output: .png, command: ["rsvg-convert"], deadline: .seconds(1), limit: 1)
        let rules = FormatCatalog.Rules(filters: [filter])
        let drawing = try Sample(("image/svg+xml", "<svg/>"), rules: rules)
        #expect(drawing.names.last == "image/png")
        #expect(drawing.forms.derived(items: 0..<1).map(\.type) == [.png])
        #expect(try Sample(("image/svg+xml", ""), ("image/png", ""), rules: rules).forms.derived(items: 0..<1).isEmpty)
        #expect(try Sample(("image/gif", ""), rules: rules).forms.derived(items: 0..<1).isEmpty)
    }
}
