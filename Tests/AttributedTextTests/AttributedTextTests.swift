import AttributedText
import FoundationEssentials
import Testing

@Suite struct AttributedTextTests {
    private func html(_ html: String) -> AttributedString { AttributedString(html: Array(html.utf8)) }
    private func string(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private static let page = """
        <h1>Title</h1><p style="text-align: center">One <b>two</b> <i>three</i><br>four</p>\
        <ol type="i" start="3"><li>a</li><li>b<ul><li>c</li></ul></li></ol>\
        <div><span style="font-size: 10.5pt; font-family: 'A B'; color: #010203; background-color: #fffefd">d</span>\
        <a href="https://example.org/?a=b">e</a> <s>f</s></div>
        """

    @Test("Text attributes are read from HTML")
    func characters() throws {
        let runs = html("<b>a</b><i>b</i><a href='https://example.org/'>c</a><s style='font:9pt A;color:red'>d</s>")
            .runs
            .map(\.attributes)
        try #require(runs.count == 4)
        #expect(runs[0].isBold == true && runs[0].isItalic == nil)
        #expect(runs[1].isItalic == true && runs[1].isBold == nil)
        #expect(runs[2].link == URL(string: "https://example.org/") && runs[2].isUnderlined == true)
        #expect(runs[3].isStruckThrough == true && runs[3].fontSize == 9 && runs[3].fontFamily == "A")
        #expect(runs[3].textColor == RichTextColor(red: 255, green: 0, blue: 0))
    }

    @Test("The attribute of a paragraph applies to its text and the newline after it")
    func paragraphs() throws {
        let text = html("<p align=right>a</p><ul><li>b</ul><h2>c</h2>")
        #expect(String(text.characters) == "a\nb\nc")
        let layouts = text.runs[AttributeScopes.RichTextAttributes.ParagraphAttribute.self].map { layout, range in
            (layout, String(text[range].characters))
        }
        #expect(layouts.map(\.1) == ["a\n", "b\n", "c"])
        #expect(
            layouts.map(\.0) == [
                RichTextParagraph(alignment: .right, isSpaced: true),
                RichTextParagraph(list: RichTextParagraph.ListItem(level: 1, marker: .bullet)),
                RichTextParagraph(headingLevel: 2, isSpaced: true),
            ])
    }

    @Test("A string is restored from its HTML and its RTF")
    func roundTrips() throws {
        let text = html(Self.page)
        #expect(AttributedString(html: text.html) == text)
        #expect(try #require(AttributedString(rtf: text.rtf)) == text)
    }

    @Test("Scripts, indents, tab stops and spacing are attributes, and are restored from HTML and RTF")
    func layout() throws {
        let text = html(
            """
            <p style="margin: 6pt 9pt 3pt 36pt; text-indent: -18pt; line-height: 1.5; tab-stops: right dotted 3in \
            center dashed 72pt">a<sup>b</sup><sub>c</sub></p><div style="line-height: 20pt; mso-line-height-rule: exactly">\
            <span style="vertical-align: -2.5pt; letter-spacing: 1pt">d</span></div>
            """)
        let runs = Array(text.runs)
        #expect(runs.compactMap(\.attributes.superscript) == [1, -1])
        #expect(runs.last?.attributes.baselineOffset == -2.5 && runs.last?.attributes.kern == 1)
        var style = RichTextParagraph(isSpaced: true)
        style.firstLineHeadIndent = 18
        style.headIndent = 36
        style.tailIndent = -9
        style.lineHeightMultiple = 1.5
        style.paragraphSpacingBefore = 6
        style.paragraphSpacing = 3
        style.tabStops = [
            RichTextParagraph.TabStop(location: 72, alignment: .center, leader: .dashes),
            RichTextParagraph.TabStop(location: 216, alignment: .right, leader: .dots),
        ]
        #expect(runs.first?.attributes.paragraph == style)
        var exact = RichTextParagraph()
        exact.minimumLineHeight = 20
        exact.maximumLineHeight = 20
        #expect(runs.last?.attributes.paragraph == exact)
        #expect(AttributedString(html: text.html) == text)
        #expect(AttributedString(rtf: text.rtf) == text)
    }

    @Test("Each kind of tab stop and the space between lines are restored from RTF")
    func tabStops() {
        var text = AttributedString("a\tb")
        var style = RichTextParagraph()
        style.lineSpacing = 2
        style.tabStops = [
            RichTextParagraph.TabStop(location: 10, leader: .line),
            RichTextParagraph.TabStop(location: 20, alignment: .decimal),
        ]
        text.paragraph = style
        #expect(AttributedString(rtf: text.rtf) == text)
    }

    @Test("Values out of range are clamped, and 0 is the same as no attribute")
    func clamped() {
        var text = AttributedString("a")
        text.superscript = 3
        text.baselineOffset = -1e9
        var style = RichTextParagraph()
        style.headIndent = .nan
        style.tailIndent = 40
        style.lineHeightMultiple = 1000
        style.tabStops = (0..<100).map { RichTextParagraph.TabStop(location: Double(-$0)) }
        text.paragraph = style
        let read = AttributedString(html: text.html)
        #expect(read.superscript == 1 && read.baselineOffset == -1584)
        #expect(read.paragraph?.tailIndent == 0 && read.paragraph?.headIndent == 0)
        #expect(read.paragraph?.lineHeightMultiple == 100)
        #expect(read.paragraph?.tabStops.count == 64)
        text = AttributedString("a")
        text.superscript = 0
        text.baselineOffset = 0
        text.paragraph = RichTextParagraph()
        #expect(string(text.html) == "<div>a</div>\n")
    }

    @Test("Plain text has list markers and empty lines")
    func plain() {
        #expect(
            string(html(Self.page).plainText)
                == "Title\n\nOne two three\nfour\n\niii. a\niv. b\n    • c\nde f")
    }

    @Test("A string with attributes set by hand is written")
    func written() {
        var text = AttributedString("a")
        text.isBold = true
        text.textColor = RichTextColor(red: 0, green: 0, blue: 255)
        text += AttributedString("b\u{2028}c\r\nd\n")
        #expect(
            string(text.html)
                == "<div><b><span style=\"color: #0000ff\">a</span></b>b<br>c</div>\n<div>d</div>\n<div><br></div>\n")
        #expect(string(text.plainText) == "ab\nc\nd\n")
    }

    @Test("Bytes that are not RTF are rejected, and an empty string has no paragraph")
    func empty() {
        #expect(AttributedString(rtf: Array("<b>a</b>".utf8)) == nil)
        #expect(AttributedString(html: []).runs.isEmpty)
        #expect(AttributedString().html.isEmpty)
        #expect(AttributedString().plainText.isEmpty)
    }

    @Test("An invalid URL is left out, and its text is kept")
    func badLink() {
        let text = html("<a href='http://['>a</a>")
        #expect(String(text.characters) == "a")
        #expect(text.link == nil)
    }

    @Test(
        "A font size out of range is clamped",
        arguments: [(-1.0, "0.5"), (1e300, "1638"), (10.257, "10.26")])
    func sizes(size: Double, written: String) {
        var text = AttributedString("a")
        text.fontSize = size
        #expect(string(text.html) == "<div><span style=\"font-size: \(written)pt\">a</span></div>\n")
        text.fontSize = .nan
        #expect(string(text.html) == "<div>a</div>\n")
    }
}
