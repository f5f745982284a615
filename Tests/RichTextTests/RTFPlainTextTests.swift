import RichText
import Testing

/// RTF and the plain text expected from it.
struct RTFCase: Sendable, CustomTestStringConvertible {
    let rtf: String
    let text: String

    var testDescription: String { rtf }
}

@Suite struct RTFPlainTextTests {
    private func text(_ rtf: String) -> String? {
        RichText.plainText(fromRTF: Array(rtf.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }

    private func body(_ rtf: String) -> String? {
        text(RTFCase.document(rtf))
    }

    @Test(
        "Bytes that do not begin with {\\rtf are not RTF",
        arguments: ["", "{", "rtf", "{\\rt", "a{\\rtf1 a}", "\\rtf1 a", "{ \\rtf1}"])
    func none(bytes: String) {
        #expect(text(bytes) == nil)
    }

    @Test(
        "White space and a byte order mark may precede {\\rtf",
        arguments: ["{\\rtf1 a}", " \r\n\t{\\rtf1 a}", "\u{FEFF}{\\rtf a}"])
    func prefix(rtf: String) {
        #expect(text(rtf) == "a")
    }

    @Test("Paragraphs are lines, and the last line has no newline", arguments: RTFCase.lines)
    func lines(sample: RTFCase) {
        #expect(text(sample.rtf) == sample.text)
    }

    @Test("Characters are decoded from their code page, or by number", arguments: RTFCase.characters)
    func characters(sample: RTFCase) {
        #expect(text(sample.rtf) == sample.text)
    }

    @Test("The charset of a font overrides that of the document", arguments: RTFCase.charsets)
    func charsets(sample: RTFCase) {
        #expect(text(sample.rtf) == sample.text)
    }

    @Test("Bytes beyond ASCII without an escape are decoded from the code page too")
    func rawBytes() {
        let bytes = Array(#"{\rtf1\ansi\ansicpg1252 a"#.utf8) + [0xE9, 0, 0x80] + Array("b}".utf8)
        #expect(RichText.plainText(fromRTF: bytes) == Array("aé€b".utf8))
    }

    @Test("Destinations other than text are skipped", arguments: RTFCase.destinations)
    func destinations(sample: RTFCase) {
        #expect(text(sample.rtf) == sample.text)
    }

    @Test("The data of \\bin is skipped, whatever bytes it contains")
    func binary() {
        #expect(body(#"{\pict\bin3 }}\}a"#) == "a")
        #expect(body(#"a\bin2 }{b"#) == "ab")
        #expect(body(#"a\bin-5 b"#) == "ab")
        #expect(body(#"a\bin99999999 b"#) == "a")
    }

    @Test("Rows are lines, with a tab between cells", arguments: RTFCase.tables)
    func tables(sample: RTFCase) {
        #expect(text(sample.rtf) == sample.text)
    }

    @Test("A source that is cut off, or has too many braces, is read as far as possible", arguments: RTFCase.truncated)
    func truncated(sample: RTFCase) {
        #expect(text(sample.rtf) == sample.text)
    }
}

extension RTFCase {
    static let all = lines + characters + charsets + destinations + tables + truncated

    /// Returns a document with the given body.
    static func document(_ body: String) -> String {
        #"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0 Arial;}}"# + body + "}"
    }

    /// Returns a document with the given body, without a code page and fonts.
    static func ansi(_ body: String) -> String { #"{\rtf1\ansi"# + body + "}" }

    static let lines = [
        (#"a\par b\par"#, "a\nb"), (#"a\par b"#, "a\nb"), (#"a\par\par b\par\par"#, "a\n\nb\n"),
        (#"a\line b"#, "a\nb"),
        (#"a\tab b"#, "a\tb"), (#"a\page b"#, "a\nb"), (#"a\par\page b\sect\sectd c"#, "a\nb\nc"),
        (#"\par a"#, "\na"),
        ("a\\\nb", "a\nb"), ("a\\\r\nb", "a\nb"), ("a\r\nb\nc", "abc"), ("\\b a\nb", "ab"), ("a\tb", "a\tb"),
        (#"\par"#, ""),
    ].map { RTFCase(rtf: document($0.0), text: $0.1) }

    static let characters = [
        (#"\'e9\'80"#, "é€"), (#"\u233?"#, "é"), (#"\u-10179?\u-8704?"#, "😀"), (#"\u55357 ?\u56832 ?"#, "😀"),
        (#"\u-3913?"#, "•"), (#"{\uc0\u233}a"#, "éa"), (#"\uc2\u233\'3f?a"#, "éa"),
        (#"{\uc3\u233 abcd}\u233 ab"#, "édéb"),
        (#"\u8226\'95b"#, "•b"), (#"\u233{a}b"#, "éab"), (#"\u-10179?a"#, "\u{FFFD}a"),
        (#"\u-8704?a"#, "\u{FFFD}a"),
        (#"\u128512?a"#, "😀a"), (#"\u0?a"#, "a"), (#"\uc1\u233\u234 ?"#, "éê"), (#"\u8232?a"#, "\na"),
        (#"\u160\~b"#, "\u{A0}b"),
        (#"\lquote a\rquote\ldblquote b\rdblquote\emdash\endash\bullet"#, "‘a’“b”—–•"),
        (#"\~\_\-"#, "\u{A0}\u{2011}\u{AD}"), (#"\{\}\\"#, "{}\\"), (#"a\'zzb\'"#, "azzb"),
        (#"\emspace\zwj"#, "\u{2003}\u{200D}"),
    ].map { RTFCase(rtf: document($0.0), text: $0.1) }

    static let charsets = [
        (
            #"\ansicpg1251{\fonttbl{\f0 A;}{\f1\fcharset238 B;}{\f2\fcharset161 C;}}\'cf\f1\'b3\f2\'e1\f0\'f0"#,
            "Пłαр"
        ),
        (#"\mac \'8e"#, "é"), (#"\pc \'82"#, "é"), (#"\pca \'b5"#, "Á"),
        (#"\ansicpg65001 \'c3\'a9\'ff"#, "é\u{FFFD}"),
        (#"\ansicpg10000 \'8e"#, "é"), (#"\ansicpg932 \'83a"#, "\u{FFFD}a"),
        (#"{\fonttbl{\f0\fcharset2 Symbol;}{\f1\fcharset77 M;}{\f2\cpg1250 N;}}\f0\'b7 a\f1\'8e\f2\'b3"#, "• aéł"),
        (#"\deff1{\fonttbl{\f0 A;}{\f1\fcharset204 B;}}\'cf{\f0\'cf}\plain\'cf"#, "ПÏП"),
        (#"{\fonttbl\f0\fcharset204 A;\f1\fcharset0 B;}\f0\'cf\f1\'cf"#, "ПÏ"),
    ].map { RTFCase(rtf: ansi($0.0), text: $0.1) }

    static let destinations = [
        (#"{\*\generator Msftedit;}a"#, "a"), (#"{\stylesheet{\s0 Normal;}}a"#, "a"), (#"{\info{\title t}}a"#, "a"),
        (#"{\*\unknown{\b b}{\*\ud c}}a"#, "a"), (#"{\unknown b}a"#, "ba"), (#"{\pict\pngblip 89504e47}a"#, "a"),
        (#"{\header h\par}{\footer f}{\footnote n}a"#, "a"),
        (#"{\*\shppict{\pict 00}}{\nonshppict{\pict 00}}a"#, "a"),
        (#"{\object{\*\objdata 0102}{\result{\pict 00}b}}a"#, "ba"), (#"{\upr{b}{\*\ud{\u233?}}}a"#, "éa"),
        (#"{\field{\*\fldinst HYPERLINK "https://example.org"}{\fldrslt link}}a"#, "linka"),
        (#"{\field{\*\fldinst {\b PAGE}}{\fldrslt{\b 3}}}a"#, "3a"), (#"{\v b\par}a\v c\v0 d"#, "ad"),
        (#"{\deleted b}a"#, "a"),
        (#"{\colortbl;\red1\green2\blue3;}a"#, "a"), (#"{\*\bkmkstart b}a{\*\bkmkend b}"#, "a"),
        (#"{\fonttbl{\f0 A{\*\falt B};}}a"#, "a"), (#"{\listtext\tab 1.\tab}a"#, "\t1.\ta"),
        (#"{\pntext\f1\'B7\tab}{\*\pn\pnlvlblt{\pntxtb\'B7}}a"#, "·\ta"),
    ].map { RTFCase(rtf: document($0.0), text: $0.1) }

    static let tables = [
        (#"\trowd\cellx1\cellx2 a\cell b\cell\row c\cell d\cell\row\pard e\par"#, "a\tb\nc\td\ne"),
        (#"\cell b\cell\row c\cell\cell\row"#, "\tb\nc\t"),
        (#"a\nestcell{\*\nesttableprops\nestrow}{\nonesttables\par}b"#, "a\nb"),
        (#"a\intbl\cell\pard\intbl b\line c\cell\row"#, "a\tb\nc"),
    ].map { RTFCase(rtf: document($0.0), text: $0.1) }

    static let truncated = [
        (#"{\rtf1 a"#, "a"), (#"{\rtf1 a{\b b"#, "ab"), (#"{\rtf1 a}b"#, "a"), (#"{\rtf1 a}}}"#, "a"),
        (#"{\rtf1 a\"#, "a"),
        (#"{\rtf1 a\'e"#, "ae"), (#"{\rtf1 a\u-10179"#, "a\u{FFFD}"), (#"{\rtf1 a\u-10179?}"#, "a\u{FFFD}"),
        (#"{\rtf"#, ""),
        ("{\\rtf1 a}\0\0", "a"), ("{\\rtf1 a\0b}", "ab"),
    ].map { RTFCase(rtf: $0.0, text: $0.1) }
}
