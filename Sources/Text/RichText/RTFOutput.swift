import Formats

/// The destination of an ``RTFReader``.
protocol RTFOutput {
    mutating func append(_ utf8: some Collection<UInt8>, _ style: RTFCharacterStyle)
    /// Appends the number or bullet of a list item that the document contains for readers that do not number items.
    mutating func appendMarker(_ utf8: some Collection<UInt8>, _ style: RTFCharacterStyle)
    /// Appends the picture that a style names.
    mutating func appendPicture(_ style: RTFCharacterStyle)
    mutating func endParagraph(_ paragraph: RTFParagraphStyle)
    /// Ends the document. `isCocoa` is true if the writer ends the last paragraph only when a newline was copied.
    mutating func endDocument(_ paragraph: RTFParagraphStyle, isCocoa: Bool)
    var isAtParagraphStart: Bool { get }
}

struct RTFPlainTextOutput: RTFOutput {
    private(set) var bytes: [UInt8] = []
    private(set) var isAtParagraphStart = true

    mutating func append(_ utf8: some Collection<UInt8>, _ style: RTFCharacterStyle) {
        bytes.append(contentsOf: utf8)
        isAtParagraphStart = false
    }

    mutating func appendMarker(_ utf8: some Collection<UInt8>, _ style: RTFCharacterStyle) { append(utf8, style) }

    /// Does nothing: plain text has no pictures.
    mutating func appendPicture(_ style: RTFCharacterStyle) {}

    mutating func endParagraph(_ paragraph: RTFParagraphStyle) {
        bytes.append(0x0A)
        isAtParagraphStart = true
    }

    mutating func endDocument(_ paragraph: RTFParagraphStyle, isCocoa: Bool) {
        if isAtParagraphStart, !isCocoa, !bytes.isEmpty { bytes.removeLast() }
        bytes = UTF8Text.repaired(bytes)
    }
}

/// Styled text from RTF. Text keeps its RTF styles until the end of the document, when the tables are complete.
struct StyledRTFOutput: RTFOutput {
    private struct Paragraph {
        var runs: [(utf8: [UInt8], style: RTFCharacterStyle)] = []
        var marker: [UInt8] = []
        var style = RTFParagraphStyle()
    }

    private var paragraphs: [Paragraph] = []
    private var current = Paragraph()

    var isAtParagraphStart: Bool { current.runs.isEmpty && current.marker.isEmpty }

    mutating func append(_ utf8: some Collection<UInt8>, _ style: RTFCharacterStyle) {
        if current.runs.last?.style == style {
            current.runs[current.runs.count - 1].utf8.append(contentsOf: utf8)
        } else if !utf8.isEmpty {
            current.runs.append((Array(utf8), style))
        }
    }

    mutating func appendPicture(_ style: RTFCharacterStyle) {
        append(Array(String(TextPicture.character).utf8), style)
    }

    mutating func appendMarker(_ utf8: some Collection<UInt8>, _ style: RTFCharacterStyle) {
        current.marker.append(contentsOf: utf8)
    }

    mutating func endParagraph(_ paragraph: RTFParagraphStyle) {
        current.style = paragraph
        paragraphs.append(current)
        current = Paragraph()
    }

    mutating func endDocument(_ paragraph: RTFParagraphStyle, isCocoa: Bool) {
        if !isAtParagraphStart || (isCocoa && !paragraphs.isEmpty) { endParagraph(paragraph) }
    }

    /// Returns the text, after the source has been read.
    func finished(_ tables: RTFTables) -> StyledText {
        let families = tables.fonts.compactMapValues(Self.family)
        var numbers: [[Int32]: Int] = [:]
        var (limit, nameLimit) = (TabStopLimit(), LongNameLimit())
        return StyledText(
            paragraphs.map { paragraph in
                var style = Self.paragraphStyle(paragraph.style)
                style.list = Self.item(paragraph.style, marker: paragraph.marker, tables.lists, &numbers)
                style.layout = paragraph.style.layout.normalized(in: style)
                limit.apply(to: &style.layout)
                var result = StyledText.Paragraph([], style)
                for (utf8, style) in paragraph.runs {
                    let text = String(decoding: utf8, as: UTF8.self)
                    var style = Self.textStyle(style, families: families, tables)
                    nameLimit.apply(to: &style)
                    result.append(text, style)
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

    private static func textStyle(
        _ style: RTFCharacterStyle, families: [Int32: String], _ tables: RTFTables
    ) -> TextStyle {
        var result = TextStyle()
        result.isBold = style.isBold
        result.isItalic = style.isItalic
        result.isUnderlined = style.isUnderlined
        result.isStruckThrough = style.isStruckThrough
        if style.fontSize > 0 { result.fontSize = Double(style.fontSize) / 2 }
        if let font = style.font { result.fontFamily = families[font] }
        result.foreground = color(style.foreground, tables)
        if style.background > 0 { result.background = color(style.background, tables) }
        result.script = style.script
        result.baselineOffset = ParagraphLayout.offset(Double(style.baselineOffset) / 2)
        result.kern = ParagraphLayout.offset(Double(style.kern) / 20)
        if style.picture > 0 { result.picture = tables.pictures[Int(style.picture) - 1] }
        if style.link > 0 { result.link = tables.links[Int(style.link) - 1] }
        return result
    }

    private static func color(_ number: Int32, _ tables: RTFTables) -> TextColor? {
        guard number >= 0, number < tables.colors.count else { return nil }
        let color = tables.colors[Int(number)]
        guard color != RTFColor() else { return nil }
        return TextColor(red: color.red ?? 0, green: color.green ?? 0, blue: color.blue ?? 0)
    }

    private static func paragraphStyle(_ paragraph: RTFParagraphStyle) -> ParagraphStyle {
        var style = ParagraphStyle()
        style.alignment = paragraph.alignment
        style.isSpaced = paragraph.isSpaced
        if (0..<6).contains(paragraph.outlineLevel) { style.headingLevel = Int(paragraph.outlineLevel) + 1 }
        return style
    }

    // MARK: Lists

    /// Returns the position of a paragraph in a list; nil outside of lists.
    ///
    /// - Parameter numbers: The last number of each list and level, for documents that leave numbering to the reader.
    private static func item(
        _ paragraph: RTFParagraphStyle, marker: [UInt8], _ lists: RTFLists, _ numbers: inout [[Int32]: Int]
    ) -> ListItem? {
        let text = String(decoding: marker[...].trimmed, as: UTF8.self)
        guard paragraph.list > 0 || !text.isEmpty else { return nil }
        let level = Int(min(max(0, paragraph.listLevel), 8))
        let key = [paragraph.list, Int32(level)]
        // In a marker such as "2.1." or "(a)", the last part is the number of this item.
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
