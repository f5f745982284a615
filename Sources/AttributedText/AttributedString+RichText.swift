public import FoundationEssentials
internal import RichText

/// Rich text as programs exchange it, in attributes of ``AttributeScopes/RichTextAttributes`` and Foundation's `link`.
///
/// Paragraphs are parted by a newline, lines within one by U+2028. A row of a table is a paragraph, its cells are parted
/// by tabs. Pictures, headers, footnotes and what is hidden are left out.
extension AttributedString {
    /// Reads RTF (version 1.9.1; what Cocoa, Word, LibreOffice and others write of it). Nil when the bytes are none:
    /// it begins with `{\rtf`. Damaged or cut off RTF is read as far as it goes. An address that is no URL is left out.
    public init?(rtf: [UInt8]) {
        guard let text = RichText.styledText(fromRTF: rtf) else { return nil }
        self.init(text)
    }

    /// Reads HTML: a fragment or a page, in the encoding that its byte order mark or `meta` names, else UTF-8 or, where
    /// it is not that, windows-1252. Elements and inline CSS count, style sheets do not. An address that is no URL is left
    /// out.
    public init(html: [UInt8]) {
        self.init(RichText.styledText(fromHTML: html))
    }

    /// The text as RTF 1.9.1, in ASCII. Attributes that are not of rich text are left out.
    public var rtf: [UInt8] { styledText.rtf }

    /// The text as a fragment of HTML in UTF-8, without `html`, `head` and `meta`. Attributes that are not of rich text
    /// are left out.
    public var html: [UInt8] { styledText.html }

    /// The text without its look, in UTF-8, with LF between lines: items of lists have their number or bullet, and an
    /// empty line stands around paragraphs that have space around them.
    public var plainText: [UInt8] { styledText.plainText }
}

extension AttributedString {
    init(_ text: StyledText) {
        self.init()
        for (index, paragraph) in text.paragraphs.enumerated() {
            let layout = RichTextParagraph(paragraph.style)
            func append(_ text: String, _ style: TextStyle) {
                var attributes = AttributeContainer(style)
                if layout != RichTextParagraph() { attributes.paragraph = layout }
                self += AttributedString(text, attributes: attributes)
            }
            for run in paragraph.runs { append(run.text.replacing("\n", with: "\u{2028}"), run.style) }
            if index < text.paragraphs.count - 1 { append("\n", TextStyle()) }
        }
    }

    var styledText: StyledText {
        var paragraphs: [StyledText.Paragraph] = []
        var paragraph = StyledText.Paragraph()
        var isBegun = false
        for run in runs {
            let style = TextStyle(run.attributes)
            let layout = run.attributes.paragraph ?? RichTextParagraph()
            let lines = String(self[run.range].characters).split(omittingEmptySubsequences: false) { character in
                ["\n", "\r", "\r\n", "\u{2029}"].contains(character)
            }
            for (index, line) in lines.enumerated() {
                if index > 0 {
                    if !isBegun { paragraph.style = layout.style }
                    paragraphs.append(paragraph)
                    paragraph = StyledText.Paragraph()
                    isBegun = false
                }
                guard !line.isEmpty else { continue }
                if !isBegun { paragraph.style = layout.style }
                isBegun = true
                paragraph.append(line.replacing("\u{2028}", with: "\n"), style)
            }
        }
        if isBegun || !paragraphs.isEmpty { paragraphs.append(paragraph) }
        return StyledText(paragraphs)
    }
}

extension AttributeContainer {
    fileprivate init(_ style: TextStyle) {
        self.init()
        if style.isBold { self.isBold = true }
        if style.isItalic { self.isItalic = true }
        if style.isUnderlined { self.isUnderlined = true }
        if style.isStruckThrough { self.isStruckThrough = true }
        self.fontSize = style.fontSize
        self.fontFamily = style.fontFamily
        self.textColor = style.foreground.map(RichTextColor.init)
        self.backgroundColor = style.background.map(RichTextColor.init)
        self.link = style.link.flatMap { URL(string: $0) }
    }
}

extension TextStyle {
    fileprivate init(_ attributes: AttributeContainer) {
        self.init()
        isBold = attributes.isBold ?? false
        isItalic = attributes.isItalic ?? false
        isUnderlined = attributes.isUnderlined ?? false
        isStruckThrough = attributes.isStruckThrough ?? false
        fontSize = attributes.fontSize
        fontFamily = attributes.fontFamily
        foreground = attributes.textColor?.textColor
        background = attributes.backgroundColor?.textColor
        link = attributes.link?.absoluteString
    }
}
