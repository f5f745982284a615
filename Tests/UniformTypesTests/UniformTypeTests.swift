import Foundation
import Testing
import UniformTypes

@Suite struct UniformTypeTests {
    @Test("Identifiers are compared without regard to case, and keep their spelling")
    func comparison() throws {
        let capitals = try #require(UniformType("PUBLIC.PNG"))
        #expect(capitals == .png)
        #expect(capitals.identifier == "PUBLIC.PNG")
        #expect(capitals.preferredMIMEType == "image/png")
        #expect(Set([capitals, .png]).count == 1)
    }

    @Test(
        "A string that is not an identifier is rejected",
        arguments: [
            "", "png", ".png", "public.", "public..png", "image/png", "public.png ", "public_x.png", "public.pñg",
            "a." + String(repeating: "b", count: 254),
        ])
    func invalid(identifier: String) {
        #expect(UniformType(identifier) == nil)
    }

    @Test(
        "A MIME type gives its type in any spelling",
        arguments: [
            ("image/png", UniformType.png), ("IMAGE/PNG", .png), ("image/jpg", .jpeg), ("text/plain", .plainText),
            ("text/plain; charset=UTF-8", .utf8PlainText), ("text/plain;charset=\"utf-8\"", .utf8PlainText),
            ("text/plain;format=flowed;charset=utf8", .utf8PlainText), ("text/plain;charset=koi8-r", .plainText),
            ("text/plain;charset=utf-16", .utf16PlainText), ("text/html;charset=utf-8", .html), ("text/xml", .xml),
        ])
    func mimeTypes(name: String, type: UniformType) {
        #expect(UniformType(mimeType: name) == type)
        #expect(UniformType(target: name) == type)
    }

    @Test(
        "A string that is not a MIME type is rejected", arguments: ["", "text", "text/", "/plain", "a/b/c", "a b/c"])
    func noMIMEType(name: String) {
        #expect(UniformType(mimeType: name) == nil)
    }

    @Test("A filename extension gives its type, and an unknown extension a dynamic type that contains the extension")
    func extensions() throws {
        #expect(UniformType(filenameExtension: "JPG") == .jpeg)
        let unknown = try #require(UniformType(filenameExtension: "kaya"))
        #expect(unknown.isDynamic && !unknown.isDeclared)
        #expect(unknown.preferredFilenameExtension == "kaya")
        #expect(UniformType(filenameExtension: "tar/gz") == nil)
    }

    @Test("Supertypes are listed once, nearest first")
    func supertypes() {
        #expect(
            UniformType.svg.supertypes
                == [
                    "public.image", "public.xml", "public.data", "public.content",
                    "public.text", "public.item",
                ].compactMap(UniformType.init(_:)))
        #expect(UniformType.content.supertypes.isEmpty)
    }

    @Test("Markup is text and not plain text, and URLs have no MIME type")
    func easilyMistaken() {
        for type in [UniformType.html, .rtf, .xml, .json] {
            #expect(type.conforms(to: .text) && !type.conforms(to: .plainText))
        }
        #expect(UniformType.url.preferredMIMEType == nil && UniformType.fileURL.preferredMIMEType == nil)
        #expect(UniformType.text.conforms(to: .data) && UniformType.text.conforms(to: .content))
    }

    @Test("A type is encoded as its identifier")
    func coding() throws {
        let data = try JSONEncoder().encode([UniformType.png])
        #expect(String(decoding: data, as: UTF8.self) == #"["public.png"]"#)
        #expect(try JSONDecoder().decode([UniformType].self, from: data) == [.png])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([UniformType].self, from: Data(#"["image/png"]"#.utf8))
        }
    }

    @Test("Every built-in type is listed once")
    func builtIn() {
        let types = UniformType.builtIn
        #expect(types.count > 600 && Set(types).count == types.count)
        #expect(types.allSatisfy { $0.isBuiltIn && $0.isDeclared })
        #expect(types.contains(.png) && types.contains(.utf8PlainText))
    }

    @Test("An undeclared type is not built in", arguments: ["com.example.unknown", "dyn.ah62d4rv4gu8yq55tebbgc6u"])
    func others(identifier: String) throws {
        #expect(try !#require(UniformType(identifier)).isBuiltIn)
    }
}
