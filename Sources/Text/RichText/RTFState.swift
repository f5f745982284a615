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
    /// The number of the background color; 0 for no background.
    var background: Int32 = 0
    var script: TextStyle.Script?
    /// The distance above the baseline, in half points.
    var baselineOffset: Int32 = 0
    /// The distance added after each character, in twentieths of a point.
    var kern: Int32 = 0
    /// True if raised text is a superscript, and lowered text a subscript, because it is smaller than the text around
    /// it.
    var isRaisedSmaller = false
    /// The number of a link, from 1; 0 for text that is not a link.
    var link: Int32 = 0
    /// The number of a picture, from 1; 0 for text.
    var picture: Int32 = 0

    /// Raises the text by a number of half points, or lowers it if the number is negative.
    mutating func raise(_ offset: Int32) {
        if isRaisedSmaller, offset != 0 {
            script = offset > 0 ? .superscript : .subscript
        } else {
            baselineOffset = offset
        }
    }

    /// Resets the style, for `\plain`. A link is not formatting, so it remains.
    mutating func reset() {
        self = RTFCharacterStyle(link: link)
    }
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
    case picture
    case listTable
    case listOverrides
    /// An embedded object, which is skipped except for `\result`, its representation in the document.
    case object
    /// Text in two encodings, which is skipped except for `\ud`, the text in Unicode.
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
