import RichText
import Testing

@Suite struct StyledHTMLTests {
    private func read(_ html: String) -> StyledText { RichText.styledText(fromHTML: Array(html.utf8)) }

    /// Returns the style of the only run.
    private func style(_ html: String) throws -> TextStyle {
        let text = read(html)
        try #require(text.paragraphs.count == 1 && text.paragraphs[0].runs.count == 1)
        return text.paragraphs[0].runs[0].style
    }

    private func made(_ change: (inout TextStyle) -> Void) -> TextStyle {
        var style = TextStyle()
        change(&style)
        return style
    }

    @Test(
        "Elements and inline CSS determine whether text is bold",
        arguments: [
            ("<b>a</b>", true), ("<strong>a", true), ("<span style='font-weight:bold'>a", true), ("<th>a", true),
            ("<span style='font-weight: 700'>a", true), ("<b style='font-weight:normal'>a</b>", false), ("<h2>a", true),
            ("<b><span style='font-weight: 400'>a</span></b>", false), ("<b></b>a", false), ("<i>a</i>", false),
            ("<span style=\"font: italic bold 12pt/1.5 'A'\">a", true), ("<b>b</b hidden><p></b>a", false),
        ])
    func bold(html: String, isBold: Bool) throws {
        let last = try #require(read(html).paragraphs.last?.runs.last)
        #expect(last.style.isBold == isBold)
    }

    @Test("Elements and inline CSS make text italic, underlined and struck through")
    func decorations() throws {
        for html in ["<i>a", "<em>a", "<span style='font-style: oblique 10deg'>a", "<cite>a"] {
            #expect(try style(html) == made { $0.isItalic = true })
        }
        for html in ["<u>a", "<ins>a", "<span style='text-decoration: underline solid'>a"] {
            #expect(try style(html) == made { $0.isUnderlined = true })
        }
        for html in ["<s>a", "<del>a", "<strike>a", "<span style='text-decoration-line:line-through'>a"] {
            #expect(try style(html) == made { $0.isStruckThrough = true })
        }
        #expect(try style("<u style='text-decoration:none'>a").isUnderlined == false)
        #expect(try style("<u><span style='text-decoration:none'>a").isUnderlined == true)
    }

    @Test(
        "Font sizes are converted to points",
        arguments: [
            ("font-size: 16px", 12), ("font-size:11.5pt", 11.5), ("font-size: 2em", 24), ("font-size: 150%", 18),
            ("font-size: x-large", 18), ("font-size:larger", 14.4), ("font: 10pt serif", 10), ("font-size: 1in", 72),
            ("font-size: medium", nil), ("font-size: 0", nil), ("font-size: 99999px", nil), ("font-size: -3pt", nil),
            ("font-size: calc(1px)", nil), ("font-size: nanpt", nil), ("font-size: 1e99pt", nil),
        ] as [(String, Double?)])
    func sizes(css: String, size: Double?) throws {
        let read = try style("<span style='\(css)'>a").fontSize
        #expect(read.map { Int($0 * 100 + 0.5) } == size.map { Int($0 * 100 + 0.5) })
    }

    @Test("Relative font sizes depend on the size of the surrounding text")
    func relativeSizes() throws {
        #expect(try style("<div style='font-size:20pt'><span style='font-size:50%'>a").fontSize == 10)
        #expect(try style("<font size=5>a").fontSize == 18)
        #expect(try style("<font size='+1'>a").fontSize == 13.5)
        #expect(try style("<font size=3>a").fontSize == nil)
        #expect(try style("<h1><span style='font-size:1em'>a").fontSize == 24)
    }

    @Test(
        "The first font family is used",
        arguments: [
            ("<font face='Arial, Helvetica'>a", "Arial"), ("<code>a", "monospace"), ("<p style='font-family:'>a", nil),
            ("<span style='font-family: \"Times New Roman\", serif'>a", "Times New Roman"),
            ("<span style=\"font-family: &quot;A\\&quot; B&quot;\">a", "A\" B"),
            ("<span style='font:7.0pt \"A B\"'>a", "A B"),
            ("<code style='font-family: initial'>a", nil), ("<span style='font-family: Droid Sans'>a", "Droid Sans"),
        ] as [(String, String?)])
    func families(html: String, family: String?) throws {
        #expect(try style(html).fontFamily == family)
    }

    @Test(
        "Colors are read in CSS notation",
        arguments: [
            ("#f00", 0xFF0000), ("#0A0b0C", 0x0A0B0C), ("rgb(1, 2,3)", 0x010203), ("rgba(1,2,3,.5)", 0x010203),
            ("rgb(100% 0% 50% / 50%)", 0xFF0080), ("ReBeccaPurple", 0x663399), ("#abcf", 0xAABBCC),
            ("red !important", 0xFF0000), ("transparent", nil), ("#12", nil), ("#ggg", nil), ("rgba(1,2,3,0)", nil),
            ("windowtext", nil), ("rgb(1,2)", nil), ("rgb(nan,inf,-inf)", nil), ("rgb(-9,999,1e3)", 0x00FFFF),
            ("#11223300", nil),
        ] as [(String, Int?)])
    func colors(css: String, value: Int?) throws {
        let color = value.map {
            TextColor(red: UInt8($0 >> 16), green: UInt8($0 >> 8 & 0xFF), blue: UInt8($0 & 0xFF))
        }
        #expect(try style("<span style='color: \(css)'>a").foreground == color)
        #expect(try style("<span style='background-color: \(css)'>a").background == color)
        #expect(try style("<span style='background: \(css)'>a").background == color)
    }

    @Test("A color is found among other words of a background, and in an attribute without its #")
    func oldColors() throws {
        let red = TextColor(red: 255, green: 0, blue: 0)
        #expect(try style("<span style='background: url(a;b) #f00 repeat'>a").background == red)
        #expect(try style("<font color=FF0000>a").foreground == red)
        #expect(try style("<table bgcolor=red><td>a").background == red)
    }

    @Test("Links have their address, and are underlined unless CSS says otherwise")
    func links() throws {
        let link = try style("<a href=' https://example.org/?a&amp;b '>a</a>")
        #expect(link.link == "https://example.org/?a&b")
        #expect(link.isUnderlined)
        #expect(try style("<a href='#x' style='text-decoration: none'>a").isUnderlined == false)
        #expect(try style("<a name=x>a").link == nil)
        #expect(read("<a href=x>a<a href=y>b</a>c").paragraphs[0].runs.map(\.style.link) == ["x", "y", nil])
    }

    @Test("Paragraphs have alignment, level and kind")
    func paragraphs() {
        let text = read(
            """
            <p align=center>a</p><div style="text-align: end">b</div><h3>c</h3><pre>d
            e</pre><ol><li>f<p>g</p><ul><li>h</ul></ol><center>i</center>
            """)
        #expect(text.paragraphs.map(\.text) == ["a", "b", "c", "d\ne", "f", "g", "h", "i"])
        #expect(
            text.paragraphs.map(\.style.alignment) == [
                .center, .right, .natural, .natural, .natural, .natural, .natural, .center,
            ])
        #expect(text.paragraphs.map(\.style.isSpaced) == [true, false, true, false, false, true, false, false])
        #expect(text.paragraphs.map(\.style.headingLevel) == [nil, nil, 3, nil, nil, nil, nil, nil])
        #expect(text.paragraphs.map(\.style.isPreformatted) == [false, false, false, true, false, false, false, false])
        #expect(
            text.paragraphs.map(\.style.list) == [
                nil, nil, nil, nil, ListItem(level: 1, marker: .number(1, .decimal)), ListItem(level: 1, marker: nil),
                ListItem(level: 2, marker: .bullet), nil,
            ])
    }

    @Test("Misnested formatting ends where it is closed, and continues where it is not")
    func misnesting() {
        let crossed = read("<b>a<i>b</b>c</i>d").paragraphs[0].runs.map {
            ($0.text, $0.style.isBold, $0.style.isItalic)
        }
        #expect(crossed.map(\.0) == ["a", "b", "c", "d"])
        #expect(crossed.map(\.1) == [true, true, false, false])
        #expect(crossed.map(\.2) == [false, true, true, false])
        let open = read("<p><b>a<p>b</b>c").paragraphs
        #expect(open[1].runs.map(\.style.isBold) == [true, false])
    }

    @Test("A collapsed space has the style of the text around it")
    func blanks() {
        #expect(read("<b>a </b>b").paragraphs[0].runs.map(\.text) == ["a ", "b"])
        #expect(read("<b>a</b> b").paragraphs[0].runs.map(\.text) == ["a", " b"])
    }

    @Test("Table rows are paragraphs, with a tab between cells")
    func tables() {
        let rows = read("<table><tr><td><p>a</p><td>b<tr><th>c<td></table>").paragraphs
        #expect(rows.map(\.text) == ["a\tb", "c\t"])
    }

    @Test("Styled text has the plain text that the sample expects", arguments: ClipboardSample.html)
    func plain(sample: ClipboardSample) {
        let own = String(decoding: RichText.styledText(fromHTML: sample.bytes).plainText, as: UTF8.self)
        // Styled text does not contain the newline at the end of a copy.
        let text = sample.text.last == "\n" ? String(sample.text.dropLast()) : sample.text
        #expect(own.map { $0 == "\u{A0}" ? " " : $0 } == Array(text))
    }
}
