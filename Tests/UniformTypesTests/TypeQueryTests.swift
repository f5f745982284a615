import Testing
import UniformTypes

@Suite struct TypeQueryTests {
    @Test("The kind of a TYPE is determined by its form")
    func forms() {
        #expect(TypeQuery.parse("public.png") == .identifier(.png))
        #expect(TypeQuery.parse(".png") == .identifier(.png))
        #expect(TypeQuery.parse("image/png") == .mimeType("image/png"))
        #expect(TypeQuery.parse("UTF8_STRING") == .target("UTF8_STRING"))
        #expect(TypeQuery.parse("text") == .class(.text))
        #expect(TypeQuery.parse("TEXT") == .target("TEXT"))
        #expect(TypeQuery.parse("image/*") == .pattern("image/*"))
    }

    @Test(
        "A name that no type can have is rejected",
        arguments: [
            "", ".", "a\nb", "a\0", " text", "text ", ".a/b", String(repeating: "x", count: 2000),
        ])
    func impossible(name: String) {
        #expect(TypeQuery.parse(name) == nil)
        #expect(SourceType.concrete(named: name) == nil)
    }

    @Test("A bare filename extension names its type where no target is declared")
    func bareExtensions() {
        #expect(TypeQuery.parse("png")?.byExtension == .identifier(.png))
        #expect(TypeQuery.parse("mp3")?.byExtension == TypeQuery.parse(".mp3"))
        for name in ["text", "UTF8_STRING", "PNG", "image/png", ".png", "public.png", "c", "nosuchextension"] {
            #expect(TypeQuery.parse(name)?.byExtension == nil, "\(name)")
        }
    }

    @Test("A declared type is spelled as in its declaration")
    func spelling() {
        #expect(SourceType.concrete(named: "PUBLIC.PNG")?.type.identifier == "public.png")
        #expect(
            SourceType.concrete(named: "org.nspasteboard.concealedtype")?.type.identifier
                == "org.nspasteboard.ConcealedType")
        #expect(SourceType.concrete(named: "com.example.Note")?.type.identifier == "com.example.Note")
    }

    @Test("Text is converted if requested by identifier or class, but not if requested by MIME type or target")
    func decoding() throws {
        for (name, decoded) in [
            ("text", true), ("html", true), ("public.utf8-plain-text", true), (".txt", true), ("public.html", true),
            ("text/plain", false), ("UTF8_STRING", false), ("public.utf16-plain-text", false), ("image", false),
            ("text/*", false),
        ] {
            #expect(try #require(TypeQuery.parse(name)).wantsDecodedText == decoded, "\(name)")
        }
    }
}
