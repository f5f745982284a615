import Testing
import UniformTypes

@Suite struct UniformTypeTagsTests {
    @Test("A supertype selects among types with the same tag")
    func choosing() {
        #expect(
            UniformType(filenameExtension: "ts", conformingTo: .sourceCode)?.identifier == "com.microsoft.typescript")
        #expect(UniformType(filenameExtension: "ts", conformingTo: .movie) == .mpeg2TransportStream)
        #expect(UniformType(filenameExtension: "mp4", conformingTo: .audio) == .mpeg4Audio)
        #expect(
            UniformType(filenameExtension: "key", conformingTo: .package)?.identifier == "com.apple.iWork.Keynote.key")
        #expect(UniformType(mimeType: "text/plain;charset=utf-8", conformingTo: .text) == .utf8PlainText)
        #expect(UniformType(tag: "application/rtf", tagClass: .selectionTarget, conformingTo: .text) == .rtf)
    }

    @Test("If no type with the tag conforms to the supertype, the type is dynamic and contains the tag")
    func dynamic() throws {
        let mime = try #require(UniformType(mimeType: "Image/PNG", conformingTo: .audio))
        #expect(mime.isDynamic && mime.conforms(to: .audio) && !mime.conforms(to: .image))
        #expect(mime.preferredMIMEType == "image/png")
        let name = try #require(UniformType(filenameExtension: "PNG", conformingTo: .yaml))
        #expect(name.isDynamic && name.conforms(to: .text) && name.preferredFilenameExtension == "png")
        let target = try #require(UniformType(tag: "UTF8_STRING", tagClass: .selectionTarget, conformingTo: .image))
        #expect(target.isDynamic && target.conforms(to: .image))
        #expect(target.tags == [.selectionTarget: ["UTF8_STRING"]])
    }

    @Test("All types with a tag are listed, preferred type first")
    func listing() {
        #expect(
            UniformType.types(tag: "TS", tagClass: .filenameExtension).map(\.identifier)
                == ["public.mpeg-2-transport-stream", "com.microsoft.typescript"])
        #expect(UniformType.types(tag: "ts", tagClass: .filenameExtension, conformingTo: .text).count == 1)
        #expect(
            UniformType.types(tag: "text/plain;charset=utf-8", tagClass: .mimeType) == [.utf8PlainText, .plainText])
        #expect(UniformType.types(tag: "text/uri-list", tagClass: .mimeType) == [.fileURL])
        #expect(UniformType.types(tag: "STRING", tagClass: .selectionTarget) == [.plainText])
        #expect(UniformType.types(tag: "kaya", tagClass: .filenameExtension).isEmpty)
        #expect(UniformType.types(tag: "no MIME type", tagClass: .mimeType).isEmpty)
        #expect(UniformType.types(tag: "png", tagClass: UniformTypeTagClass(rawValue: "com.example.x")).isEmpty)
    }

    @Test(
        "A tag that its class cannot have is rejected",
        arguments: [
            ("a b", UniformTypeTagClass.mimeType), ("a.b", .filenameExtension), ("TARGETS", .selectionTarget),
            ("a\nb", .selectionTarget), ("", .selectionTarget), ("png", UniformTypeTagClass(rawValue: "com.example.x")),
        ])
    func impossible(tag: String, tagClass: UniformTypeTagClass) {
        #expect(UniformType(tag: tag, tagClass: tagClass) == nil)
    }

    @Test("Tags are listed by class, and classes without tags are missing")
    func tags() {
        #expect(
            UniformType.jpeg.tags == [
                .mimeType: ["image/jpeg", "image/jpg"], .filenameExtension: ["jpeg", "jpg", "jpe"],
                .selectionTarget: ["image/jpeg"],
            ])
        #expect(
            UniformType.fileURL.tags == [
                .selectionTarget: ["text/uri-list", "x-special/gnome-copied-files", "x-special/mate-copied-files"]
            ])
        #expect(UniformType.item.tags == [:])
        #expect(UniformType(target: "X/Kaya").tags == [.mimeType: ["X/Kaya"], .selectionTarget: ["X/Kaya"]])
    }

    @Test("Only the letters A to Z are compared without regard to case")
    func letters() {
        #expect(UniformType(filenameExtension: "\u{212A}ey")?.isDynamic == true)
        #expect(UniformType(filenameExtension: "KEY") == UniformType(filenameExtension: "key"))
        #expect(UniformType(mimeType: "text/plain\u{37E}charset=utf-8") == nil)
        #expect(UniformType("public.\u{212A}ey") == nil)
    }

    @Test("A type is neither a subtype nor a supertype of itself")
    func relations() {
        #expect(UniformType.png.isSubtype(of: .image) && UniformType.image.isSupertype(of: .png))
        #expect(!UniformType.png.isSubtype(of: .png) && !UniformType.png.isSupertype(of: .png))
        #expect(!UniformType.image.isSubtype(of: .png) && !UniformType.png.isSupertype(of: .image))
        #expect(UniformType.png.conforms(to: .png))
    }
}
