/// A writer of styled text as RTF 1.9.1, in ASCII, with lists in the form that Word and Cocoa read.
struct RTFWriter {
    private var fonts: [String: Int] = [:]
    private var fontTable = MarkupBuffer()
    private var colors: [TextColor: Int] = [:]
    private var colorTable = MarkupBuffer()
    private var lists = RTFListWriter()
    private var body = MarkupBuffer()

    static func bytes(of text: StyledText) -> [UInt8] {
        var writer = RTFWriter()
        for paragraph in text.paragraphs { writer.write(paragraph) }
        return writer.document
    }

    private var document: [UInt8] {
        var result = MarkupBuffer()
        result.append("{\\rtf1\\ansi\\ansicpg1252\\deff0\\uc1\n{\\fonttbl{\\f0\\fnil\\fcharset0 Helvetica;}")
        result.append(fontTable.string)
        result.append("}\n{\\colortbl;")
        result.append(colorTable.string)
        result.append("}\n")
        result.append(lists.tables)
        result.append(body.string)
        result.append("}")
        return result.bytes
    }

    // MARK: Paragraphs

    private mutating func write(_ paragraph: StyledText.Paragraph) {
        write(paragraph.style)
        var rest = paragraph.runs[...]
        while let first = rest.first {
            let linked = rest.prefix { $0.style.link == first.style.link }
            write(linked, link: first.style.link)
            rest = rest[linked.endIndex...]
        }
        body.append("\\par\n")
    }

    private mutating func write(_ style: ParagraphStyle) {
        body.append("\\pard")
        switch style.alignment {
        case .natural: break
        case .left: body.append("\\ql")
        case .right: body.append("\\qr")
        case .center: body.append("\\qc")
        case .justified: body.append("\\qj")
        }
        let layout = style.layout.normalized(in: style)
        writeSpacing(layout, isSpaced: style.isSpaced)
        if let level = style.headingLevel { body.append("\\outlinelevel\(level - 1)") }
        if layout != ParagraphLayout() { write(layout) }
        if let item = style.list {
            write(item)
        } else {
            lists.interrupt()
            body.append(" ")
        }
    }

    private mutating func writeSpacing(_ layout: ParagraphLayout, isSpaced: Bool) {
        let implied = isSpaced ? Int(RTFParagraphStyle.automaticSpace) : 0
        let before = layout.paragraphSpacingBefore.map(Self.twips) ?? implied
        let after = layout.paragraphSpacing.map(Self.twips) ?? implied
        if before > 0 { body.append("\\sb\(before)") }
        if after > 0 { body.append("\\sa\(after)") }
    }

    private mutating func write(_ layout: ParagraphLayout) {
        let left = Self.twips(layout.headIndent)
        write("fi", Self.twips(layout.firstLineHeadIndent) - left)
        write("li", left)
        write("ri", -Self.twips(layout.tailIndent))
        writeLineHeight(layout)
        write("slleading", Self.twips(layout.lineSpacing))
        for stop in layout.tabStops {
            switch stop.alignment {
            case .left: break
            case .center: body.append("\\tqc")
            case .right: body.append("\\tqr")
            case .decimal: body.append("\\tqdec")
            }
            switch stop.leader {
            case .dots: body.append("\\tldot")
            case .dashes: body.append("\\tlhyph")
            case .line: body.append("\\tlul")
            case nil: break
            }
            body.append("\\tx\(Self.twips(stop.location))")
        }
    }

    /// Writes the height of lines. Only Cocoa reads a minimum together with a multiple, and a maximum other than the
    /// minimum.
    private mutating func writeLineHeight(_ layout: ParagraphLayout) {
        let multiple = Int((layout.lineHeightMultiple * 240).rounded())
        let minimum = Self.twips(layout.minimumLineHeight)
        let maximum = Self.twips(layout.maximumLineHeight)
        if multiple > 0 {
            body.append("\\sl\(multiple)\\slmult1")
            write("slminimum", minimum)
            write("slmaximum", maximum)
        } else if minimum > 0, maximum == minimum {
            body.append("\\sl-\(minimum)\\slmult0")
        } else {
            if minimum > 0 { body.append("\\sl\(minimum)\\slmult0") }
            write("slmaximum", maximum)
        }
    }

    /// Writes a control word unless its parameter is the default, 0.
    private mutating func write(_ word: String, _ parameter: Int) {
        if parameter != 0 { body.append("\\\(word)\(parameter)") }
    }

    private static func twips(_ points: Double) -> Int { Int((points * 20).rounded()) }

    /// Writes the marker of an item. The marker is also written as text, for readers that do not number items.
    private mutating func write(_ item: ListItem) {
        guard let marker = item.marker else {
            body.append("\\li\(720 * item.level) ")
            return
        }
        let number = lists.number(of: marker, level: item.level)
        body.append("\\fi-360\\li\(720 * item.level)\\ls\(number)\\ilvl\(item.level - 1){\\listtext\\tab ")
        body.appendRTF(marker.text.dropLast())
        body.append("\\tab}")
    }

    // MARK: Runs

    private mutating func write(_ runs: ArraySlice<StyledText.Run>, link: String?) {
        if let link {
            var quoted = ""
            for character in link.unicodeScalars {
                if character == "\"" || character == "\\" { quoted += "\\" }
                quoted.unicodeScalars.append(character)
            }
            body.append("{\\field{\\*\\fldinst{HYPERLINK \"")
            body.appendRTF(quoted)
            body.append("\"}}{\\fldrslt ")
        }
        for run in runs {
            let controls = controls(of: run.style)
            if !controls.isEmpty { body.append("{\(controls) ") }
            if let picture = run.style.picture {
                for _ in run.text.unicodeScalars { body.append(picture.rtf) }
            } else {
                body.appendRTF(run.text)
            }
            if !controls.isEmpty { body.append("}") }
        }
        if link != nil { body.append("}}") }
    }

    private mutating func controls(of style: TextStyle) -> String {
        var controls = ""
        if let family = style.fontFamily, !family.isEmpty { controls += "\\f\(font(family))" }
        if let size = style.writtenSize { controls += "\\fs\(Int(size * 2 + 0.5))" }
        if style.isBold { controls += "\\b" }
        if style.isItalic { controls += "\\i" }
        if style.isUnderlined { controls += "\\ul" }
        if style.isStruckThrough { controls += "\\strike" }
        switch style.script {
        case .superscript: controls += "\\super"
        case .subscript: controls += "\\sub"
        case nil: break
        }
        let offset = Int((ParagraphLayout.offset(style.baselineOffset) * 2).rounded())
        if offset != 0 { controls += offset > 0 ? "\\up\(offset)" : "\\dn\(-offset)" }
        let kern = Self.twips(ParagraphLayout.offset(style.kern))
        // Old readers know only quarters of a point.
        if kern != 0 { controls += "\\expnd\(kern / 5)\\expndtw\(kern)" }
        if let color = style.foreground { controls += "\\cf\(number(of: color))" }
        if let color = style.background {
            let number = number(of: color)
            // Cocoa reads `\cb`, Word `\chcbpat`.
            controls += "\\cb\(number)\\chshdng0\\chcbpat\(number)"
        }
        return controls
    }

    private mutating func font(_ family: String) -> Int {
        if let known = fonts[family] { return known }
        let number = fonts.count + 1
        fonts[family] = number
        fontTable.append("{\\f\(number)\\fnil\\fcharset0 ")
        fontTable.appendRTF(family)
        fontTable.append(";}")
        return number
    }

    private mutating func number(of color: TextColor) -> Int {
        if let known = colors[color] { return known }
        let number = colors.count + 1
        colors[color] = number
        colorTable.append("\\red\(color.red)\\green\(color.green)\\blue\(color.blue);")
        return number
    }
}

/// A writer of the list tables of an RTF document. Word numbers the items of a list through the whole document, so each
/// sequence of numbers is a separate list. All bullets share one list.
private struct RTFListWriter {
    /// The maximum number of lists; each declaration takes a kilobyte. Further sequences use the last list.
    private static let maxCount = 2_000

    private struct Sequence {
        let list: Int
        let style: NumberingStyle
        var next: Int
    }

    /// The sequences that may continue, by level.
    private var open: [Int: Sequence] = [:]
    private var count = 0
    private var bullets: Int?
    private var declarations = ""
    private var overrides = ""

    /// The list tables, which precede the text; empty if there are no lists.
    var tables: String {
        count == 0 ? "" : "{\\*\\listtable\(declarations)}\n{\\*\\listoverridetable\(overrides)}\n"
    }

    /// Returns the `\ls` of an item.
    mutating func number(of marker: ListMarker, level: Int) -> Int {
        for deeper in open.keys where deeper > level { open[deeper] = nil }
        switch marker {
        case .bullet:
            open[level] = nil
            if let bullets { return bullets }
            let list = declare(format: Self.bulletFormat, start: 1, text: "\\'01\\u8226 ?;", numbers: "")
            bullets = list
            return list
        case .number(let number, let style):
            if var sequence = open[level], sequence.style == style, sequence.next == number {
                sequence.next = number &+ 1
                open[level] = sequence
                return sequence.list
            }
            let text = "\\'02\\'0\(level - 1).;"
            let list = declare(format: Self.format(style), start: number, text: text, numbers: "\\'01")
            open[level] = Sequence(list: list, style: style, next: number &+ 1)
            return list
        }
    }

    /// Ends all sequences, at a paragraph outside of lists.
    mutating func interrupt() {
        open = [:]
    }

    /// The parameter of `\levelnfc` for bullets.
    private static let bulletFormat = 23

    /// Returns the parameter of `\levelnfc` for numbers.
    private static func format(_ style: NumberingStyle) -> Int {
        switch style {
        case .decimal: 0
        case .upperRoman: 1
        case .lowerRoman: 2
        case .upperAlpha: 3
        case .lowerAlpha: 4
        }
    }

    private mutating func declare(format: Int, start: Int, text: String, numbers: String) -> Int {
        guard count < Self.maxCount else { return count }
        count += 1
        declarations += "{\\list\\listtemplateid\(count)"
        for level in 1...ListItem.maxLevel {
            declarations += "{\\listlevel\\levelnfc\(format)\\levelstartat\(start){\\leveltext\(text)}"
            declarations += "{\\levelnumbers\(numbers);}\\fi-360\\li\(720 * level)}"
        }
        declarations += "\\listid\(count)}"
        overrides += "{\\listoverride\\listid\(count)\\listoverridecount0\\ls\(count)}"
        return count
    }
}
