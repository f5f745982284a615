/// Writes styled text as a fragment of HTML: UTF-8, no `html`, no `head`, no `meta`.
struct HTMLWriter {
    private var lists = HTMLListWriter()
    private var output = MarkupText()

    static func bytes(of text: StyledText) -> [UInt8] {
        var writer = HTMLWriter()
        for paragraph in text.paragraphs { writer.write(paragraph) }
        writer.lists.close(downTo: 0, into: &writer.output)
        return writer.output.bytes
    }

    // MARK: Paragraphs

    private mutating func write(_ paragraph: StyledText.Paragraph) {
        lists.place(paragraph.style.list, into: &output)
        let text = paragraph.text
        let style = Self.css(of: paragraph.style, text)
        // An item's text stands in it bare when nothing needs a block.
        let isBare = paragraph.style.list?.marker != nil && style.isEmpty && Self.tag(of: paragraph.style) == "div"
        let tag = Self.tag(of: paragraph.style)
        if !isBare {
            output.append("<\(tag)")
            if !style.isEmpty { output.append(" style=\"\(style)\"") }
            output.append(">")
        }
        // A newline right behind `<pre>` is none.
        if tag == "pre", text.isEmpty || text.utf8.first == 0x0A { output.append("\n") }
        for run in paragraph.runs { write(run, in: paragraph.style) }
        // The last line break of a block is none either.
        if text.isEmpty || text.utf8.last == 0x0A { output.append(tag == "pre" ? "\n" : "<br>") }
        if !isBare { output.append("</\(tag)>") }
        if paragraph.style.list == nil { output.append("\n") }
    }

    private static func tag(of style: ParagraphStyle) -> String {
        if let level = style.headingLevel { return "h\(min(max(1, level), 6))" }
        if style.isPreformatted { return "pre" }
        return style.isSpaced ? "p" : "div"
    }

    private static func css(of style: ParagraphStyle, _ text: String) -> String {
        var declarations: [String] = []
        switch style.alignment {
        case .natural: break
        case .left: declarations.append("text-align: left")
        case .right: declarations.append("text-align: right")
        case .center: declarations.append("text-align: center")
        case .justified: declarations.append("text-align: justify")
        }
        if tag(of: style) != "pre", collapses(text) { declarations.append("white-space: pre-wrap") }
        return declarations.joined(separator: "; ")
    }

    /// Whether HTML would show other blanks than the text has.
    private static func collapses(_ text: String) -> Bool {
        var last = UInt8(ascii: "\n")
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\t") { return true }
            if byte == UInt8(ascii: " "), last == UInt8(ascii: " ") || last == UInt8(ascii: "\n") { return true }
            if byte == UInt8(ascii: "\n"), last == UInt8(ascii: " ") { return true }
            last = byte
        }
        return last == UInt8(ascii: " ")
    }

    // MARK: Runs

    private mutating func write(_ run: StyledText.Run, in paragraph: ParagraphStyle) {
        let tags = HTMLRunTags(run.style, in: paragraph)
        output.append(tags.opening)
        if Self.tag(of: paragraph) == "pre" {
            output.appendHTML(run.text)
        } else {
            for (index, line) in run.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                if index > 0 { output.append("<br>") }
                output.appendHTML(line)
            }
        }
        output.append(tags.closing)
    }
}
