import Formats
import Testing

@Suite struct CodePageTests {
    @Test("Every code page has 128 upper characters, and ASCII below them", arguments: CodePage.allCases)
    func characters(page: CodePage) {
        #expect(page.upperUTF8.count == 128)
        #expect(page.decoded(Array(0..<0x80)[...]) == Array(0..<0x80))
    }

    @Test("Windows-1252 as a code page and as a text encoding are the same")
    func windows1252() throws {
        let bytes = Array(UInt8.min...UInt8.max)
        #expect(try TextEncoding.windows1252.utf8(from: bytes) == CodePage.windows1252.decoded(bytes[...]))
    }

    @Test(
        "Undefined bytes are control characters below 160 in Windows code pages, and otherwise U+FFFD",
        arguments: [
            (.windows1253, [0x81, 0xAA, 0xFF], "\u{81}\u{FFFD}\u{FFFD}"), (.windows1252, [0x80, 0x9D], "€\u{9D}"),
            (.windows1255, [0xC9, 0xCA, 0xCB], "\u{5B9}\u{5BA}\u{5BB}"),
        ] as [(CodePage, [UInt8], String)])
    func undefined(page: CodePage, bytes: [UInt8], text: String) {
        #expect(page.decoded(bytes[...]) == Array(text.utf8))
    }
}
