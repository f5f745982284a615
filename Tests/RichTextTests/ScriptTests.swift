import RichText
import Testing

@Suite struct ScriptTests {
    private func rtf(_ rtf: String) throws -> TextStyle {
        let text = try #require(RichText.styledText(fromRTF: Array((#"{\rtf1\ansi "# + rtf + "}").utf8)))
        return try #require(text.paragraphs.last?.runs.last).style
    }

    private func html(_ html: String) throws -> TextStyle {
        try #require(RichText.styledText(fromHTML: Array(html.utf8)).paragraphs.last?.runs.last).style
    }

    private func written(_ change: (inout TextStyle) -> Void) -> (rtf: String, html: String) {
        var style = TextStyle()
        change(&style)
        let text = StyledText([StyledText.Paragraph([StyledText.Run("a", style)])])
        return (String(decoding: text.rtf, as: UTF8.self), String(decoding: text.html, as: UTF8.self))
    }

    @Test(
        "Superscripts and subscripts are read from RTF",
        arguments: [
            (#"\super a"#, .superscript), (#"{\sub a}"#, .subscript), (#"\super\sub a"#, .subscript),
            (#"\super\nosupersub a"#, nil), (#"\super0 a"#, nil), (#"{\super}a"#, nil), (#"\sub\plain a"#, nil),
            // LibreOffice writes these for scripts that it read from HTML, and for sizes that the user chose.
            (#"{\loch{\*\updnprop8000}\up8\loch a}"#, .superscript), (#"{{\*\updnprop5800}\dn2 a}"#, .subscript),
            (#"{{\*\updnprop10000}\up8 a}"#, nil), (#"{{\*\updnprop8000}\up8 a}b"#, nil),
            (#"\updnprop8000\up8 a"#, nil),
        ] as [(String, TextStyle.Script?)])
    func rtfScripts(source: String, script: TextStyle.Script?) throws {
        #expect(try rtf(source).script == script)
    }

    @Test(
        "Superscripts and subscripts are read from HTML",
        arguments: [
            ("<sup>a", .superscript), ("<sub>a</sub>", .subscript), ("<sup>b<sub>a", .subscript), ("<sup></sup>a", nil),
            ("<span style='vertical-align: super'>a", .superscript), ("<i style='vertical-align:Sub'>a", .subscript),
            ("<sup style='vertical-align: baseline'>a", nil), ("<td style='vertical-align: super'>a", nil),
            ("<sup><span style='vertical-align: baseline'>a", .superscript), ("<b style='vertical-align: top'>a", nil),
        ] as [(String, TextStyle.Script?)])
    func htmlScripts(source: String, script: TextStyle.Script?) throws {
        #expect(try html(source).script == script)
    }

    @Test("A superscript has no relative size of its own, because readers display it in a smaller size")
    func size() throws {
        #expect(try html("<span style='font-size: 11pt'><sup style='font-size: 65%'>a").fontSize == 11)
        // Google Docs writes superscripts like this.
        let style = try html(
            "<span style='font-size:11pt'><span style='font-size:0.6em;vertical-align:super;'>2</span>")
        #expect(style.fontSize == 11 && style.script == .superscript)
        #expect(try html("<sup style='font-size: 9pt'>a").fontSize == 9)
        #expect(try html("<span style='font-size: 50%'>a").fontSize == 6)
    }

    @Test(
        "The distance of raised and lowered text is read and written",
        arguments: [
            (#"\up8"#, "4pt", 4), (#"\dn5"#, "-2.5pt", -2.5), (#"\up"#, "3pt", 3), (#"\dn"#, "-4px", -3),
            (#"\up99999"#, "9999pt", 1584), (#"\dn99999"#, "-99in", -1584),
            (#"\dn-2147483648"#, "9999999999999999pt", 1584), (#"\up0"#, "0", 0),
            (#"\up8\up0"#, "top", 0),
        ])
    func offsets(words: String, css: String, points: Double) throws {
        #expect(try rtf(words + " a").baselineOffset == points)
        #expect(try html("<span style='vertical-align: \(css)'>a").baselineOffset == points)
        let (rtf, html) = written { $0.baselineOffset = points }
        let reread = try #require(RichText.styledText(fromRTF: Array(rtf.utf8)))
        #expect(reread.paragraphs[0].runs[0].style.baselineOffset == points)
        #expect(try self.html(html).baselineOffset == points)
    }

    @Test(
        "The distance between characters is read and written",
        arguments: [
            (#"\expnd4\expndtw21"#, "1.05pt", 1.05), (#"\expnd-2"#, "-0.5pt", -0.5), (#"\expndtw-8"#, "-0.4pt", -0.4),
            (#"\expndtw99999999"#, "9999pt", 1584), (#"\expnd-2147483648"#, "-99in", -1584),
            (#"\expndtw60\expndtw0"#, "normal", 0), (#"\expndtw60\plain"#, "wide", 0), (#"\expndtw24"#, "0.1em", 1.2),
        ])
    func kerning(words: String, css: String, points: Double) throws {
        #expect(try rtf(words + " a").kern == points)
        #expect(try html("<span style='letter-spacing: \(css)'>a").kern == points)
        let (rtf, html) = written { $0.kern = points }
        let reread = try #require(RichText.styledText(fromRTF: Array(rtf.utf8)))
        #expect(reread.paragraphs[0].runs[0].style.kern == points)
        #expect(try self.html(html).kern == points)
    }

    @Test("The distance between characters is inherited in HTML, and an inner element can reset it")
    func inheritedKerning() throws {
        #expect(try html("<p style='letter-spacing: 2pt'><b>a").kern == 2)
        #expect(try html("<p style='letter-spacing: 2pt'><b style='letter-spacing: inherit'>a").kern == 2)
        #expect(try html("<p style='letter-spacing: 2pt'><b style='letter-spacing: normal'>a").kern == 0)
        let wide = written { $0.kern = 1.05 }
        #expect(wide.html == "<div><span style=\"letter-spacing: 1.05pt\">a</span></div>\n")
        #expect(wide.rtf.hasSuffix("{\\expnd4\\expndtw21 a}\\par\n}"))
    }

    @Test("Scripts and distances are written")
    func writing() {
        let both = written {
            $0.script = .superscript
            $0.baselineOffset = -1.25
        }
        #expect(both.html == "<div><sup><span style=\"vertical-align: -1.25pt\">a</span></sup></div>\n")
        #expect(both.rtf.hasSuffix("{\\super\\dn3 a}\\par\n}"))
        let lower = written { $0.script = .subscript }
        #expect(lower.html == "<div><sub>a</sub></div>\n")
        #expect(lower.rtf.hasSuffix("{\\sub a}\\par\n}"))
        let unset = written { $0.baselineOffset = .nan }
        #expect(unset.html == "<div>a</div>\n" && unset.rtf.hasSuffix(" a\\par\n}"))
    }
}
