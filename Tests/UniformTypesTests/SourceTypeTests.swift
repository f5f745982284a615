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

    @Test("Text is text, whatever its beginning and its file name")
    func text() {
        for text in ["MM..", "BM", "%PDF-", "[Desktop Entry]", ""] {
            #expect(
                SourceType.sniff(prefix: Array(text.utf8), isUTF8Text: true, fileName: "a.png")
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
            ([], "public.data"),
        ] as [([UInt8], String)])
    func signatures(bytes: [UInt8], type: String) {
        #expect(SourceType.sniff(prefix: bytes, isUTF8Text: false, fileName: nil) == type)
    }

    @Test("If the bytes indicate no type, a known filename extension does")
    func names() {
        func type(_ name: String) -> String { SourceType.sniff(prefix: [0, 1], isUTF8Text: false, fileName: name) }
        #expect(type("/a.b/c.JPG") == "public.jpeg")
        #expect(type("/a.png/c") == "public.data")
        #expect(type(".png") == "public.data")
        #expect(type("c.kaya") == "public.data")
    }
}
