/// How characters look, as RTF has it: fonts and colours by their number in a table.
struct RTFLook: Equatable, Sendable {
    var isBold = false
    var isItalic = false
    var isUnderlined = false
    var isStruckThrough = false
    /// `\v`, or deleted in a reviewed document.
    var isHidden = false
    /// In half points; 0 where the document does not say.
    var fontSize: Int32 = 0
    /// Nil is the document's default.
    var font: Int32?
    /// 0 is the reader's own colour.
    var foreground: Int32 = 0
    var background: Int32 = 0
    /// The number of a link, from 1.
    var link: Int32 = 0

    /// `\plain`; whether the text is a link is no matter of formatting.
    mutating func reset() {
        self = RTFLook(link: link)
    }
}

/// How a paragraph is laid out.
struct RTFParagraph: Equatable, Sendable {
    var alignment = TextAlignment.natural
    /// Twentieths of a point, before and behind.
    var spaceBefore: Int32 = 0
    var spaceAfter: Int32 = 0
    /// `\outlinelevel`: 0 is a heading of the first level, 9 the text.
    var outlineLevel: Int32 = 9
    /// `\ls`, the number of a list; 0 is none.
    var list: Int32 = 0
    /// `\ilvl`, from 0.
    var listLevel: Int32 = 0
}

/// Where the text of a group goes.
enum RTFDestination: Equatable, Sendable {
    case body
    /// The number or bullet that other readers than Word show before an item.
    case listText
    case fontTable
    case colorTable
    case fieldInstruction
    case skipped
    case listTable
    case listOverrides
    /// Skipped but for `\result`, the picture of it in text.
    case object
    /// Skipped but for `\ud`, the same in Unicode.
    case unicodePair
}

/// What a brace saves.
struct RTFGroup: Sendable {
    var destination = RTFDestination.body
    /// Whether the destination begins with this group.
    var beginsDestination = false
    var isField = false
    /// How many characters stand behind `\u` for readers that do not know it.
    var fallbackLength = 1
    var look = RTFLook()
    var paragraph = RTFParagraph()
}
