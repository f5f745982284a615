/// RTF as styled text: what was read stays as it came until the end, when the tables are whole.
struct StyledRTFOutput: RTFOutput {
    private struct Paragraph {
        var runs: [(utf8: [UInt8], look: RTFLook)] = []
        var marker: [UInt8] = []
        var style = RTFParagraph()
    }

    private var paragraphs: [Paragraph] = []
    private var current = Paragraph()

    var isAtParagraphStart: Bool { current.runs.isEmpty && current.marker.isEmpty }

    mutating func append(_ utf8: some Collection<UInt8>, _ look: RTFLook) {
        if current.runs.last?.look == look {
            current.runs[current.runs.count - 1].utf8.append(contentsOf: utf8)
        } else if !utf8.isEmpty {
            current.runs.append((Array(utf8), look))
        }
    }

    mutating func appendMarker(_ utf8: some Collection<UInt8>, _ look: RTFLook) {
        current.marker.append(contentsOf: utf8)
    }

    mutating func endParagraph(_ paragraph: RTFParagraph) {
        current.style = paragraph
        paragraphs.append(current)
        current = Paragraph()
    }

    mutating func endDocument(_ paragraph: RTFParagraph, isCocoa: Bool) {
        if !isAtParagraphStart || (isCocoa && !paragraphs.isEmpty) { endParagraph(paragraph) }
    }

    /// What was read, once the source is at its end.
    func finished(_ tables: RTFTables) -> StyledText {
        let families = tables.fonts.compactMapValues(Self.family)
        var numbers: [[Int32]: Int] = [:]
        return StyledText(
            paragraphs.map { paragraph in
                var style = Self.style(paragraph.style)
                style.list = Self.item(paragraph.style, marker: paragraph.marker, tables.lists, &numbers)
                var result = StyledText.Paragraph([], style)
                for (utf8, look) in paragraph.runs {
                    result.append(
                        String(decoding: utf8, as: UTF8.self), Self.style(look, families: families, tables))
                }
                return result
            })
    }

    // MARK: Styles

    private static func family(_ font: RTFFont) -> String? {
        var name = font.name[...].trimmed
        if name.last == UInt8(ascii: ";") { name = name.dropLast().trimmed }
        return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }

    private static func style(_ look: RTFLook, families: [Int32: String], _ tables: RTFTables) -> TextStyle {
        var style = TextStyle()
        style.isBold = look.isBold
        style.isItalic = look.isItalic
        style.isUnderlined = look.isUnderlined
        style.isStruckThrough = look.isStruckThrough
        if look.fontSize > 0 { style.fontSize = Double(look.fontSize) / 2 }
        if let font = look.font { style.fontFamily = families[font] }
        style.foreground = color(look.foreground, tables)
        if look.background > 0 { style.background = color(look.background, tables) }
        if look.link > 0 { style.link = tables.links[Int(look.link) - 1] }
        return style
    }

    private static func color(_ number: Int32, _ tables: RTFTables) -> TextColor? {
        guard number >= 0, number < tables.colors.count else { return nil }
        let color = tables.colors[Int(number)]
        guard color != RTFColor() else { return nil }
        return TextColor(red: color.red ?? 0, green: color.green ?? 0, blue: color.blue ?? 0)
    }

    private static func style(_ paragraph: RTFParagraph) -> ParagraphStyle {
        var style = ParagraphStyle()
        style.alignment = paragraph.alignment
        style.isSpaced = paragraph.spaceBefore > 0 || paragraph.spaceAfter > 0
        if (0..<6).contains(paragraph.outlineLevel) { style.headingLevel = Int(paragraph.outlineLevel) + 1 }
        return style
    }

    // MARK: Lists

    /// `numbers`: the last of each list and level, for documents that leave counting to the reader.
    private static func item(
        _ paragraph: RTFParagraph, marker: [UInt8], _ lists: RTFLists, _ numbers: inout [[Int32]: Int]
    ) -> ListItem? {
        let text = String(decoding: marker[...].trimmed, as: UTF8.self)
        guard paragraph.list > 0 || !text.isEmpty else { return nil }
        let level = Int(min(max(0, paragraph.listLevel), 8))
        let key = [paragraph.list, Int32(level)]
        // "2.1.", "(a)": the last part is the item's own.
        let digits = text.split { ".() ".contains($0) }.last.map(String.init) ?? ""
        let found: ListMarker?
        switch lists.style(of: paragraph.list, level: level) {
        case .numbers(let numbering):
            let number = numbering.number(ofDigits: digits) ?? (numbers[key] ?? 0) &+ 1
            numbers[key] = number
            found = .number(number, numbering)
        case .bullet: found = .bullet
        case .some(.none): found = nil
        case nil: found = Int(digits).map { .number($0, .decimal) } ?? .bullet
        }
        return ListItem(level: level + 1, marker: found)
    }
}
