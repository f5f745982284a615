import Testing
import UniformTypes

@Suite struct MIMETypeTests {
    @Test(
        "A MIME type is parsed, in lower case and without spaces around its parts",
        arguments: [
            ("image/png", "image/png", "image/png", nil), (" Image/PNG ", "image/png", "image/png", nil),
            ("Text/Plain ; CharSet=\"UTF-8\"", "text/plain", "text/plain;charset=\"utf-8\"", "utf-8"),
            (
                "text/plain;format=flowed;charset=koi8-r", "text/plain", "text/plain;format=flowed;charset=koi8-r",
                "koi8-r"
            ),
            ("a/b;c=\"x ; charset=y\"", "a/b", "a/b;c=\"x ; charset=y\"", nil), ("a/b;", "a/b", "a/b;", nil),
            ("a/b;c=\u{212A}É", "a/b", "a/b;c=\u{212A}É", nil), ("a/b;c=\"open", "a/b", "a/b;c=\"open", nil),
        ] as [(String, String, String, String?)])
    func parts(name: String, essence: String, normalized: String, charset: String?) throws {
        let mime = try #require(MIMEType(name))
        #expect(mime.essence == essence && mime.normalized.isExactly(normalized) && mime.charset == charset)
    }

    @Test(
        "Any other string is rejected",
        arguments: [
            "", "/", "a/", "/b", "a", "a/b/c", "a b/c", "a/b c", "a/b\n", "a/b;\t", "a/b,c", "é/b", "a/\u{301}", ";a/b",
            "a/b\u{301}", "\"a\"/b", "a/" + String(repeating: "b", count: 1023),
        ])
    func others(name: String) {
        #expect(MIMEType(name) == nil)
    }
}

@Suite struct WebCustomFormatTests {
    @Test(
        "Each numbered custom format has an identifier, and the two convert into each other",
        arguments: [
            "0", "7", "10", "99", "123456789",
        ])
    func both(number: String) throws {
        let target = "application/web;type=\"custom/format\(number)\""
        let type = UniformType(target: target)
        #expect(type.identifier == "org.w3.web-custom-format.type-\(number)")
        #expect(X11Targets.names(for: type, given: nil, exact: false) == [target])
        #expect(type.preferredMIMEType == target)
        #expect(UniformType(mimeType: target) == type)
        #expect(type.isDeclared && !type.isDynamic && type.conforms(to: .data))
    }

    @Test("The map of the custom formats has a type of its own")
    func map() {
        let target = "application/web;type=\"custom/formatmap\""
        #expect(UniformType(target: target).identifier == "org.w3.web-custom-format.map")
        #expect(X11Targets.names(for: UniformType(target: target), given: nil, exact: false) == [target])
    }

    @Test(
        "A target without a decimal number is not a custom format",
        arguments: [
            "00", "01", "", "-1", "1a", "1234567890", "٣",
        ])
    func others(number: String) {
        let target = "application/web;type=\"custom/format\(number)\""
        #expect(UniformType(target: target).isDynamic)
        #expect(X11Targets.names(for: UniformType(target: target), given: nil, exact: false) == [target])
        #expect(UniformType("org.w3.web-custom-format.type-\(number)")?.isDeclared != true)
    }
}
