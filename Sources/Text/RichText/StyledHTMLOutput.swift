struct StyledHTMLOutput: HTMLOutput {
    /// The styles of text and paragraph, as an element inherits them.
    struct Style: Sendable {
        var text = TextStyle()
        var alignment = TextAlignment.natural
        var headingLevel: Int?
        var isPreformatted = false
        var isSpaced = false
        var listLevel = 0
        var layout = HTMLBlockLayout()
    }

    private var paragraphs: [StyledText.Paragraph] = []
    private var paragraph: StyledText.Paragraph?
    var style = Style()

    /// The text of the current run.
    private var pending: [UInt8] = []
    private var pendingStyle = TextStyle()
    /// The style of the text that contains the last collapsed white space.
    private var spaceStyle = TextStyle()
    private var isAfterBreak = false
    /// True if the next text begins a paragraph, because a block boundary precedes it.
    private var isParagraphEnded = false
    private var isAtCellStart = false
    private var tabStopLimit = TabStopLimit()
    private var nameLimit = LongNameLimit()

    static func styleChange(of element: HTMLElement, _ tag: HTMLTag, in bytes: [UInt8]) -> HTMLStyleChange {
        HTMLStyleChange(of: element, tag, in: bytes)
    }

    static func style(applying change: HTMLStyleChange, to style: Style) -> Style {
        var style = style
        style.text.apply(change)
        style.alignment = change.alignment ?? style.alignment
        style.headingLevel = change.headingLevel ?? style.headingLevel
        style.isPreformatted = style.isPreformatted || change.isPreformatted
        style.isSpaced = style.isSpaced || change.isSpaced
        if change.isList { style.listLevel += 1 }
        change.paragraph?.apply(to: &style.layout, fontSize: style.text.fontSize)
        return style
    }

    mutating func separateBlocks(isSpaced: Bool) {
        isParagraphEnded = !isAtCellStart
    }

    mutating func breakLine() {
        startParagraph()
        write(0x0A, style.text)
        isAfterBreak = true
    }

    /// Does nothing: the end of the last paragraph already implies the line break.
    mutating func breakLineAtEnd() {}

    mutating func noteCollapsedSpace() {
        spaceStyle = style.text
    }

    mutating func startText(afterSpace: Bool) {
        startParagraph()
        if afterSpace { write(UInt8(ascii: " "), spaceStyle) }
        if pendingStyle != style.text { flush() }
        pendingStyle = style.text
    }

    mutating func append(_ byte: UInt8) {
        pending.append(byte)
    }

    static func picture(of tag: HTMLTag, in bytes: [UInt8]) -> TextPicture? { HTMLPicture.picture(of: tag, in: bytes) }

    mutating func append(_ picture: TextPicture) {
        var pictured = style.text
        pictured.picture = picture
        for byte in String(TextPicture.character).utf8 { write(byte, pictured) }
        // An equal picture that follows is a run of its own.
        flush()
    }

    mutating func appendMarker(_ marker: ListMarker, level: Int) {
        guard let paragraph, paragraph.runs.isEmpty, pending.isEmpty else { return }
        self.paragraph?.style.list = ListItem(level: level, marker: marker)
    }

    mutating func startCell(isFirst: Bool) {
        startParagraph()
        if !isFirst { write(UInt8(ascii: "\t"), style.text) }
        isAtCellStart = true
    }

    mutating func endCell() {
        removeFinalBreak()
        isParagraphEnded = false
        isAtCellStart = false
    }

    /// The text, after the source has been read.
    var finished: StyledText {
        var copy = self
        copy.endParagraph()
        return StyledText(copy.paragraphs)
    }

    // MARK: Paragraphs

    private mutating func startParagraph() {
        if isParagraphEnded { endParagraph() }
        isAfterBreak = false
        isAtCellStart = false
        guard paragraph == nil else { return }
        var paragraphStyle = ParagraphStyle()
        paragraphStyle.alignment = style.alignment
        paragraphStyle.headingLevel = style.headingLevel
        // A heading within a `pre` is a heading, and a `pre` within a spaced element is not spaced.
        paragraphStyle.isPreformatted = style.isPreformatted && style.headingLevel == nil
        paragraphStyle.isSpaced = style.isSpaced && !paragraphStyle.isPreformatted
        if style.listLevel > 0 { paragraphStyle.list = ListItem(level: style.listLevel, marker: nil) }
        paragraphStyle.layout = style.layout.paragraph
        paragraph = StyledText.Paragraph([], paragraphStyle)
    }

    private mutating func endParagraph() {
        removeFinalBreak()
        flush()
        if var paragraph {
            paragraph.style.layout = paragraph.style.layout.normalized(in: paragraph.style)
            tabStopLimit.apply(to: &paragraph.style.layout)
            paragraphs.append(paragraph)
        }
        paragraph = nil
        isParagraphEnded = false
    }

    /// Removes a break at the end of a block, which does not add a line.
    private mutating func removeFinalBreak() {
        guard isAfterBreak else { return }
        flush()
        paragraph?.removeLastLineBreak()
        isAfterBreak = false
    }

    private mutating func write(_ byte: UInt8, _ style: TextStyle) {
        if style != pendingStyle { flush() }
        pendingStyle = style
        pending.append(byte)
    }

    private mutating func flush() {
        guard !pending.isEmpty else { return }
        var style = pendingStyle
        nameLimit.apply(to: &style)
        paragraph?.append(String(decoding: pending, as: UTF8.self), style)
        pending.removeAll(keepingCapacity: true)
    }
}

extension TextStyle {
    fileprivate mutating func apply(_ change: HTMLStyleChange) {
        isBold = change.isBold ?? isBold
        isItalic = change.isItalic ?? isItalic
        isUnderlined = isUnderlined || change.isUnderlined
        isStruckThrough = isStruckThrough || change.isStruckThrough
        if let size = change.fontSize { fontSize = size.points(outer: fontSize) }
        fontFamily = change.fontFamily ?? fontFamily
        foreground = change.foreground ?? foreground
        background = change.background ?? background
        script = change.script ?? script
        if let offset = change.baselineOffset?.points(fontSize: fontSize) { baselineOffset = offset }
        if let distance = change.kern?.points(fontSize: fontSize) { kern = distance }
        link = change.link ?? link
    }
}

extension HTMLStyleChange.FontSize {
    fileprivate func points(outer: Double?) -> Double? {
        switch self {
        case .larger: CSSFontSize.larger(outer ?? CSSFontSize.normal)
        case .smaller: CSSFontSize.smaller(outer ?? CSSFontSize.normal)
        case .css(let value): CSSFontSize.size(value, outer: outer) ?? outer
        case .attribute(let value): CSSFontSize.size(attribute: value) ?? outer
        case .points(let size): size
        }
    }
}
