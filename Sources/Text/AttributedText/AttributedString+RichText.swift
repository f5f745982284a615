public import FoundationEssentials
internal import RichText

/// Conversion between attributed strings and the rich text formats that programs exchange, HTML and RTF.
///
/// Styles are attributes of the scope ``AttributeScopes/RichTextAttributes``; links are Foundation's attribute `link`.
///
/// A newline separates paragraphs, and U+2028 separates lines within a paragraph. A table row is a paragraph with a tab
/// between cells. Pictures, headers, footers, footnotes and hidden text are not part of the string.
extension AttributedString {
    /// Creates a string from RTF up to version 1.9.1, as Cocoa, Word, LibreOffice and other programs write it.
    ///
    /// RTF that is damaged or cut off is read as far as possible. A link whose address is not a valid URL is left out;
    /// its text is kept.
    ///
    /// - Parameter rtf: The bytes of a document.
    /// - Returns: nil if the bytes are not RTF, which begins with `{\rtf`, after optional white space and an optional
    ///   byte order mark.
    public init?(rtf: [UInt8]) {
        guard let text = RichText.styledText(fromRTF: rtf) else { return nil }
        self.init(text)
    }

    /// Creates a string from HTML.
    ///
    /// The encoding is the one that a byte order mark or a `meta` in the first 1,024 bytes declares; otherwise UTF-8,
    /// or windows-1252 if the bytes are not UTF-8. Styles are determined by elements, attributes and inline CSS; style
    /// sheets are ignored. Damaged HTML is read as far as possible. A link whose address is not a valid URL is left
    /// out; its text is kept.
    ///
    /// - Parameter html: The bytes of a page or a fragment.
    public init(html: [UInt8]) {
        self.init(RichText.styledText(fromHTML: html))
    }

    /// The string as RTF 1.9.1, in ASCII. Attributes of other scopes are left out.
    public var rtf: [UInt8] { styledText.rtf }

    /// The string as a fragment of HTML in UTF-8, without `html`, `head` and `meta`. Attributes of other scopes are
    /// left out.
    public var html: [UInt8] { styledText.html }

    /// The string without styles, in UTF-8, with lines separated by LF.
    ///
    /// List items begin with their number or bullet. Empty lines separate a paragraph with space around it from its
    /// neighbors.
    public var plainText: [UInt8] { styledText.plainText }
}

// MARK: Conversion

extension AttributedString {
    private init(_ text: StyledText) {
        self.init()
        for (index, paragraph) in text.paragraphs.enumerated() {
            let layout = RichTextParagraph(paragraph.style)
            for run in paragraph.runs { append(run.text.replacing("\n", with: "\u{2028}"), run.style, layout) }
            if index < text.paragraphs.count - 1 { append("\n", TextStyle(), layout) }
        }
    }

    private mutating func append(_ text: String, _ style: TextStyle, _ paragraph: RichTextParagraph) {
        var attributes = AttributeContainer(style)
        if paragraph != RichTextParagraph() { attributes.paragraph = paragraph }
        self += AttributedString(text, attributes: attributes)
    }

    private var styledText: StyledText {
        var builder = StyledTextBuilder()
        for run in runs {
            builder.append(
                String(self[run.range].characters), TextStyle(run.attributes),
                (run.attributes.paragraph ?? RichTextParagraph()).style)
        }
        return builder.text
    }
}

/// A builder of paragraphs from the text of runs.
private struct StyledTextBuilder {
    private var paragraphs: [StyledText.Paragraph] = []
    private var paragraph = StyledText.Paragraph()
    private var hasText = false

    mutating func append(_ text: String, _ style: TextStyle, _ paragraphStyle: ParagraphStyle) {
        let lines = text.split(omittingEmptySubsequences: false) { ["\n", "\r", "\r\n", "\u{2029}"].contains($0) }
        for (index, line) in lines.enumerated() {
            if index > 0 { endParagraph(paragraphStyle) }
            guard !line.isEmpty else { continue }
            if !hasText { paragraph.style = paragraphStyle }
            hasText = true
            append(line, style)
        }
    }

    /// Appends a part of a line. Only the character for pictures stands for the picture of its style.
    private mutating func append(_ line: Substring, _ style: TextStyle) {
        guard style.picture != nil else { return paragraph.append(line.replacing("\u{2028}", with: "\n"), style) }
        var plain = style
        plain.picture = nil
        for scalar in line.unicodeScalars {
            let isPicture = scalar == TextPicture.character
            paragraph.append(scalar == "\u{2028}" ? "\n" : String(scalar), isPicture ? style : plain)
        }
    }

    /// Ends a paragraph. The paragraph's style is that of its first text, or of the newline if the paragraph is empty.
    private mutating func endParagraph(_ style: ParagraphStyle) {
        if !hasText { paragraph.style = style }
        paragraphs.append(paragraph)
        paragraph = StyledText.Paragraph()
        hasText = false
    }

    /// The text. A newline at the end begins an empty paragraph, and an empty string has no paragraph.
    var text: StyledText { StyledText(hasText || !paragraphs.isEmpty ? paragraphs + [paragraph] : []) }
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
        switch style.script {
        case .superscript: self.superscript = 1
        case .subscript: self.superscript = -1
        case nil: break
        }
        if style.baselineOffset != 0 { self.baselineOffset = style.baselineOffset }
        if style.kern != 0 { self.kern = style.kern }
        self.picture = style.picture.map(RichTextPicture.init)
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
        let superscript = attributes.superscript ?? 0
        if superscript != 0 { script = superscript > 0 ? .superscript : .subscript }
        baselineOffset = attributes.baselineOffset ?? 0
        kern = attributes.kern ?? 0
        picture = attributes.picture?.textPicture
        link = attributes.link?.absoluteString
    }
}
