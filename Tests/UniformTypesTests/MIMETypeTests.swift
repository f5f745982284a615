import Testing

@testable import UniformTypes

@Suite struct MIMETypeTests {
    @Test(
        "A MIME type is taken apart, with small letters and no spaces around its parts",
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
        "What is not of that form is none",
        arguments: [
            "", "/", "a/", "/b", "a", "a/b/c", "a b/c", "a/b c", "a/b\n", "a/b;\t", "a/b,c", "é/b", "a/\u{301}", ";a/b",
            "a/b\u{301}", "\"a\"/b", "a/" + String(repeating: "b", count: 1023),
        ])
    func others(name: String) {
        #expect(MIMEType(name) == nil)
    }
}
