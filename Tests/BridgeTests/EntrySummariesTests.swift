import Bridge
import BridgeState
import LinuxSystem
import PasteboardModel
import PasteboardStore
import Testing
import UniformTypes

@Suite struct EntrySummariesTests {
    /// - Parameter items: The names and bytes of each item's representations.
    private func summary(items: [[(String, [UInt8])]]) throws -> EntrySummary {
        var files: [MemoryFile] = []
        var contents = Contents()
        for item in items {
            var representations: [Representation] = []
            for (name, bytes) in item {
                let (type, target) = try #require(SourceType.concrete(named: name), "\(name)")
                representations.append(
                    Representation(type: type, target: target, source: files.count, range: 1..<bytes.count + 1))
                files.append(try MemoryFile.containing([0xFF] + bytes + [0xFF]))
            }
            contents.items.append(Item(representations: representations))
        }
        return EntrySummaries.summary(of: contents, files: files)
    }

    private func summary(_ representations: (String, [UInt8])...) throws -> EntrySummary {
        try summary(items: [representations])
    }

    private func text(_ representations: (String, String)...) throws -> String? {
        try summary(items: [representations.map { ($0, Array($1.utf8)) }]).text
    }

    private static let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        + [0, 0, 7, 0x80, 0, 0, 4, 0x38]

    @Test("The summary contains the plain text, in any encoding")
    func plainText() throws {
        #expect(try text(("public.html", "<b>rich</b>"), ("public.utf8-plain-text", "plain\n")) == "plain\n")
        #expect(try summary(("STRING", [0x68, 0xE9])).text == "hé")
        #expect(try summary(("text/plain;charset=utf-16", [0xFF, 0xFE, 0x61, 0])).text == "a")
        #expect(try summary(("text/plain;charset=koi8-r", [0xC1])).text == "а")
        #expect(try summary(("UTF8_STRING", [0x61, 0xFF])).text == "a\u{FFFD}")
    }

    @Test("The summary contains the plain text of HTML and RTF, the address of a link, and the CSS name of a color")
    func derivedText() throws {
        #expect(try text(("text/html", "<p>a <b>b</b></p>")) == "a b")
        #expect(try text(("text/rtf", "{\\rtf1 a {\\b b}}")) == "a b")
        #expect(try text(("public.url", "https://xpb.example/")) == "https://xpb.example/")
        #expect(try summary(("application/x-color", [0xFF, 0xFF, 0, 0, 0, 0, 0xFF, 0xFF])).text == "#ff0000")
    }

    @Test("The summary of files contains their paths, even if text comes with them")
    func files() throws {
        let list = "file:///tmp/a%20b\r\nfile:///tmp/c\r\n"
        #expect(try text(("text/uri-list", list)) == "/tmp/a b\n/tmp/c")
        #expect(
            try text(("x-special/gnome-copied-files", "cut\nfile:///d"), ("UTF8_STRING", "of the file manager")) == "/d"
        )
        let items: [[(String, [UInt8])]] = ["/a", "/b"].map { [("public.file-url", Array("file://\($0)".utf8))] }
        #expect(try summary(items: items).text == "/a\n/b")
    }

    @Test("The summary of several items has a line for each item with text")
    func items() throws {
        let items: [[(String, [UInt8])]] = [
            [("public.utf8-plain-text", Array("one".utf8))], [("public.png", Self.png)],
            [("text/html", Array("<i>two</i>".utf8))],
        ]
        let summary = try summary(items: items)
        #expect(summary.text == "one\ntwo")
        #expect([summary.width, summary.height] == [1920, 1080])
    }

    @Test("Damaged text is skipped, even if there is no other text")
    func damaged() throws {
        #expect(
            try summary(("text/plain;charset=utf-16le", [0, 0xD8, 0x61]), ("text/html", Array("<p>a".utf8))).text == "a"
        )
        #expect(try text(("text/rtf", "no such thing")) == nil)
        #expect(try text(("public.file-url", "nothing"), ("public.utf8-plain-text", "a")) == "a")
    }

    @Test("The summary of an image contains its size, and no text")
    func images() throws {
        let summary = try summary(("image/png", Self.png))
        #expect(summary == EntrySummary(text: nil, width: 1920, height: 1080))
        // The first image has no valid header, so the summary has the size of the second.
        #expect(try self.summary(("image/jpeg", [1, 2, 3]), ("image/png", Self.png)).width == 1920)
        #expect(try self.summary(("application/pdf", Self.png)) == EntrySummary())
        #expect(try text(("image/svg+xml", "<svg width='3' height='4'/>")) == nil)
    }

    @Test("Long text is cut between characters")
    func longText() throws {
        // Each "é" has two bytes, and a single byte precedes them.
        let text = "a" + String(repeating: "é", count: 2 << 20)
        let cut = try #require(try self.text(("public.utf8-plain-text", text)))
        #expect(cut.utf8.count == EntrySummaries.maxTextLength - 1)
        #expect(text.hasPrefix(cut))
        let html = try #require(try self.text(("text/html", "<p>" + text)))
        #expect(html == cut)
        let broken = try #require(
            try summary(("public.utf8-plain-text", [UInt8](repeating: 0xFF, count: 1 << 17))).text)
        #expect(broken.utf8.count <= EntrySummaries.maxTextLength)
    }

    /// Returns the bytes of code units in little-endian order.
    private func bytes(of units: [UInt16]) -> [UInt8] {
        unsafe units.map(\.littleEndian).withUnsafeBytes { unsafe Array($0) }
    }

    @Test("Long text in another encoding is cut between characters too")
    func longWideText() throws {
        // Every even offset that is not a multiple of four lies inside a surrogate pair.
        let text = "ab" + String(repeating: "𝄞", count: 1 << 19)
        for shift in ["", "a"] {
            let units = bytes(of: Array((shift + text).utf16))
            let cut = try #require(try summary(("text/plain;charset=utf-16le", units)).text)
            #expect((shift + text).hasPrefix(cut))
            #expect(cut.utf8.count > EntrySummaries.maxTextLength - 4)
        }
        let japanese = [0x61] + bytes(of: [UInt16](repeating: 0xA082, count: 1 << 20))
        let cut = try #require(try summary(("text/plain;charset=shift_jis", japanese)).text)
        #expect(cut.hasPrefix("aああ") && !cut.contains("\u{FFFD}"))
    }

    @Test("No more items are read than fit into the summary")
    func manyItems() throws {
        let items: [[(String, [UInt8])]] = (0..<40).map { _ in
            [("public.utf8-plain-text", [UInt8](repeating: 0x61, count: 10_000))]
        }
        #expect(try summary(items: items).text?.utf8.count == EntrySummaries.maxTextLength)
    }

    @Test("The summary of a secret, and of unavailable bytes, is empty")
    func secrets() throws {
        #expect(
            try summary(
                ("public.utf8-plain-text", Array("hunter2".utf8)), ("x-kde-passwordManagerHint", Array("secret".utf8)))
                == EntrySummary())
        let file = try MemoryFile.containing(Array("ab".utf8))
        for representation in [
            Representation(type: .utf8PlainText, source: 1, range: 0..<1),
            Representation(type: .utf8PlainText, source: 0, range: 1..<3), Representation(type: .png, range: 0..<9),
        ] {
            let contents = Contents(items: [Item(representations: [representation]), Item(representations: [])])
            #expect(EntrySummaries.summary(of: contents, files: [file]) == EntrySummary())
        }
        #expect(EntrySummaries.summary(of: Contents(), files: []) == EntrySummary())
    }
}
