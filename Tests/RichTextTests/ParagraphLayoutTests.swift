import RichText
import Testing

@Suite struct ParagraphLayoutTests {
    private func rtf(_ rtf: String) throws -> StyledText.Paragraph {
        let text = try #require(RichText.styledText(fromRTF: Array((#"{\rtf1\ansi "# + rtf + "}").utf8)))
        return try #require(text.paragraphs.first)
    }

    private func html(_ html: String) throws -> StyledText.Paragraph {
        try #require(RichText.styledText(fromHTML: Array(html.utf8)).paragraphs.first)
    }

    static func layout(_ change: (inout ParagraphLayout) -> Void) -> ParagraphLayout {
        var layout = ParagraphLayout()
        change(&layout)
        return layout
    }

    private func paragraph(_ change: (inout ParagraphStyle) -> Void) -> StyledText {
        var style = ParagraphStyle()
        change(&style)
        return StyledText([StyledText.Paragraph([StyledText.Run("a")], style)])
    }

    // MARK: Each attribute in both formats

    /// A layout, RTF and CSS that specify it, and the RTF and CSS that are written for it (nil if they are the same).
    struct Sample: Sendable, CustomTestStringConvertible {
        var rtf: String
        var css: String
        var writtenRTF: String?
        var writtenCSS: String?
        var layout: ParagraphLayout

        var testDescription: String { rtf }
    }

    static let samples: [Sample] = [
        Sample(
            rtf: #"\fi-360\li720"#, css: "margin-left: 36pt; text-indent: -18pt",
            layout: layout {
                $0.headIndent = 36
                $0.firstLineHeadIndent = 18
            }),
        Sample(rtf: #"\fi283"#, css: "text-indent: 14.15pt", layout: layout { $0.firstLineHeadIndent = 14.15 }),
        Sample(
            rtf: #"\fi-400\li-100"#, css: "margin-left: -5pt; text-indent: -20pt",
            layout: layout {
                $0.headIndent = -5
                $0.firstLineHeadIndent = -25
            }),
        Sample(
            rtf: #"\ri360"#, css: "margin-right: 0.25in", writtenCSS: "margin-right: 18pt",
            layout: layout { $0.tailIndent = -18 }),
        Sample(
            rtf: #"\sl360\slmult1"#, css: "line-height: 150%", writtenCSS: "line-height: 1.5",
            layout: layout { $0.lineHeightMultiple = 1.5 }),
        Sample(rtf: #"\sl259\slmult1"#, css: "line-height: 1.079", layout: layout { $0.lineHeightMultiple = 1.079 }),
        Sample(rtf: #"\sl400\slmult0"#, css: "line-height: 20pt", layout: layout { $0.minimumLineHeight = 20 }),
        Sample(
            rtf: #"\sl-405"#, css: "mso-line-height-rule: exactly; line-height: 27px",
            writtenRTF: #"\sl-405\slmult0"#, writtenCSS: "line-height: 20.25pt; mso-line-height-rule: exactly",
            layout: layout {
                $0.minimumLineHeight = 20.25
                $0.maximumLineHeight = 20.25
            }),
        Sample(
            rtf: #"\tx720\tqc\tx1440\tqr\tldot\tx2880\tlhyph\tqdec\tx4320\tlul\tx5000"#,
            css: "tab-stops: 36pt center 1in right dotted 2in decimal dashed 3in lined 250pt",
            writtenRTF: #"\tx720\tqc\tx1440\tqr\tldot\tx2880\tqdec\tlhyph\tx4320\tlul\tx5000"#,
            writtenCSS: "tab-stops: 36pt center 72pt right dotted 144pt decimal dashed 216pt lined 250pt",
            layout: layout {
                $0.tabStops = [
                    TabStop(location: 36), TabStop(location: 72, alignment: .center),
                    TabStop(location: 144, alignment: .right, leader: .dots),
                    TabStop(location: 216, alignment: .decimal, leader: .dashes), TabStop(location: 250, leader: .line),
                ]
            }),
    ]

    @Test("Each attribute is read from RTF and HTML, and written to both", arguments: samples)
    func attributes(sample: Sample) throws {
        let text = paragraph { $0.layout = sample.layout }
        #expect(try rtf(#"\pard"# + sample.rtf + " a").style.layout == sample.layout)
        #expect(try html("<div style='\(sample.css)'>a</div>").style.layout == sample.layout)
        let body = String(decoding: text.rtf, as: UTF8.self)
        #expect(body.hasSuffix(#"\pard"# + (sample.writtenRTF ?? sample.rtf) + " a\\par\n}"), "\(body)")
        let page = String(decoding: text.html, as: UTF8.self)
        #expect(page == "<div style=\"\(sample.writtenCSS ?? sample.css)\">a</div>\n")
        #expect(RichText.styledText(fromRTF: RichText.styledText(fromHTML: text.html).rtf) == text)
    }

    @Test("Space around a paragraph is kept, and a paragraph with space in RTF is a spaced paragraph")
    func space() throws {
        let spaced = paragraph {
            $0.isSpaced = true
            $0.layout.paragraphSpacingBefore = 0
            $0.layout.paragraphSpacing = 8
        }
        #expect(try html("<p style='margin: 0cm 0cm 8pt'>a</p>").style == spaced.paragraphs[0].style)
        #expect(try rtf(#"\sb0\sa160 a"#).style == spaced.paragraphs[0].style)
        #expect(String(decoding: spaced.rtf, as: UTF8.self).hasSuffix("\\pard\\sa160 a\\par\n}"))
        #expect(
            String(decoding: spaced.html, as: UTF8.self)
                == "<p style=\"margin-top: 0pt; margin-bottom: 8pt\">a</p>\n")
        #expect(try rtf(#"\pard\sb120\sa120 a"#).style.layout == ParagraphLayout())
        #expect(try rtf(#"\sb100\sa100\sbauto1\saauto1 a"#).style == rtf(#"\sb120\sa120 a"#).style)
        #expect(try html("<div style='margin: 0'>a</div>").style == ParagraphStyle())
    }

    @Test("Cocoa's line height, height limits and line spacing are kept in RTF")
    func cocoa() throws {
        let style = try rtf(#"\pard\tx560\sl288\slmult1\slminimum280\slmaximum600\slleading40\pardirnatural a"#).style
        let layout = Self.layout {
            $0.tabStops = [TabStop(location: 28)]
            $0.lineHeightMultiple = 1.2
            $0.minimumLineHeight = 14
            $0.maximumLineHeight = 30
            $0.lineSpacing = 2
        }
        #expect(style.layout == layout)
        let text = paragraph { $0.layout = layout }
        #expect(RichText.styledText(fromRTF: text.rtf) == text)
        let onlyMaximum = paragraph { $0.layout.maximumLineHeight = 30 }
        #expect(RichText.styledText(fromRTF: onlyMaximum.rtf) == onlyMaximum)
    }

    // MARK: Rules

    @Test("Layout ends at RTF's \\pard, and at the end of the group")
    func reset() throws {
        #expect(try rtf(#"\li720\fi60\ri5\tx9\sl300\slmult1\slleading9\sb5\pard a"#).style == ParagraphStyle())
        #expect(try rtf(#"{\li720\tx9}a"#).style == ParagraphStyle())
        #expect(try rtf(#"{\*\x\li720}{\stylesheet{\s1\li720 x;}}a"#).style == ParagraphStyle())
    }

    @Test("Indents of nested blocks add up, but space around a block is not inherited")
    func nesting() throws {
        let nested = try html(
            "<div style='margin: 5pt 10pt; line-height: 2; text-indent: 1em'><p style='margin-left: 2em; font-size: 10pt'>a"
        ).style.layout
        #expect(
            nested
                == Self.layout {
                    $0.headIndent = 30
                    $0.firstLineHeadIndent = 42
                    $0.tailIndent = -10
                    $0.lineHeightMultiple = 2
                })
        let normal = try html("<div style='line-height: 19px'><div style='line-height: normal'>a").style
        #expect(normal == ParagraphStyle())
    }

    @Test(
        "Margins that do not indent text have no effect",
        arguments: [
            "<body style='margin: 8px'>a", "<div style='margin: 0 auto'>a", "<div style='margin-left: 10%'>a",
            "<table style='margin-left: 5pt'><td>a", "<span style='margin-left: 5pt; line-height: 3'>a",
            "<div><img style='margin-left: 5pt'>a", "<div style='margin: 1pt 2pt 3pt 4pt 5pt'>a",
            "<div style='line-height: 0; text-indent: 5%'>a", "<blockquote>a", "<div style='text-indent: 4'>a",
            "<div style='margin-bottom: 5pt'><table><td>a", "<div style='line-height: -3; tab-stops: bar 36pt'>a",
        ])
    func ignored(source: String) throws {
        #expect(try html(source).style == ParagraphStyle())
    }

    @Test("A list determines the indents and tab stops of its items, but not their other attributes")
    func lists() throws {
        let list = ListItem(level: 1, marker: .bullet)
        let fromRTF = try rtf(#"\pard\tx220\tx720\li720\fi-720\ri60\sl480\slmult1{\listtext\tab\bullet\tab}a"#).style
        #expect(fromRTF.list == list)
        #expect(
            fromRTF.layout
                == Self.layout {
                    $0.tailIndent = -3
                    $0.lineHeightMultiple = 2
                })
        let fromHTML = try html(
            "<ul style='margin-left: 2em'><li style='margin-left: 1em; tab-stops: list 36pt; line-height: 1.5'>a"
        ).style
        #expect(fromHTML.list == list)
        #expect(fromHTML.layout == Self.layout { $0.lineHeightMultiple = 1.5 })
        let written = paragraph {
            $0.list = list
            $0.layout.headIndent = 99
            $0.layout.tabStops = [TabStop(location: 5)]
        }
        let plain = paragraph { $0.list = list }
        #expect(written.rtf == plain.rtf)
        #expect(written.html == plain.html)
    }

    // MARK: Tabs

    @Test(
        "Word's elements for tabs are read as tabs",
        arguments: [
            ("a<span style='mso-tab-count:1'>&nbsp;&nbsp;&nbsp; </span>b", "a\tb"),
            ("<span style='mso-tab-count:2'>          </span>b", "\t\tb"), ("<p><i style='mso-tab-count:1'></i>", "\t"),
            ("a<span style='mso-tab-count:1 dotted'>........&#160;·· </span>7", "a\t7"),
            ("a<span style='mso-tab-count:1 lined'>____<b>_</b></span>", "a\t"),
            ("<span style='mso-tab-count:1'>\u{A0} .x. </span>b", "\t.x.b"),
            ("a<span style='mso-tab-count:0'> </span>b", "a b"), ("a<span style='mso-tab-count:x'>- </span>b", "a- b"),
        ])
    func tabElements(source: String, text: String) throws {
        #expect(try html(source).text == text)
        #expect(String(decoding: RichText.plainText(fromHTML: Array(source.utf8)), as: UTF8.self) == text)
    }

    @Test("Tabs are written in Word's notation if there are tab stops")
    func writtenTabs() {
        var style = ParagraphStyle()
        style.layout.tabStops = [TabStop(location: 72, alignment: .right, leader: .dots)]
        let text = StyledText([StyledText.Paragraph([StyledText.Run("a\tb")], style)])
        #expect(
            String(decoding: text.html, as: UTF8.self)
                == "<div style=\"tab-stops: right dotted 72pt; white-space: pre-wrap\">"
                + "a<span style=\"mso-tab-count: 1\">\t</span>b</div>\n")
        #expect(RichText.styledText(fromHTML: text.html) == text)
    }

    // MARK: Limits

    @Test("Numbers out of range are clamped")
    func clamped() throws {
        let far = try rtf(#"\li9999999999\fi-9999999999\ri-50\sl99999\slmult1\tx-999999\slleading-5\sb-1\sa999999 a"#)
        #expect(
            far.style.layout
                == Self.layout {
                    $0.headIndent = 1584
                    $0.lineHeightMultiple = 100
                    $0.tabStops = [TabStop(location: -1584)]
                    $0.paragraphSpacingBefore = 0
                    $0.paragraphSpacing = 1584
                })
        let wide = try html("<p style='margin: -9in 99999in; line-height: 1e9; tab-stops: 99999999999999999999999pt'>a")
        #expect(
            wide.style.layout
                == Self.layout {
                    $0.headIndent = 1584
                    $0.firstLineHeadIndent = 1584
                    $0.tailIndent = -1584
                    $0.tabStops = [TabStop(location: 1584)]
                    $0.paragraphSpacingBefore = 0
                    $0.paragraphSpacing = 0
                })
        let odd = paragraph {
            $0.layout.headIndent = .nan
            $0.layout.firstLineHeadIndent = .infinity
            $0.layout.tailIndent = 5
            $0.layout.tabStops = [TabStop(location: .nan), TabStop(location: -.infinity)]
            $0.layout.lineHeightMultiple = -1
            $0.layout.minimumLineHeight = .nan
            $0.layout.lineSpacing = 1e300
            $0.layout.paragraphSpacing = .nan
        }
        #expect(
            String(decoding: odd.html, as: UTF8.self)
                == "<div style=\"text-indent: 1584pt; tab-stops: -1584pt\">a</div>\n")
        #expect(
            String(decoding: odd.rtf, as: UTF8.self).hasSuffix("\\pard\\fi31680\\slleading31680\\tx-31680 a\\par\n}"))
    }

    @Test("A paragraph has at most 64 tab stops, in order and each at its own location")
    func manyTabStops() throws {
        let count = 100_000
        let words = (0..<count).map { "\\tx\(count - $0)" }.joined()
        #expect(try rtf(words + " a").style.layout.tabStops.count == TabStop.maxCount)
        #expect(
            try rtf(#"\tx60\tx20\tqc\tx60 a"#).style.layout.tabStops == [
                TabStop(location: 1), TabStop(location: 3, alignment: .center),
            ])
        let css = (0..<count).map { "\($0 % 1000)pt" }.joined(separator: " ")
        #expect(try html("<p style='tab-stops: \(css)'>a").style.layout.tabStops.count == TabStop.maxCount)
        let text = paragraph { $0.layout.tabStops = (0..<count).map { TabStop(location: Double($0) / 100) } }
        #expect(RichText.styledText(fromHTML: text.html).paragraphs[0].style.layout.tabStops.count == TabStop.maxCount)
        #expect(text.rtf.count < 2000)
    }

    @Test("The total number of tab stops is bounded, even if many paragraphs repeat them")
    func repeatedTabStops() throws {
        let stops = 0..<TabStop.maxCount
        let count = TabStop.maxCountInText / stops.count
        let rtf = #"{\rtf1"# + stops.map { "\\tx\($0)" }.joined() + String(repeating: #"\par"#, count: count + 10)
        let html = "<div style='tab-stops:\(stops.map { "\($0)pt" }.joined(separator: " "))'>"
        let texts = [
            try #require(RichText.styledText(fromRTF: Array(rtf.utf8))),
            RichText.styledText(fromHTML: Array((html + String(repeating: "<p>a", count: count + 10)).utf8)),
        ]
        for text in texts {
            #expect(text.paragraphs.count == count + 10)
            #expect(text.paragraphs[count - 1].style.layout.tabStops.count == stops.count)
            #expect(text.paragraphs.last?.style.layout.tabStops.isEmpty == true)
        }
    }

    @Test("Paragraphs from word processors have their layout", arguments: ProgramSample.all)
    func programs(sample: ProgramSample) throws {
        let text = try sample.styledText
        #expect(text.paragraphs.map(\.text) == sample.texts)
        #expect(text.paragraphs.map(\.style.layout) == sample.layouts)
    }
}
