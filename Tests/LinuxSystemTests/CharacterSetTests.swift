import LinuxSystem
import TestRandom
import Testing

struct CharacterSetTests {
    @Test(
        "Text in an older character set becomes UTF-8",
        arguments: [
            ("koi8-r", [0xF0, 0xD2, 0xC9, 0x21], "При!"), ("Shift_JIS", [0x93, 0xFA, 0x96, 0x7B, 0x41], "日本A"),
            ("GB18030", [0xC4, 0xE3, 0x82, 0x32, 0xA6, 0x37], "你䀀"), ("iso-8859-15", [0xA4, 0x61], "€a"),
            ("ISO-2022-JP", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x1B, 0x28, 0x42, 0x41], "日A"),
            ("koi8-r", [], ""), ("koi8-u", [0x00, 0x41], "\0A"),
            ("macintosh", [0x8E, 0xDB], "é€"), ("x-mac-cyrillic", [0x80, 0xA2], "АҐ"), ("cp1251", [0xCF, 0x88], "П€"),
            ("latin2", [0xB1], "ą"), ("ISO-8859-8-I", [0xE0], "א"), ("iso-8859-9", [0xFD, 0x80], "ı€"),
            ("windows-874", [0xA1, 0x80], "ก€"), ("gb2312", [0xC4, 0xE3, 0x80], "你€"), ("big5", [0xA4, 0xA4], "中"),
            ("sjis", [0x87, 0x40, 0x81, 0x60], "①～"), ("euc-jp", [0xAD, 0xA1, 0xA1, 0xC1], "①～"),
            ("euc-kr", [0x81, 0x41, 0xB0, 0xA1], "갂가"), ("ks_c_5601-1987", [0xB0, 0xA1], "가"),
        ] as [(String, [UInt8], String)])
    func decoding(charset: String, bytes: [UInt8], text: String) throws {
        #expect(try CharacterSet.utf8(from: bytes, charset: charset) == Array(text.utf8))
    }

    @Test("A last character that could have combined with another character is not lost")
    func combining() throws {
        #expect(try CharacterSet.utf8(from: [0x88, 0x66], charset: "BIG5-HKSCS") == Array("Ê".utf8))
        #expect(try CharacterSet.utf8(from: [0x61], charset: "windows-1258") == Array("a".utf8))
    }

    @Test("Text longer than the buffer is converted completely", arguments: [65_535, 65_536, 65_537, 1_000_000])
    func long(count: Int) throws {
        let bytes = [UInt8](repeating: 0xC1, count: count)
        let text = try CharacterSet.utf8(from: bytes, charset: "koi8-r")
        #expect(text == Array(String(repeating: "а", count: count).utf8))
        #expect(throws: CharacterSetError.invalid(offset: count)) {
            try CharacterSet.utf8(from: bytes.map { _ in 0x41 } + [0xFF], charset: "iso-2022-jp")
        }
    }

    @Test(
        "The offset of the first invalid byte is reported",
        arguments: [
            ("iso-8859-7", [0x41, 0xFF], 1), ("shift_jis", [0x41, 0x93], 1),
            ("shift_jis", [0x41, 0x42, 0x93, 0x20], 2), ("gbk", [0x41, 0xC3], 1), ("gb18030", [0xFF], 0),
        ] as [(String, [UInt8], Int)])
    func invalid(charset: String, bytes: [UInt8], offset: Int) {
        #expect(throws: CharacterSetError.invalid(offset: offset)) {
            try CharacterSet.utf8(from: bytes, charset: charset)
        }
    }

    @Test(
        "Every encoding of the Encoding Standard that is not decoded elsewhere is supported",
        arguments: [
            "ibm866", "iso-8859-2", "iso-8859-3", "iso-8859-4", "iso-8859-5", "iso-8859-6", "iso-8859-7", "iso-8859-8",
            "iso-8859-8-i", "iso-8859-9", "iso-8859-10", "iso-8859-11", "iso-8859-13", "iso-8859-14", "iso-8859-15",
            "iso-8859-16", "koi8-r", "koi8-u", "macintosh", "windows-874", "windows-1250", "windows-1251",
            "windows-1253", "windows-1254", "windows-1255", "windows-1256", "windows-1257", "windows-1258",
            "x-mac-cyrillic", "gbk", "gb2312", "gb18030", "big5", "big5-hkscs", "euc-jp", "iso-2022-jp", "shift_jis",
            "euc-kr", "latin9", "koi8-ru", "cp819", "CP1251", "iso88592", "l2", "windows-31j", "cp949",
        ])
    func opens(charset: String) throws {
        #expect(try CharacterSet.utf8(from: Array("a b".utf8), charset: charset) == Array("a b".utf8))
        var generator = SeededGenerator(seed: 0x5E7)
        for round in 0..<200 {
            let bytes = generator.bytes(atMost: 40)
            guard let text = try? CharacterSet.utf8(from: bytes, charset: charset) else { continue }
            #expect(String(validating: text, as: UTF8.self) != nil, "round \(round) of seed 0x5E7: \(bytes)")
        }
    }

    @Test(
        "A character set that is not listed is unknown, even if the C library supports it",
        arguments: [
            "x-unheard-of", "utf-9", "..", "-", "utf-7", "UCS-4", "IBM1364", "ISO-2022-JP-3", "ISO-2022-CN-EXT",
            "iso-8859-12", "windows-1259", "euc-jisx0213",
        ])
    func unknown(charset: String) {
        #expect(throws: CharacterSetError.unknown(charset)) { try CharacterSet.utf8(from: [0x41], charset: charset) }
    }

    @Test(
        "A name with characters that MIME charset names cannot have is refused",
        arguments: [
            "", "utf-8//TRANSLIT", "utf-8/", "../utf-8", "utf-8,x", "utf 8", "utf-8\0", "ütf-8", "utf-8\n",
            String(repeating: "a", count: 65),
        ])
    func names(charset: String) {
        #expect(throws: CharacterSetError.malformedName) { try CharacterSet.utf8(from: [0x41], charset: charset) }
    }
}
