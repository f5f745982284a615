import Formats

/// A writer of styled text as a fragment of HTML: UTF-8, without `html`, `head` and `meta`.
struct HTMLWriter {
    private var lists = HTMLListWriter()
    private var output = MarkupBuffer()

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
        let tag = Self.tag(of: paragraph.style)
        // The text of an item needs no separate element if nothing requires a block.
        let isBare = paragraph.style.list?.marker != nil && style.isEmpty && tag == "div"
        if !isBare {
            output.append("<\(tag)")
            if !style.isEmpty { output.append(" style=\"\(style)\"") }
            output.append(">")
        }
        // A newline directly after `<pre>` does not count, so an additional one is written.
        if tag == "pre", text.isEmpty || text.utf8.first == 0x0A { output.append("\n") }
        for run in paragraph.runs { write(run, in: paragraph.style) }
        // The last line break of a block does not count, so an additional one is written.
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
        let layout = style.layout.normalized(in: style)
        if layout != ParagraphLayout() { declarations += css(of: layout) }
        if tag(of: style) != "pre", collapses(text) { declarations.append("white-space: pre-wrap") }
        return declarations.joined(separator: "; ")
    }

    /// Lengths have units even if they are 0, because LibreOffice does not read them otherwise.
    @inline(never) private static func css(of layout: ParagraphLayout) -> [String] {
        var declarations: [String] = []
        func declare(_ property: String, _ points: Double) {
            let number = points.css()
            if number != "0" { declarations.append("\(property): \(number)pt") }
        }
        if let space = layout.paragraphSpacingBefore { declarations.append("margin-top: \(space.css())pt") }
        if let space = layout.paragraphSpacing { declarations.append("margin-bottom: \(space.css())pt") }
        declare("margin-left", layout.headIndent)
        declare("margin-right", -layout.tailIndent)
        declare(
            "text-indent",
            layout.firstLineHeadIndent.rounded(toPlaces: 2) - layout.headIndent.rounded(toPlaces: 2))
        let multiple = layout.lineHeightMultiple.css(places: 3)
        if multiple != "0" {
            declarations.append("line-height: \(multiple)")
        } else {
            declare("line-height", layout.minimumLineHeight)
            if layout.minimumLineHeight > 0, layout.maximumLineHeight == layout.minimumLineHeight {
                declarations.append("mso-line-height-rule: exactly")
            }
        }
        if !layout.tabStops.isEmpty {
            declarations.append("tab-stops: " + layout.tabStops.map(\.css).joined(separator: " "))
        }
        return declarations
    }

    /// Returns true if white space in the text would collapse.
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
        defer { output.append(tags.closing) }
        if let picture = run.style.picture {
            for _ in run.text.unicodeScalars { output.append(picture.html) }
            return
        }
        // Word reads a tab only in an element for tabs; elsewhere it reads a space.
        let hasTabStops = paragraph.list == nil && !paragraph.layout.tabStops.isEmpty
        if Self.tag(of: paragraph) == "pre" {
            write(run.text[...], hasTabStops: hasTabStops)
        } else {
            for (index, line) in run.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                if index > 0 { output.append("<br>") }
                write(line, hasTabStops: hasTabStops)
            }
        }
    }

    @inline(never) private mutating func write(_ text: Substring, hasTabStops: Bool) {
        guard hasTabStops else { return output.appendHTML(text) }
        for (index, part) in text.split(separator: "\t", omittingEmptySubsequences: false).enumerated() {
            if index > 0 { output.append("<span style=\"mso-tab-count: 1\">\t</span>") }
            output.appendHTML(part)
        }
    }
}

/// The tags around a run, for the styles that the element of its paragraph does not imply.
private struct HTMLRunTags {
    private(set) var opening = ""
    private(set) var closing = ""

    init(_ style: TextStyle, in paragraph: ParagraphStyle) {
        let heading = paragraph.headingLevel.map { min(max(1, $0), 6) }
        openElements(for: style, inHeading: heading != nil)
        let css = Self.declarations(for: style, heading: heading, isPreformatted: paragraph.isPreformatted)
        if !css.isEmpty { open("span", " style=\"\(Self.escaped(css.joined(separator: "; ")))\"") }
    }

    private mutating func openElements(for style: TextStyle, inHeading: Bool) {
        if let link = style.link {
            let decoration = style.isUnderlined ? "" : " style=\"text-decoration: none\""
            open("a", " href=\"\(Self.escaped(link))\"" + decoration)
        } else if style.isUnderlined {
            open("u")
        }
        if style.isBold, !inHeading { open("b") }
        if style.isItalic { open("i") }
        if style.isStruckThrough { open("s") }
        switch style.script {
        case .superscript: open("sup")
        case .subscript: open("sub")
        case nil: break
        }
    }

    private static func declarations(for style: TextStyle, heading: Int?, isPreformatted: Bool) -> [String] {
        var css: [String] = []
        if !style.isBold, heading != nil { css.append("font-weight: normal") }
        let impliedSize = heading.map { HTMLStyleChange.headingSizes[$0 - 1] }
        if style.writtenSize != impliedSize {
            css.append("font-size: " + (style.writtenSize.map { $0.css() + "pt" } ?? "medium"))
        }
        let impliedFamily = isPreformatted && heading == nil ? "monospace" : nil
        if style.fontFamily != impliedFamily {
            css.append("font-family: " + (style.fontFamily.map(family) ?? "initial"))
        }
        if let color = style.foreground { css.append("color: " + hexadecimal(color)) }
        if let color = style.background { css.append("background-color: " + hexadecimal(color)) }
        let offset = ParagraphLayout.offset(style.baselineOffset).css()
        if offset != "0" { css.append("vertical-align: \(offset)pt") }
        let kern = ParagraphLayout.offset(style.kern).css()
        if kern != "0" { css.append("letter-spacing: \(kern)pt") }
        return css
    }

    private mutating func open(_ tag: String, _ attributes: String = "") {
        opening += "<\(tag)\(attributes)>"
        closing = "</\(tag)>" + closing
    }

    private static func escaped(_ attribute: String) -> String {
        var buffer = MarkupBuffer()
        buffer.appendHTML(attribute)
        return buffer.string
    }

    /// Returns a generic family of CSS unquoted, and any other family in quotation marks.
    private static func family(_ name: String) -> String {
        let generic = ["serif", "sans-serif", "monospace", "cursive", "fantasy", "system-ui"]
        if generic.contains(name) { return name }
        var quoted = "'"
        for scalar in name.unicodeScalars {
            if scalar == "'" || scalar == "\\" { quoted += "\\" }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "'"
    }

    private static func hexadecimal(_ color: TextColor) -> String {
        X11Color(red8: color.red, green: color.green, blue: color.blue).css
    }
}

/// A writer of the tags of the lists around paragraphs.
private struct HTMLListWriter {
    private enum Kind: Equatable {
        case bulleted
        case numbered(NumberingStyle)
        /// A list without markers, for paragraphs that continue an item although no item is open at their level.
        case unmarked
    }

    private struct List {
        let kind: Kind
        /// The number of the next item if the item has no `value` attribute.
        var next: Int
        var hasItem: Bool
    }

    /// The open lists, outermost first.
    private var lists: [List] = []

    /// Opens and closes lists and items so that a paragraph in this position can follow.
    mutating func place(_ item: ListItem?, into output: inout MarkupBuffer) {
        guard let item else { return close(downTo: 0, into: &output) }
        close(downTo: item.level, into: &output)
        guard let marker = item.marker else {
            if lists.count < item.level || !lists[item.level - 1].hasItem {
                openItem(item, .unmarked, 1, into: &output)
            }
            return
        }
        switch marker {
        case .bullet: openItem(item, .bulleted, nil, into: &output)
        case .number(let number, let style): openItem(item, .numbered(style), number, into: &output)
        }
    }

    mutating func close(downTo level: Int, into output: inout MarkupBuffer) {
        while lists.count > level {
            let last = lists.removeLast()
            if last.hasItem { output.append("</li>") }
            if case .numbered = last.kind { output.append("</ol>") } else { output.append("</ul>") }
            if lists.isEmpty { output.append("\n") }
        }
    }

    private mutating func openItem(_ item: ListItem, _ kind: Kind, _ number: Int?, into output: inout MarkupBuffer) {
        if lists.count == item.level, lists[item.level - 1].kind != kind {
            close(downTo: item.level - 1, into: &output)
        }
        while lists.count < item.level { openList(kind, number ?? 1, into: &output) }
        if lists[item.level - 1].hasItem { output.append("</li>") }
        let value = number.flatMap { $0 == lists[item.level - 1].next ? nil : " value=\"\($0)\"" } ?? ""
        output.append("<li\(kind == .unmarked ? "" : value)>")
        lists[item.level - 1].hasItem = true
        lists[item.level - 1].next = (number ?? 0) &+ 1
    }

    private mutating func openList(_ kind: Kind, _ start: Int, into output: inout MarkupBuffer) {
        switch kind {
        case .bulleted: output.append("<ul>")
        case .unmarked: output.append("<ul style=\"list-style-type: none\">")
        case .numbered(let style):
            let type = Self.types[style].map { " type=\"\($0)\"" } ?? ""
            output.append("<ol\(type)\(start == 1 ? "" : " start=\"\(start)\"")>")
        }
        lists.append(List(kind: kind, next: start, hasItem: false))
    }

    /// The attribute `type` of lists that are not decimal.
    private static let types: [NumberingStyle: String] = [
        .lowerAlpha: "a", .upperAlpha: "A", .lowerRoman: "i", .upperRoman: "I",
    ]
}
