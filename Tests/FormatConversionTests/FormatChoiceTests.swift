import FormatConversion
import LinuxSystem
import Testing
import UniformTypes

@Suite struct FormatChoiceTests {
    @Test("Representations come before derived formats")
    func realFirst() throws {
        let sample = try Sample(("text/html", "<b>a</b>"))
        #expect(try sample.get("public.text") == "<b>a</b>")
        #expect(try sample.get("text/html") == "<b>a</b>")
        #expect(try sample.get() == "<b>a</b>")
    }

    @Test("A reader that asks for text gets no markup")
    func plain() throws {
        let sample = try Sample(("text/html", "<b>a</b>"))
        for type in ["text", "public.plain-text", "public.utf8-plain-text", "text/plain", "UTF8_STRING"] {
            #expect(try sample.get(type) == "a", "\(type)")
        }
        #expect(try sample.get("text", exact: true) == "<b>a</b>")
        #expect(try sample.get("UTF8_STRING", exact: true) == nil)
    }

    @Test("The reader's order of preference applies to representations and derived formats")
    func preference() throws {
        let sample = try Sample(("text/html", "<b>a</b>"))
        #expect(try sample.get("image", "text", "html") == "a")
        #expect(try sample.get("html", "text") == "<b>a</b>")
        #expect(try sample.get("image", "audio") == nil)
    }

    @Test("Text requested by identifier or class is UTF-8; text requested by its name is unchanged")
    func decoded() throws {
        let sample = try Sample(items: [[("STRING", [0xE9])]])
        #expect(try sample.get("text") == "é")
        #expect(try sample.get("public.plain-text") == "é")
        #expect(try sample.get("UTF8_STRING") == "é")
        #expect(try sample.get() == "é")
        let choice = try #require(sample.formats.choice(for: [.target("STRING")]))
        #expect(try sample.make(choice.derivation).bytes() == [0xE9])
    }

    @Test("HTML requested by identifier or class is UTF-8, without the browsers' prefix")
    func html() throws {
        let wide = "<p>é".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let sample = try Sample(items: [[("text/html", wide)]])
        #expect(try sample.get("html") == "<p>é")
        #expect(try sample.get("public.html") == "<p>é")
        let choice = try #require(sample.formats.choice(for: [.mimeType("text/html")]))
        #expect(try sample.make(choice.derivation).bytes() == wide)
        let firefox = #"<meta http-equiv="content-type" content="text/html; charset=utf-8"><p>a"#
        #expect(try Sample(("text/html", firefox)).get("html") == "<p>a")
        #expect(try Sample(("text/html", firefox)).get("text/html") == firefox)
    }

    @Test("HTML in the charset that it names is decoded once")
    func charset() throws {
        for (charset, letter) in [
            ("windows-1251", [0xE0] as [UInt8]), ("shift_jis", [0x83, 0x40]), ("koi8-r", [0xC1]),
        ] {
            let text = ["windows-1251": "а", "shift_jis": "ァ", "koi8-r": "а"][charset]
            let page = Array("<meta charset=\(charset)><p>".utf8) + letter
            let sample = try Sample(items: [[("text/html", page)]])
            #expect(try sample.get("text") == text)
            #expect(try sample.get("html") == "<meta charset=utf-8><p>\(text ?? "")")
        }
    }

    @Test("A literal name is answered by the representation with that name, before related representations")
    func literal() throws {
        let sample = try Sample(items: [[("text/plain;charset=utf-16", [0x61, 0])]])
        #expect(try sample.get("text/plain") == "a")
        #expect(try sample.get("STRING") == "a")
    }

    @Test("Files requested by class, or as any type, are one URL per line; as text, a path per line; by type, one URL")
    func files() throws {
        let sample = try Sample(items: [[("files", Array("file:///a".utf8))], [("files", Array("file:///b".utf8))]])
        #expect(try sample.get("files") == "file:///a\nfile:///b")
        #expect(try sample.get("files", item: 1) == "file:///b")
        #expect(try sample.get("public.file-url", item: 1) == "file:///b")
        #expect(try sample.get("public.file-url") == "file:///a")
        #expect(try sample.get("text/uri-list") == "file:///a\r\nfile:///b\r\n")
        #expect(try sample.get() == "file:///a\nfile:///b")
        #expect(try sample.get(item: 1) == "file:///b")
        for type in ["text", "public.utf8-plain-text", "text/plain", "UTF8_STRING"] {
            #expect(try sample.get(type) == "/a\n/b", "\(type)")
        }
        #expect(try sample.get("text", item: 1) == "/b")
    }

    @Test("FILE_NAME with one of several files does not replace their list, whose entries may be fully escaped")
    func fileName() throws {
        let java = try Sample(("FILE_NAME", "/a"), ("text/uri-list", "file:///a\r\nfile:///b\r\n"))
        #expect(try java.get("files") == "file:///a\nfile:///b")
        #expect(try java.get("text") == "/a\n/b")
        #expect(try Sample(("FILE_NAME", "/a\0/b\0")).get("text") == "/a\n/b")
        #expect(try Sample(("text/uri-list", "file:///%61%2f%62\r\n")).get("text") == "/a/b")
    }

    @Test("The text of a list of links contains all links")
    func links() throws {
        let list = Array("https://a.example/\r\nhttps://b.example/\r\n".utf8)
        let source = FormatCatalog.Source(item: 0, type: .url, target: "text/uri-list")
        let text = try #require(FormatCatalog([source], rules: .init()).derivedText(of: 0))
        guard case .made(let step, _) = text else { return #expect(Bool(false), "\(text)") }
        let part = EncodedBytes(try MemoryFile.containing(list), target: "text/uri-list")
        let lines = try step.carryOut(on: [part]).bytes()
        #expect(String(decoding: lines, as: UTF8.self) == "https://a.example/\nhttps://b.example/")
    }

    @Test("A file of this machine may be named with its host")
    func host() throws {
        let list = try Sample(("text/uri-list", "file://\(ThisProcess.hostName)/a\r\nfile://elsewhere.example/b\r\n"))
        #expect(try list.get("text") == "/a\nfile://elsewhere.example/b")
    }

    @Test("Each entry of a list in one item counts as an item")
    func entries() throws {
        let sample = try Sample(("text/uri-list", "file:///a\r\nfile:///b\r\n"))
        #expect(try sample.get("files") == "file:///a\nfile:///b")
        #expect(try sample.get("public.file-url") == "file:///a")
        #expect(try sample.get("public.file-url", item: 1) == "file:///b")
        #expect(throws: ConversionFailure.self) { try sample.get("public.file-url", item: 2) }
        #expect(try sample.get("text/html", item: 1) == nil)
    }

    @Test("A request for a link gets its address, and a request for a color its CSS notation")
    func others() throws {
        let link = try Sample(("_NETSCAPE_URL", "https://a.example/\nTitle"))
        #expect(try link.get("url") == "https://a.example/")
        #expect(try link.get("_NETSCAPE_URL") == "https://a.example/\nTitle")
        let color = try Sample(items: [[("application/x-color", [0xFF, 0xFF, 0, 0, 0, 0, 0xFF, 0xFF])]])
        #expect(try color.get("color") == "#ff0000")
        #expect(try color.get("text") == "#ff0000")
    }

    @Test("An unavailable representation is skipped, with everything derived from it")
    func without() throws {
        let formats = try Sample(("UTF8_STRING", "a"), ("STRING", "b"), ("text/html", "c")).formats
        let first = try #require(formats.choice(for: [.class(.text)]))
        #expect(first.derivation.sources == [0])
        let second = try #require(formats.choice(for: [.class(.text)], without: [.source(0)]))
        #expect(second.derivation.sources == [1])
        let third = try #require(formats.choice(for: [.class(.text)], without: [.source(0), .source(1)]))
        #expect(third.derivation.sources == [2])
        #expect(formats.choice(for: [.class(.text)], without: [.source(0), .source(1), .source(2)]) == nil)
    }

    @Test("If text cannot be decoded, other text is tried; the undecodable text is available by its name")
    func undecodable() throws {
        let sample = try Sample(("text/plain;charset=x-none", "a"), ("STRING", "b"))
        let first = try #require(sample.formats.choice(for: [.class(.text)]))
        let second = try #require(sample.formats.choice(for: [.class(.text)], without: [first.derivation]))
        #expect(first.derivation.sources.union(second.derivation.sources) == [0, 1])
        #expect(try sample.get("text/plain;charset=x-none") == "a")
    }

    @Test(
        "Another program's text is converted to UTF-8 under any name; a client's text is unchanged"
    )
    func foreign() throws {
        for isForeign in [false, true] {
            let source = FormatCatalog.Source(item: 0, type: .utf8PlainText, target: "UTF8_STRING")
            let formats = FormatCatalog([source], rules: .init(), isForeign: isForeign)
            let choice = try #require(formats.choice(for: [.class(.text)]))
            #expect(choice.derivation == (isForeign ? Derivation.source(0).then(.utf8Text) : .source(0)))
        }
        #expect(try Sample(("text/plain;charset=utf-8", "a\r\n")).get("text") == "a\r\n")
    }

    @Test("The cost of reading an item does not depend on the number of items")
    func many() throws {
        let items = (0..<5_000).map { [("text", Array("\($0)".utf8))] }
        let sample = try Sample(items: items)
        #expect(try sample.get("text", item: 4_999) == "4999")
        #expect(sample.names.first == "UTF8_STRING")
    }

    @Test("A request for a charset gets text in that charset, or nothing")
    func wantedCharset() throws {
        let sample = try Sample(("text", "hé"), ("text/html", "<p>é"))
        let latin = try #require(sample.formats.choice(for: [.mimeType("text/plain;charset=ISO-8859-1")]))
        #expect(try sample.make(latin.derivation).bytes() == [0x68, 0xE9])
        #expect(try sample.get("text/plain;charset=utf-8") == "hé")
        for charset in ["koi8-r", "us-ascii", "utf-16"] {
            #expect(try sample.get("text/plain;charset=\(charset)") == nil)
            #expect(try sample.get("text/html;charset=\(charset)") == nil)
        }
        for type in ["text/html;charset=iso-8859-1", "application/json;charset=latin1"] {
            #expect(try sample.get(type) == nil, "\(type)")
        }
    }

    @Test("If the owner refuses a target, another format is derived from the rest")
    func refused() throws {
        let formats = try Sample(("UTF8_STRING", "a"), ("text/html", "<p>b")).formats
        let choice = try #require(formats.choice(for: [.class(.text)], without: [.source(0)]))
        #expect(choice.derivation == Derivation.source(1).then(.plainTextFromHTML))
    }

    @Test("The first representation answers a class or a pattern")
    func order() throws {
        let sample = try Sample(("image/svg+xml", "svg"), ("image/png", "png"), ("text", "text"))
        #expect(try sample.get("image") == "svg")
        #expect(try sample.get("*") == "svg")
        #expect(try sample.get("public.data") == "svg")
    }

    @Test("No text is derived from markup without text, up to a limit on the markup that is read")
    func emptyMarkup() throws {
        let markup = Array("<p></p>".utf8) + Array(repeating: 0x20, count: 16_000)
        let file = try MemoryFile.containing(markup)
        let sources = (0..<100).map { FormatCatalog.Source(item: $0, type: .html, target: "text/html") }
        let formats = FormatCatalog(sources, rules: .init()).withoutEmptyTexts { _ in EncodedBytes(file) }
        #expect(formats.derived(items: 0..<10).isEmpty)
        #expect(formats.derived(items: 99..<100).map(\.type) == [.utf8PlainText])
    }
}
