import Formats
import TestRandom
import Testing

@Suite struct URIListTests {
    private func strings(_ text: String) -> [String] {
        URIList(Array(text.utf8), host: "tuxedo").urls.map(\.string)
    }

    @Test("Each line is a URL and ends with CRLF")
    func writing() throws {
        let file = try #require(FileURL(path: "/a b".utf8))
        let list = URIList([.file(file), .other("https://example.com/?q#f")])
        #expect(String(decoding: list.bytes, as: UTF8.self) == "file:///a%20b\r\nhttps://example.com/?q#f\r\n")
        #expect(URIList(list.bytes) == list)
        #expect(URIList([]).bytes.isEmpty)
    }

    @Test(
        "Any line ending, a NUL and a missing last newline are accepted",
        arguments: [
            "file:///a\r\nfile:///b\r\n", "file:///a\r\nfile:///b", "file:///a\nfile:///b\n", "file:///a\nfile:///b",
            "file:///a\rfile:///b\r", "file:///a\r\nfile:///b\r\n\0", "file:///a\0file:///b\0",
            "\n\n file:///a \n\n\tfile:///b\r\r\n",
        ])
    func endings(text: String) {
        #expect(strings(text) == ["file:///a", "file:///b"])
    }

    @Test("Comments and lines that are not URLs are left out")
    func comments() {
        #expect(strings("#file:///c\r\n# x\r\nfile:///a\r\nnonsense\r\n:\r\n1a:b\r\nhttp:\r\n") == ["file:///a"])
        #expect(strings("") == [])
        #expect(strings("\0\r\n") == [])
    }

    @Test(
        "The URL of a file on this machine is normalized; other URLs are kept",
        arguments: [
            ("file:/a", "file:///a"), ("file://tuxedo/a", "file:///a"), ("file://nas/a", "file://nas/a"),
            ("file:///a b", "file:///a%20b"), ("/a b%20", "file:///a%20b%2520"), ("HTTP://a/%c3", "HTTP://a/%c3"),
            ("http://a/ü b", "http://a/ü%20b"), ("mailto:a@b.c", "mailto:a@b.c"), ("x-a+b.c:d\te", "x-a+b.c:d%09e"),
            ("file:relative", "file:relative"),
        ])
    func normalized(line: String, url: String) {
        #expect(strings(line) == [url])
    }

    @Test("Bytes of a URL that are not UTF-8 become escapes")
    func notUTF8() {
        let list = URIList(Array("http://a/".utf8) + [0xE9])
        #expect(list.urls == [.other("http://a/%E9")])
    }

    @Test("A list that was read and written is read again unchanged", arguments: 0..<4 as Range<UInt64>)
    func stable(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let alphabet = Array("file:///http:/%0#?\r\n\0 \u{E9}".utf8) + [0xFF]
        for _ in 0..<500 {
            let bytes = generator.bytes(upTo: 60, from: alphabet)
            let list = URIList(bytes)
            #expect(URIList(list.bytes) == list, "seed \(seed): \(bytes)")
            #expect(list.bytes.allSatisfy { $0 > 0x20 || $0 == 0x0D || $0 == 0x0A })
        }
    }
}
