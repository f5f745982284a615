import RichText
import Testing

@Suite struct StyledRTFTests {
    private func read(_ rtf: String) throws -> StyledText {
        let head = #"{\rtf1\ansi\deff0{\fonttbl{\f0\fswiss Arial;}{\f1\fnil\fcharset0 Times New Roman{\*\falt T};}}"#
        let colors = #"{\colortbl;\red255\green0\blue0;\red0\green0\blue255;}"#
        return try #require(RichText.styledText(fromRTF: Array((head + colors + rtf + "}").utf8)))
    }

    private func style(_ rtf: String) throws -> TextStyle {
        let text = try read(rtf)
        try #require(text.paragraphs.count == 1 && text.paragraphs[0].runs.count == 1)
        return text.paragraphs[0].runs[0].style
    }

    @Test("Control words determine the style of characters")
    func characters() throws {
        let style = try style(#"\b\i\ul\strike\fs25\f1\cf1\cb2 a"#)
        #expect(style.isBold && style.isItalic && style.isUnderlined && style.isStruckThrough)
        #expect(style.fontSize == 12.5)
        #expect(style.fontFamily == "Times New Roman")
        #expect(style.foreground == TextColor(red: 255, green: 0, blue: 0))
        #expect(style.background == TextColor(red: 0, green: 0, blue: 255))
    }

    @Test(
        "Formatting that is switched off has no effect",
        arguments: [
            #"\b\b0 a"#, #"\ul\ulnone a"#, #"\ulw\ul0 a"#, #"{\b}a"#, #"\b\i\fs30\f1\cf1\plain a"#, #"\cf1\cf0 a"#,
            #"\highlight1\highlight0 a"#, #"\cf9 a"#, #"\f9 a"#, #"\fs0 a"#, #"\fs-1 a"#,
        ])
    func reset(rtf: String) throws {
        #expect(try style(rtf) == TextStyle())
    }

    @Test("The default font and size of the document are nil")
    func defaults() throws {
        #expect(try style(#"\pard\plain a"#) == TextStyle())
        #expect(try style(#"\pard\plain\f0\fs24 a"#).fontFamily == "Arial")
    }

    @Test("Link fields have their address")
    func links() throws {
        let runs = try read(
            #"""
            {\field{\*\fldinst{HYPERLINK "https://example.org/\\\\"a\\\\""}}{\fldrslt b}}c
            {\field{\*\fldinst HYPERLINK \\l "place" \\o "tip"}{\fldrslt d}}{\field{\*\fldinst PAGE}{\fldrslt e}}
            """#
        ).paragraphs[0].runs
        #expect(runs.map(\.text) == ["b", "c", "d", "e"])
        #expect(runs.map(\.style.link) == [#"https://example.org/\"#, nil, "#place", nil])
        let share = try read(#"{\field{\*\fldinst{HYPERLINK "\\\\\\\\server\\\\share"}}{\fldrslt x}}"#)
        #expect(share.paragraphs[0].runs[0].style.link == #"\\server\share"#)
    }

    @Test("Paragraphs have alignment, level and space")
    func paragraphs() throws {
        let text = try read(
            #"\qc a\par\pard b\par\ql\sa160 c\par\pard\outlinelevel1\sb10 d\par\pard\qj e\par\pard\outlinelevel9\qr f"#)
        #expect(text.paragraphs.map(\.text) == ["a", "b", "c", "d", "e", "f"])
        #expect(
            text.paragraphs.map(\.style.alignment) == [.center, .natural, .left, .natural, .justified, .right])
        #expect(text.paragraphs.map(\.style.isSpaced) == [false, false, true, true, false, false])
        #expect(text.paragraphs.map(\.style.headingLevel) == [nil, nil, nil, 2, nil, nil])
    }

    @Test("Items have the marker from their text, in the style of their list")
    func lists() throws {
        let tables = #"""
            {\*\listtable{\list{\listlevel\levelnfc23{\leveltext\'01\u8226 ?;}}{\listlevel\levelnfc2}\listid7}
            {\list{\listlevel\levelnfc4}{\listlevel\levelnfc0}{\listname x;}\listid8}}
            {\*\listoverridetable{\listoverride\listid7\ls1}{\listoverride\listid8\ls2}}
            """#
        let text = try read(
            tables + #"""
                \ls1\ilvl0 {\listtext\'b7\tab}a\par\ilvl1{\listtext\tab iv.\tab}b\par
                \pard\ls2\ilvl0{\listtext c)\tab}c\par\ilvl1{\listtext c.7.\tab}d\par\ilvl0 e\par
                \pard{\pntext 3.\tab}{\*\pn\pnlvlbody}f\par{\pntext\'b7\tab}g\par\pard h
                """#)
        #expect(text.paragraphs.map(\.text) == ["a", "b", "c", "d", "e", "f", "g", "h"])
        #expect(
            text.paragraphs.map(\.style.list) == [
                ListItem(level: 1, marker: .bullet), ListItem(level: 2, marker: .number(4, .lowerRoman)),
                ListItem(level: 1, marker: .number(3, .lowerAlpha)), ListItem(level: 2, marker: .number(7, .decimal)),
                ListItem(level: 1, marker: .number(4, .lowerAlpha)), ListItem(level: 1, marker: .number(3, .decimal)),
                ListItem(level: 1, marker: .bullet), nil,
            ])
    }

    @Test("The last newline begins a paragraph only if Cocoa wrote the RTF")
    func ends() throws {
        #expect(try read(#"a\par"#).paragraphs.count == 1)
        #expect(try read("\\cocoartf1 a\\\n").paragraphs.map(\.text) == ["a", ""])
        #expect(try read("").paragraphs.isEmpty)
    }

    @Test("RTF from TextEdit has its styles")
    func textEdit() throws {
        let text = try #require(RichText.styledText(fromRTF: ClipboardSample.rtf[0].bytes))
        #expect(text.paragraphs.map(\.text) == ["Plain bold and red", "café — 😀", ""])
        #expect(text.paragraphs[0].runs.map(\.text) == ["Plain ", "bold", " and ", "red"])
        #expect(text.paragraphs[0].runs.map(\.style.isBold) == [false, true, false, false])
        #expect(text.paragraphs[0].runs.map(\.style.fontSize) == [12, 12, 12, 12])
        #expect(text.paragraphs[0].runs[3].style.foreground == TextColor(red: 251, green: 2, blue: 7))
    }
}
