import Formats
import TestRandom
import Testing

@Suite struct MozURLTests {
    private let link: TitledURL

    init() throws {
        link = try #require(TitledURL(url: "https://example.com/", title: "Exämple 日𝄞"))
    }

    @Test("A link is UTF-16LE without a byte order mark, with the URL and the title on separate lines")
    func writing() throws {
        #expect(MozURL.bytes(of: [link]) == "https://example.com/\nExämple 日𝄞".utf16Bytes())
        let bare = try #require(TitledURL(url: "http://a/"))
        #expect(MozURL.bytes(of: [bare, link]) == "http://a/\n\nhttps://example.com/\nExämple 日𝄞".utf16Bytes())
        #expect(MozURL.bytes(of: [bare]) == "http://a/\n".utf16Bytes())
        #expect(MozURL.bytes(of: [TitledURL]()) == [])
    }

    @Test(
        "Every spelling that programs write is read",
        arguments: [
            "https://example.com/\nExämple 日𝄞".utf16Bytes(),
            "https://example.com/\nExämple 日𝄞".utf16Bytes() + [0],
            "https://example.com/\nExämple 日𝄞\n\0".utf16Bytes(),
            "\u{FEFF}https://example.com/\nExämple 日𝄞".utf16Bytes(),
            "\u{FEFF}https://example.com/\nExämple 日𝄞".utf16Bytes(littleEndian: false),
            "https://example.com/\nExämple 日𝄞".utf16Bytes(littleEndian: false),
            "https://example.com/\r\nExämple 日𝄞\r\n".utf16Bytes(),
            Array("https://example.com/\nExämple 日𝄞".utf8), Array("\u{FEFF}https://example.com/\nExämple 日𝄞\0".utf8),
        ])
    func spellings(bytes: [UInt8]) {
        #expect(MozURL.links(in: bytes) == [link])
    }

    @Test("Several links are read and written, including links without a title")
    func several() {
        let text = "http://a/\nA\nhttp://b/\n\nhttp://c/"
        let links = [TitledURL(url: "http://a/", title: "A"), TitledURL(url: "http://b/"), TitledURL(url: "http://c/")]
        #expect(MozURL.links(in: text.utf16Bytes()) == links)
        #expect(MozURL.links(in: MozURL.bytes(of: links.compactMap(\.self))) == links)
        #expect(MozURL.links(in: "\nA\nhttp://b/".utf16Bytes()) == [TitledURL(url: "http://b/")])
        #expect(MozURL.links(in: []) == [])
        #expect(MozURL.links(in: [0x41]) == [TitledURL(url: "A")])
    }

    @Test("Half a character is replaced, and the rest is read")
    func damaged() {
        let bytes = "http://a/\nx".utf16Bytes() + [0x00, 0xD8] + "y".utf16Bytes()
        #expect(MozURL.links(in: bytes) == [TitledURL(url: "http://a/", title: "x\u{FFFD}y")])
    }

    @Test("A line break in a title becomes a space, and one in a URL is removed")
    func breaks() throws {
        let odd = try #require(TitledURL(url: "http://a\r\n/ ", title: " a\nb\r\nc\0"))
        #expect(odd.url == "http://a/")
        #expect(odd.title == "a b  c")
        #expect(TitledURL(url: "a", title: "\n")?.title == nil)
    }

    @Test(
        "Text that does not begin with an ASCII character is not a URL",
        arguments: ["", "\n", "é", "\u{FEFF}http://a/"]
    )
    func noURL(url: String) {
        #expect(TitledURL(url: url) == nil)
    }

    @Test("Two other targets contain only the URL and only the title")
    func parts() {
        #expect(MozURL.url(in: "http://a/".utf16Bytes()) == "http://a/")
        #expect(MozURL.url(in: Array("http://a/".utf8)) == "http://a/")
        #expect(MozURL.url(in: []) == nil)
        #expect(MozURL.title(in: "日本".utf16Bytes()) == "日本")
        #expect(MozURL.title(in: "abc\0".utf16Bytes()) == "abc")
        #expect(MozURL.title(in: "ab".utf16Bytes(littleEndian: false)) == "ab")
        #expect(MozURL.title(in: "\u{FEFF}日".utf16Bytes(littleEndian: false)) == "日")
        #expect(MozURL.title(in: Array("Title".utf8)) == "Title")
        #expect(MozURL.title(in: []) == nil)
    }

    @Test("_NETSCAPE_URL has the same lines in UTF-8 or Latin-1")
    func netscape() {
        #expect(MozURL.netscapeBytes(of: link) == Array("https://example.com/\nExämple 日𝄞".utf8))
        #expect(MozURL.link(inNetscape: MozURL.netscapeBytes(of: link)) == link)
        #expect(
            MozURL.link(inNetscape: Array("http://a/\n".utf8) + [0xE9, 0]) == TitledURL(url: "http://a/", title: "é"))
        #expect(MozURL.link(inNetscape: Array("http://a/".utf8)) == TitledURL(url: "http://a/"))
        #expect(MozURL.link(inNetscape: [0x0A]) == nil)
    }

    @Test("Links that were read and written are read again unchanged", arguments: 0..<4 as Range<UInt64>)
    func stable(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let bytes = "http:".utf16Bytes() + generator.text(upTo: 30).utf16Bytes() + generator.bytes(upTo: 4)
            let links = MozURL.links(in: bytes)
            #expect(!links.isEmpty, "seed \(seed)")
            #expect(MozURL.links(in: MozURL.bytes(of: links)) == links, "seed \(seed): \(bytes)")
            for link in links {
                #expect(MozURL.link(inNetscape: MozURL.netscapeBytes(of: link)) == link, "seed \(seed): \(bytes)")
            }
        }
    }

    @Test("Any bytes are read as links or rejected")
    func anyBytes() {
        var generator = SeededGenerator(seed: 9)
        for _ in 0..<2000 {
            let bytes = generator.bytes(upTo: 30, from: [0, 0x0A, 0x0D, 0x20, 0x41, 0xD8, 0xDC, 0xFE, 0xFF])
            #expect(MozURL.links(in: bytes).allSatisfy { !$0.url.isEmpty && $0.title != "" })
            #expect(MozURL.title(in: bytes) != "")
            #expect(MozURL.link(inNetscape: bytes)?.url != "")
        }
    }
}
