import Testing
import UniformTypes

@Suite struct SourceTypeTests {
    @Test("A type that is given as a target keeps the target")
    func named() throws {
        let rtf = try #require(SourceType.concrete(named: "application/rtf"))
        #expect(rtf.type == .rtf && rtf.target == "application/rtf")
        let text = try #require(SourceType.concrete(named: "text"))
        #expect(text.type == .utf8PlainText && text.target == nil)
        let png = try #require(SourceType.concrete(named: ".png"))
        #expect(png.type == .png && png.target == nil)
        let custom = try #require(SourceType.concrete(named: "X_CUSTOM"))
        #expect(custom.type.isDynamic && custom.target == "X_CUSTOM")
    }

    @Test(
        "A name without one concrete type is rejected",
        arguments: ["image", "audio", "video", "image/*", "TARGETS", "DELETE"])
    func abstract(name: String) {
        #expect(SourceType.concrete(named: name) == nil)
    }

    @Test("Text is recognized as text, whatever its beginning and its file name")
    func text() {
        for text in ["MM..", "BM", "%PDF-", "[Desktop Entry]", ""] {
            #expect(
                SourceType.sniff(prefix: Array(text.utf8), form: .utf8, fileName: "a.png")
                    == "public.utf8-plain-text")
        }
    }

    @Test(
        "The type of other bytes is determined by their beginning",
        arguments: [
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "public.png"),
            ([0xFF, 0xD8, 0xFF, 0xE0], "public.jpeg"),
            (Array("II*\0".utf8), "public.tiff"),
            (Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBP".utf8), "org.webmproject.webp"),
            (Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WAVE".utf8), "public.data"),
            (Array("BM".utf8) + [0xFF], "public.data"),
            ([0xFF, 0xFE, 0x61, 0], "public.plain-text"),
            ([0xFE, 0xFF, 0, 0x61], "public.plain-text"),
            ([], "public.data"),
        ] as [([UInt8], String)])
    func signatures(bytes: [UInt8], type: String) {
        #expect(SourceType.sniff(prefix: bytes, form: .binary, fileName: nil) == type)
    }

    @Test("If the bytes indicate no type, a known filename extension does")
    func names() {
        func type(_ name: String) -> String { SourceType.sniff(prefix: [0, 1], form: .binary, fileName: name) }
        #expect(type("/a.b/c.JPG") == "public.jpeg")
        #expect(type("/a.png/c") == "public.data")
        #expect(type(".png") == "public.data")
        #expect(type("c.kaya") == "public.data")
    }

    @Test("Text in another encoding is text, unless its beginning or its file name indicates another type")
    func otherText() {
        func type(_ bytes: [UInt8], _ name: String? = nil) -> String {
            SourceType.sniff(prefix: bytes, form: .otherText, fileName: name)
        }
        #expect(type(Array("caf".utf8) + [0xE9]) == "public.plain-text")
        #expect(type(Array("caf".utf8) + [0xE9], "a.html") == "public.html")
        #expect(type(Array("%PDF-1.7 ".utf8) + [0xE9]) == "com.adobe.pdf")
        let bytes = (0...255).filter { SourceType.isTextByte($0) }
        #expect(bytes == [7, 8, 9, 10, 11, 12, 13, 27] + Array(32...126) + Array(128...255))
    }
}
