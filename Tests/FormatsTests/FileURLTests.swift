import Formats
import TestRandom
import Testing

@Suite struct FileURLTests {
    @Test(
        "A path and its URL convert into each other, byte for byte",
        arguments: [
            ("/a/b.txt", "file:///a/b.txt"), ("/", "file:///"), ("/a b/%#?\n;", "file:///a%20b/%25%23%3F%0A%3B"),
            ("/é~_-.", "file:///%C3%A9~_-."), ("/a/..", "file:///a/.."), ("/%41", "file:///%2541"),
        ])
    func paths(path: String, url: String) throws {
        let file = try #require(FileURL(path: path.utf8))
        #expect(file.string == url)
        #expect(FileURL(url.utf8)?.path == Array(path.utf8))
    }

    @Test("A name that is not UTF-8 is preserved")
    func notUTF8() throws {
        let path: [UInt8] = [0x2F, 0xFF, 0xC3, 0x2F, 0x80]
        let file = try #require(FileURL(path: path))
        #expect(file.string == "file:///%FF%C3/%80")
        #expect(FileURL(file.string.utf8)?.path == path)
    }

    @Test(
        "Empty components and components that are a dot are removed",
        arguments: [("//a///b/", "/a/b"), ("/./a/./b/.", "/a/b"), ("///", "/"), ("/.", "/"), ("/.a/..b", "/.a/..b")])
    func normal(path: String, normal: String) throws {
        #expect(FileURL(path: path.utf8)?.path == Array(normal.utf8))
        #expect(FileURL("file://\(path)".utf8)?.path == Array(normal.utf8))
    }

    @Test("A path that is not absolute, or has a NUL, has no URL", arguments: ["", "a", "./a", "~/a", "/a\0b", "\0"])
    func notAPath(path: String) {
        #expect(FileURL(path: path.utf8) == nil)
    }

    @Test(
        "Every spelling that programs write is read, and other URLs are rejected",
        arguments: [
            ("file:/p", "/p"), ("FILE:///p", "/p"), ("file://localhost/p", "/p"), ("file://LocalHost/p", "/p"),
            ("file://tuxedo/p", "/p"), ("file://Tuxedo/p", "/p"), ("file:///a b/é", "/a b/é"),
            ("file:///a%2fb", "/a/b"), ("file:///%65%74%63%2f%61", "/etc/a"), ("file:///a%zz%4", "/a%zz%4"),
            ("file:///%e2%82%AC", "/€"),
            ("file:///a?q", "/a"), ("file:///a#f?q", "/a"), ("file:///a%3Fq", "/a?q"), ("file:////a", "/a"),
            ("file://", nil), ("file:", nil), ("file:a", nil), ("file://host/p", nil), ("file://tuxedo", nil),
            ("file:///a%00", nil), ("http://localhost/p", nil), ("/p", nil), ("", nil), ("fil", nil),
        ] as [(String, String?)])
    func spellings(url: String, path: String?) {
        #expect(FileURL(url.utf8, host: "tuxedo")?.path == path.map { Array($0.utf8) })
    }

    @Test("A URL may contain unescaped bytes that are not UTF-8")
    func rawBytes() {
        #expect(FileURL(Array("file:///a".utf8) + [0xFF])?.path == Array("/a".utf8) + [0xFF])
    }

    @Test(
        "A FILE_NAME contains a path, several paths separated by NULs, or a URL",
        arguments: [
            ("/a b%20", ["/a b%20"]), ("/a\0", ["/a"]), ("/a\0/b\0", ["/a", "/b"]), ("file:///a%20b\0", ["/a b"]),
            ("/a\0b\0/c", ["/a", "/c"]), ("a", []), ("", []), ("\0", []), ("file://elsewhere/a", []),
        ] as [(String, [String])])
    func fileName(name: String, paths: [String]) {
        #expect(FileURL.list(fileName: Array(name.utf8)).map(\.path) == paths.map { Array($0.utf8) })
    }

    @Test("Any path is restored from its URL", arguments: 0..<4 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let file = try #require(FileURL(path: [0x2F] + generator.bytes(upTo: 40, from: Array(1...255))))
            #expect(FileURL(file.string.utf8) == file, "seed \(seed)")
            #expect(FileURL(path: file.path) == file, "seed \(seed)")
            #expect(FileURL.list(fileName: file.path) == [file], "seed \(seed)")
        }
    }

    @Test("Any bytes after the scheme are rejected, or read as a path that its own URL restores")
    func anyBytes() {
        var generator = SeededGenerator(seed: 7)
        let alphabet = Array("/%.?#0a2F\0 \u{E9}".utf8)
        for _ in 0..<2000 {
            let url = Array("file:".utf8) + generator.bytes(upTo: 12, from: alphabet)
            guard let file = FileURL(url) else { continue }
            #expect(FileURL(file.string.utf8) == file, "\(url)")
        }
    }
}
