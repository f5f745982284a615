import RichText
import Testing

@Suite struct WritersTests {
    private func style(_ change: (inout TextStyle) -> Void) -> TextStyle {
        var style = TextStyle()
        change(&style)
        return style
    }

    private func paragraph(_ text: String, _ change: (inout ParagraphStyle) -> Void) -> StyledText.Paragraph {
        var style = ParagraphStyle()
        change(&style)
        return StyledText.Paragraph([StyledText.Run(text)], style)
    }

    private func html(_ paragraphs: [StyledText.Paragraph]) -> String {
        String(decoding: StyledText(paragraphs).html, as: UTF8.self)
    }

    @Test("HTML is a fragment with no more markup than the styles need")
    func fragment() {
        let runs = [
            StyledText.Run("a <b> & "), StyledText.Run("c", style { $0.isBold = true }),
            StyledText.Run(
                "d",
                style {
                    $0.fontSize = 10.5
                    $0.fontFamily = "A B"
                    $0.foreground = TextColor(red: 255, green: 8, blue: 0)
                }),
            StyledText.Run(
                "e",
                style {
                    $0.link = "x?a&\"b\""
                    $0.isUnderlined = true
                }),
        ]
        #expect(
            html([StyledText.Paragraph(runs)])
                == "<div>a &lt;b&gt; &amp; <b>c</b><span style=\"font-size: 10.5pt; font-family: 'A B'; "
                + "color: #ff0800\">d</span><a href=\"x?a&amp;&quot;b&quot;\">e</a></div>\n")
        #expect(html([]).isEmpty)
    }

    @Test("Lists open and close as their items require")
    func lists() {
        let items: [(Int, ListMarker?)] = [
            (1, .bullet), (2, .number(3, .lowerAlpha)), (2, .number(4, .lowerAlpha)), (2, .number(9, .lowerAlpha)),
            (1, nil), (1, .bullet),
        ]
        let written = html(
            items.map { level, marker in paragraph("a") { $0.list = ListItem(level: level, marker: marker) } })
        #expect(
            written
                == "<ul><li>a<ol type=\"a\" start=\"3\"><li>a</li><li>a</li><li value=\"9\">a</li></ol>"
                + "<div>a</div></li><li>a</li></ul>\n")
    }

    @Test("RTF is ASCII, with its tables before the text")
    func rtf() {
        let bold = style {
            $0.isBold = true
            $0.foreground = TextColor(red: 1, green: 2, blue: 3)
        }
        let text = StyledText([StyledText.Paragraph([StyledText.Run("é{\t"), StyledText.Run("😀", bold)])])
        #expect(
            String(decoding: text.rtf, as: UTF8.self) == #"""
                {\rtf1\ansi\ansicpg1252\deff0\uc1
                {\fonttbl{\f0\fnil\fcharset0 Helvetica;}}
                {\colortbl;\red1\green2\blue3;}
                \pard \u233?\{\tab {\b\cf1 \u-10179?\u-8704?}\par
                }
                """#)
    }

    @Test("Separate sequences of numbers are separate lists in RTF")
    func rtfLists() {
        let numbers = [1, 2, 1, 2].map { number in
            paragraph("a") { $0.list = ListItem(level: 1, marker: .number(number, .decimal)) }
        }
        let written = String(decoding: StyledText(numbers).rtf, as: UTF8.self)
        #expect(written.split(separator: "\\ls1\\").count == 3)
        #expect(written.split(separator: "\\ls2\\").count == 3)
        #expect(!written.contains("\\ls3"))
    }

    @Test("The number of declared lists is bounded")
    func manyLists() {
        let numbers = (0..<10_000).map { _ in
            paragraph("a") { $0.list = ListItem(level: 1, marker: .number(5, .decimal)) }
        }
        #expect(StyledText(numbers).rtf.count < 4_000_000)
    }

    @Test("Control characters are left out")
    func controls() {
        let text = StyledText([StyledText.Paragraph([StyledText.Run("a\u{1}\0\r\u{C}b")])])
        #expect(RichText.styledText(fromHTML: text.html).paragraphs.map(\.text) == ["ab"])
        #expect(RichText.styledText(fromRTF: text.rtf)?.paragraphs.map(\.text) == ["ab"])
    }

    @Test(
        "A font size out of range is clamped",
        arguments: [
            (-1, "0.5", "1"), (1e300, "1638", "3276"), (.infinity, "1638", "3276"), (10.257, "10.26", "21"),
            (.nan, nil, nil),
        ] as [(Double, String?, String?)])
    func sizes(size: Double, css: String?, rtf: String?) {
        let text = StyledText([StyledText.Paragraph([StyledText.Run("a", style { $0.fontSize = size })])])
        let html = css.map { "<span style=\"font-size: \($0)pt\">a</span>" } ?? "a"
        #expect(String(decoding: text.html, as: UTF8.self) == "<div>\(html)</div>\n")
        #expect(String(decoding: text.rtf, as: UTF8.self).hasSuffix((rtf.map { "{\\fs\($0) a}" } ?? "a") + "\\par\n}"))
    }

    @Test("Plain text has list markers, and empty lines around spaced paragraphs")
    func plain() {
        let text = StyledText([
            paragraph("a") { $0.isSpaced = true }, paragraph("b") { _ in },
            paragraph("c") { $0.list = ListItem(level: 2, marker: .number(14, .upperRoman)) },
        ])
        #expect(String(decoding: text.plainText, as: UTF8.self) == "a\n\nb\n    XIV. c")
    }
}
