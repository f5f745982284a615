import LinuxSystem
import Testing

struct CharacterSetTests {
    @Test(
        "A text in a set that the C library knows becomes UTF-8",
        arguments: [
            ("koi8-r", [0xF0, 0xD2, 0xC9, 0x21], "При!"), ("Shift_JIS", [0x93, 0xFA, 0x96, 0x7B, 0x41], "日本A"),
            ("GB18030", [0xC4, 0xE3, 0x82, 0x32, 0xA6, 0x37], "你䀀"), ("iso-8859-15", [0xA4, 0x61], "€a"),
            ("ISO-2022-JP", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x1B, 0x28, 0x42, 0x41], "日A"),
            ("utf-7", Array("+AOk-".utf8), "é"),
            ("koi8-r", [], ""), ("us-ascii", [0x00, 0x41], "\0A"),
        ] as [(String, [UInt8], String)])
    func decoding(charset: String, bytes: [UInt8], text: String) throws {
        #expect(try CharacterSet.utf8(from: bytes, charset: charset) == Array(text.utf8))
    }

    @Test("A character that could combine with the next comes out at the end")
    func combining() throws {
        #expect(try CharacterSet.utf8(from: [0x88, 0x66], charset: "BIG5-HKSCS") == Array("Ê".utf8))
        #expect(try CharacterSet.utf8(from: [0x61], charset: "TCVN5712-1") == Array("a".utf8))
    }

    @Test("A text longer than any buffer comes out whole", arguments: [65_535, 65_536, 65_537, 1_000_000])
    func long(count: Int) throws {
        let bytes = [UInt8](repeating: 0xC1, count: count)
        let text = try CharacterSet.utf8(from: bytes, charset: "koi8-r")
        #expect(text == Array(String(repeating: "а", count: count).utf8))
        #expect(throws: CharacterSetError.invalid(offset: count)) {
            try CharacterSet.utf8(from: bytes.map { _ in 0x41 } + [0xFF], charset: "us-ascii")
        }
    }

    @Test(
        "The first bad byte is told",
        arguments: [
            ("us-ascii", [0x41, 0x80], 1), ("shift_jis", [0x41, 0x93], 1), ("shift_jis", [0x41, 0x42, 0x93, 0x20], 2),
            ("utf-8", [0x41, 0xC3], 1), ("gb18030", [0xFF], 0),
        ] as [(String, [UInt8], Int)])
    func invalid(charset: String, bytes: [UInt8], offset: Int) {
        #expect(throws: CharacterSetError.invalid(offset: offset)) {
            try CharacterSet.utf8(from: bytes, charset: charset)
        }
    }

    @Test("A set that nobody knows is named", arguments: ["x-unheard-of", "utf-9", "..", "-"])
    func unknown(charset: String) {
        #expect(throws: CharacterSetError.unknown(charset)) { try CharacterSet.utf8(from: [0x41], charset: charset) }
    }

    @Test(
        "A name that could mean more than a set is refused",
        arguments: [
            "", "utf-8//TRANSLIT", "utf-8/", "../utf-8", "utf-8,x", "utf 8", "utf-8\0", "ütf-8", "utf-8\n",
            String(repeating: "a", count: 65),
        ])
    func names(charset: String) {
        #expect(throws: CharacterSetError.malformedName) { try CharacterSet.utf8(from: [0x41], charset: charset) }
    }
}
