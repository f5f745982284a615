/// Writes styled text as RTF 1.9.1: ASCII only, fonts and colours in tables, lists as Word and Cocoa know them.
struct RTFWriter {
    private var fonts: [String: Int] = [:]
    private var fontTable = MarkupText()
    private var colors: [TextColor: Int] = [:]
    private var colorTable = MarkupText()
    private var lists = RTFListWriter()
    private var body = MarkupText()

    static func bytes(of text: StyledText) -> [UInt8] {
        var writer = RTFWriter()
        for paragraph in text.paragraphs { writer.write(paragraph) }
        return writer.document
    }

    private var document: [UInt8] {
        var result = MarkupText()
        result.append("{\\rtf1\\ansi\\ansicpg1252\\deff0\\uc1\n{\\fonttbl{\\f0\\fnil\\fcharset0 Helvetica;}")
        result.append(String(decoding: fontTable.bytes, as: UTF8.self))
        result.append("}\n{\\colortbl;")
        result.append(String(decoding: colorTable.bytes, as: UTF8.self))
        result.append("}\n")
        result.append(lists.tables)
        result.append(String(decoding: body.bytes, as: UTF8.self))
        result.append("}")
        return result.bytes
    }

    // MARK: Paragraphs

    private mutating func write(_ paragraph: StyledText.Paragraph) {
        let style = paragraph.style
        body.append("\\pard")
        switch style.alignment {
        case .natural: break
        case .left: body.append("\\ql")
        case .right: body.append("\\qr")
        case .center: body.append("\\qc")
        case .justified: body.append("\\qj")
        }
        if style.isSpaced { body.append("\\sb120\\sa120") }
        if let level = style.headingLevel { body.append("\\outlinelevel\(level - 1)") }
        if let item = style.list {
            write(item)
        } else {
            lists.interrupt()
            body.append(" ")
        }
        var rest = paragraph.runs[...]
        while let first = rest.first {
            let alike = rest.prefix { $0.style.link == first.style.link }
            write(alike, link: first.style.link)
            rest = rest[alike.endIndex...]
        }
        body.append("\\par\n")
    }

    /// The marker stands in the text too, for readers that do not number items themselves.
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
            body.appendRTF(run.text)
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
        if let color = style.foreground { controls += "\\cf\(number(of: color))" }
        if let color = style.background {
            // Cocoa reads the one, Word the other.
            let number = number(of: color)
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
