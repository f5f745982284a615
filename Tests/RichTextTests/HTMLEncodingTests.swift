import Formats
import RichText
import Testing

@Suite struct HTMLEncodingTests {
    private func utf16(_ text: String, littleEndian: Bool) -> [UInt8] {
        text.utf16.flatMap { littleEndian ? [UInt8($0 & 0xFF), UInt8($0 >> 8)] : [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    }

    @Test("A byte order mark determines the encoding, and is removed")
    func byteOrderMark() {
        for (bytes, encoding) in [
            (utf16("\u{FEFF}é", littleEndian: true), HTMLEncoding.utf16LittleEndian),
            (utf16("\u{FEFF}é", littleEndian: false), .utf16BigEndian),
            (Array("\u{FEFF}é".utf8), .utf8),
        ] {
            #expect(HTMLEncoding(detectedIn: bytes) == encoding)
            #expect(encoding.decoded(bytes) == Array("é".utf8))
        }
    }

    @Test("UTF-16 without a byte order mark is recognized by its NULs", arguments: [true, false])
    func bareUTF16(littleEndian: Bool) {
        for text in ["<p>héllo</p>", "a", "<b>日本語日本語</b>日本語日本語"] {
            let bytes = utf16(text, littleEndian: littleEndian)
            let encoding = HTMLEncoding(detectedIn: bytes)
            #expect(encoding == (littleEndian ? .utf16LittleEndian : .utf16BigEndian))
            #expect(encoding.decoded(bytes) == Array(text.utf8))
        }
    }

    @Test("A NUL at the end, or a few within, do not indicate UTF-16", arguments: ["abc\0", "ab\0", "<p>a\0b</p>\0\0"])
    func nuls(text: String) {
        #expect(HTMLEncoding(detectedIn: Array(text.utf8)) == .utf8)
    }

    @Test("Half a UTF-16 unit at the end becomes U+FFFD")
    func halfUnit() {
        #expect(HTMLEncoding.utf16LittleEndian.decoded([0x61, 0, 0x62]) == Array("a\u{FFFD}".utf8))
        #expect(HTMLEncoding.utf16BigEndian.decoded([0xD8, 0]) == Array("\u{FFFD}".utf8))
    }

    @Test(
        "A meta element declares the encoding",
        arguments: [
            ("<meta charset=utf-8>", HTMLEncoding.utf8), ("<META CHARSET=' Windows-1251 '>", .codePage(.windows1251)),
            ("<meta charset=\"ISO-8859-1\">", .codePage(.windows1252)), ("<meta charset=utf-16>", .utf8),
            ("<meta http-equiv=Content-Type content=\"text/html; charset=macintosh\">", .codePage(.macRoman)),
            ("<meta content='text/html;charset=Shift_JIS' http-equiv='content-type'>", .other("shift_jis")),
            ("<meta http-equiv=content-type content='text/html, charset=windows-1251'>", .codePage(.windows1251)),
            ("<meta http-equiv=content-type content='text/html; charset=koi8-r x'>", .other("koi8-r")),
            ("<meta http-equiv=content-type content='charset; charset = \"koi8-r\"'>", .other("koi8-r")),
            ("<!-- <meta charset=gbk> --><meta charset=latin1>", .codePage(.windows1252)),
            ("<meta name=a content='text/html;charset=gbk'>", .utf8), ("<meta charset=>", .utf8),
            ("<p>a</p><meta charset=cp1250", .utf8),
        ])
    func meta(html: String, encoding: HTMLEncoding) {
        #expect(HTMLEncoding(detectedIn: Array(html.utf8)) == encoding)
    }

    @Test("A meta element after the first 1,024 bytes is ignored")
    func lateMeta() {
        let meta = "<meta charset=gbk>"
        let spaces = String(repeating: " ", count: 1024)
        #expect(HTMLEncoding(detectedIn: Array((spaces.dropLast(meta.count) + meta).utf8)) == .other("gbk"))
        #expect(HTMLEncoding(detectedIn: Array((spaces.dropLast(meta.count - 1) + meta).utf8)) == .utf8)
    }

    @Test("HTML that declares no encoding and is not UTF-8 is read as windows-1252")
    func guess() {
        #expect(HTMLEncoding(detectedIn: [0x80, 0xE9]) == .codePage(.windows1252))
        #expect(RichText.plainText(fromHTML: [0x80, 0xE9]) == Array("€é".utf8))
        #expect(RichText.plainText(fromHTML: Array("<meta charset=gbk>".utf8) + [0xE9]) == Array("é".utf8))
        #expect(RichText.plainText(fromHTML: Array("<meta charset=gbk>é".utf8)) == Array("é".utf8))
    }

    @Test("Invalid UTF-8 in HTML that declares UTF-8 becomes U+FFFD")
    func repair() {
        let bytes = Array("<meta charset=utf-8>a".utf8) + [0xFF, 0xE2, 0x82, 0x62]
        #expect(RichText.plainText(fromHTML: bytes) == Array("a\u{FFFD}\u{FFFD}b".utf8))
    }

    @Test("Only the meta element that Firefox puts first is removed")
    func firefox() {
        let meta = #"<meta http-equiv="content-type" content="text/html; charset=utf-8">"#
        #expect(HTMLEncoding.withoutMetaPrefix(Array((meta + "<b>a</b>").utf8)) == Array("<b>a</b>".utf8)[...])
        let own = Array(#"<meta charset="utf-8"><b>a</b>"#.utf8)
        #expect(HTMLEncoding.withoutMetaPrefix(own) == own[...])
        #expect(HTMLEncoding.withoutMetaPrefix([]).isEmpty)
    }

    @Test(
        "A label in a meta element is replaced with UTF-8, wherever the label is in the tag",
        arguments: [
            ("<meta charset=latin1>a", "<meta charset=utf-8>a"), ("<META Charset = 'GBK'>", "<META Charset = 'utf-8'>"),
            (
                "<meta content=\"text/html; charset=cp1250\" http-equiv=content-type>",
                "<meta content=\"text/html; charset=utf-8\" http-equiv=content-type>"
            ), ("<p charset=latin1>", "<p charset=latin1>"),
        ])
    func declaringUTF8(html: String, converted: String) {
        #expect(HTMLEncoding.declaringUTF8(Array(html.utf8)) == Array(converted.utf8))
    }
}
