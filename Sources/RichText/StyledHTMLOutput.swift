/// HTML as styled text.
struct StyledHTMLOutput: HTMLOutput {
    struct Look: Sendable {
        var text = TextStyle()
        var alignment = TextAlignment.natural
        var headingLevel: Int?
        var isPreformatted = false
        var isSpaced = false
        var listLevel = 0
    }

    private var paragraphs: [StyledText.Paragraph] = []
    private var paragraph: StyledText.Paragraph?
    var look = Look()

    /// The text of the run that the paragraph is at, and its style.
    private var pending: [UInt8] = []
    private var pendingStyle = TextStyle()
    private var spaceStyle = TextStyle()
    private var isAfterBreak = false
    /// A boundary was met: what comes next begins a paragraph.
    private var isBroken = false
    private var isAtCellStart = false

    static func change(by element: HTMLElement, _ tag: HTMLTag, in bytes: [UInt8]) -> HTMLTextChange {
        HTMLTextChange(of: element, tag, in: bytes)
    }

    static func look(of change: HTMLTextChange, inside look: Look) -> Look {
        var look = look
        look.text.apply(change)
        look.alignment = change.alignment ?? look.alignment
        look.headingLevel = change.headingLevel ?? look.headingLevel
        look.isPreformatted = look.isPreformatted || change.isPreformatted
        look.isSpaced = look.isSpaced || change.isSpaced
        if change.isList { look.listLevel += 1 }
        return look
    }

    mutating func boundary(isSpaced: Bool) {
        isBroken = !isAtCellStart
    }

    mutating func lineBreak() {
        start()
        write(0x0A, look.text)
        isAfterBreak = true
    }

    /// The last paragraph's end says as much.
    mutating func finalLineBreak() {}

    mutating func noteSpace() {
        spaceStyle = look.text
    }

    mutating func begin(space: Bool) {
        start()
        if space { write(UInt8(ascii: " "), spaceStyle) }
        if pendingStyle != look.text { flush() }
        pendingStyle = look.text
    }

    mutating func append(_ byte: UInt8) {
        pending.append(byte)
    }

    mutating func mark(_ marker: ListMarker, level: Int) {
        guard let paragraph, paragraph.runs.isEmpty, pending.isEmpty else { return }
        self.paragraph?.style.list = ListItem(level: level, marker: marker)
    }

    mutating func startCell(isFirst: Bool) {
        start()
        if !isFirst { write(UInt8(ascii: "\t"), look.text) }
        isAtCellStart = true
    }

    mutating func endCell() {
        endBreak()
        isBroken = false
        isAtCellStart = false
    }

    /// What was read, once the source is at its end.
    var finished: StyledText {
        var copy = self
        copy.endParagraph()
        return StyledText(copy.paragraphs)
    }

    // MARK: Paragraphs

    private mutating func start() {
        if isBroken { endParagraph() }
        isAfterBreak = false
        isAtCellStart = false
        guard paragraph == nil else { return }
        var style = ParagraphStyle()
        style.alignment = look.alignment
        style.headingLevel = look.headingLevel
        // A heading is one in a `pre` too, and a `pre` has no space of its own.
        style.isPreformatted = look.isPreformatted && look.headingLevel == nil
        style.isSpaced = look.isSpaced && !style.isPreformatted
        if look.listLevel > 0 { style.list = ListItem(level: look.listLevel, marker: nil) }
        paragraph = StyledText.Paragraph([], style)
    }

    private mutating func endParagraph() {
        endBreak()
        flush()
        if let paragraph { paragraphs.append(paragraph) }
        paragraph = nil
        isBroken = false
    }

    /// A break at the end of a block makes no line more.
    private mutating func endBreak() {
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
        paragraph?.append(String(decoding: pending, as: UTF8.self), pendingStyle)
        pending.removeAll(keepingCapacity: true)
    }
}

extension TextStyle {
    fileprivate mutating func apply(_ change: HTMLTextChange) {
        isBold = change.isBold ?? isBold
        isItalic = change.isItalic ?? isItalic
        isUnderlined = isUnderlined || change.isUnderlined
        isStruckThrough = isStruckThrough || change.isStruckThrough
        if let size = change.fontSize { fontSize = size.points(outer: fontSize) }
        fontFamily = change.fontFamily ?? fontFamily
        foreground = change.foreground ?? foreground
        background = change.background ?? background
        link = change.link ?? link
    }
}

extension HTMLTextChange.FontSize {
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
