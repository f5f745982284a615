/// The style of characters in RTF, with fonts and colors as numbers in their tables.
struct RTFCharacterStyle: Equatable, Sendable {
    var isBold = false
    var isItalic = false
    var isUnderlined = false
    var isStruckThrough = false
    /// True for `\v`, and for text that was deleted in a reviewed document.
    var isHidden = false
    /// The size in half points; 0 if the document does not specify one.
    var fontSize: Int32 = 0
    /// The number of the font; nil for the default font of the document.
    var font: Int32?
    /// The number of the text color; 0 leaves the choice to the reader.
    var foreground: Int32 = 0
    /// The number of the background color; 0 for none.
    var background: Int32 = 0
    /// The number of a link, from 1; 0 for text that is not a link.
    var link: Int32 = 0

    /// Resets the style as `\plain` does. A link is not formatting, and stays.
    mutating func reset() {
        self = RTFCharacterStyle(link: link)
    }
}

struct RTFParagraphStyle: Equatable, Sendable {
    var alignment = TextAlignment.natural
    /// The space before the paragraph, in twentieths of a point.
    var spaceBefore: Int32 = 0
    /// The space after the paragraph, in twentieths of a point.
    var spaceAfter: Int32 = 0
    /// `\outlinelevel`: 0 to 8 for a heading, of which 0 is the first level; 9 for body text.
    var outlineLevel: Int32 = 9
    /// `\ls`, the number of a list; 0 for none.
    var list: Int32 = 0
    /// `\ilvl`, from 0.
    var listLevel: Int32 = 0
}

/// The destination of the text of a group.
enum RTFDestination: Equatable, Sendable {
    case body
    /// The number or bullet of a list item, for readers that do not number items.
    case listText
    case fontTable
    case colorTable
    case fieldInstruction
    case skipped
    case listTable
    case listOverrides
    /// An embedded object, which is skipped except for `\result`, its representation in the document.
    case object
    /// Text in two encodings, which is skipped except for `\ud`, the one in Unicode.
    case unicodePair
}

/// The state that a group saves and restores.
struct RTFGroup: Sendable {
    var destination = RTFDestination.body
    /// True if the destination begins with this group.
    var beginsDestination = false
    var isField = false
    /// The number of characters of alternative text after `\u`.
    var fallbackLength = 1
    var style = RTFCharacterStyle()
    var paragraph = RTFParagraphStyle()
}
