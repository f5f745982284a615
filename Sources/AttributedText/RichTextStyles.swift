internal import RichText

/// The style of a paragraph: its alignment, its position in a list, and its kind.
public struct RichTextParagraph: Hashable, Codable, Sendable {
    /// The alignment of the lines of a paragraph.
    public enum Alignment: String, Hashable, Codable, Sendable {
        /// The side on which the script begins.
        case natural
        /// The left edge.
        case left
        /// The right edge.
        case right
        /// The middle between both edges.
        case center
        /// Both edges.
        case justified
    }

    /// The bullet or number of a list item.
    public enum Marker: Hashable, Codable, Sendable {
        /// A bullet.
        case bullet
        /// A number in the given notation.
        case number(Int, Numbering)
    }

    /// The notation of a number.
    public enum Numbering: String, Hashable, Codable, Sendable {
        /// 1, 2, 3
        case decimal
        /// a, b, c
        case lowerAlpha
        /// A, B, C
        case upperAlpha
        /// i, ii, iii
        case lowerRoman
        /// I, II, III
        case upperRoman
    }

    /// The position of a paragraph in a list.
    public struct ListItem: Hashable, Codable, Sendable {
        /// The number of nested lists that contain the paragraph, 1 to 9. A level out of range is clamped when it is
        /// written.
        public var level: Int
        /// The bullet or number; nil for a further paragraph of the same item. RTF cannot express further paragraphs:
        /// when read again, they are not in a list.
        public var marker: Marker?

        /// Creates a position at a level, with a marker for the first paragraph of an item.
        public init(level: Int = 1, marker: Marker? = .bullet) {
            self.level = level
            self.marker = marker
        }
    }

    /// The alignment of the lines.
    public var alignment: Alignment
    /// The position in a list; nil outside of lists. The text of the paragraph does not contain the marker.
    public var list: ListItem?
    /// 1 to 6 for a heading; nil for other paragraphs.
    public var headingLevel: Int?
    /// True for HTML's `pre`. RTF has no equivalent.
    public var isPreformatted: Bool
    /// True if there is space around the paragraph, as around HTML's `p`. In plain text, the space is an empty line.
    public var isSpaced: Bool

    /// Creates a paragraph style. Without arguments, it is that of text without any paragraph attributes.
    public init(
        alignment: Alignment = .natural, list: ListItem? = nil, headingLevel: Int? = nil,
        isPreformatted: Bool = false, isSpaced: Bool = false
    ) {
        self.alignment = alignment
        self.list = list
        self.headingLevel = headingLevel
        self.isPreformatted = isPreformatted
        self.isSpaced = isSpaced
    }
}

extension RichTextParagraph {
    init(_ style: ParagraphStyle) {
        let alignment: Alignment =
            switch style.alignment {
            case .natural: .natural
            case .left: .left
            case .right: .right
            case .center: .center
            case .justified: .justified
            }
        self.init(
            alignment: alignment, list: style.list.map(ListItem.init), headingLevel: style.headingLevel,
            isPreformatted: style.isPreformatted, isSpaced: style.isSpaced)
    }

    var style: ParagraphStyle {
        var style = ParagraphStyle()
        style.alignment =
            switch alignment {
            case .natural: .natural
            case .left: .left
            case .right: .right
            case .center: .center
            case .justified: .justified
            }
        style.list = list?.item
        style.headingLevel = headingLevel.map { min(max(1, $0), 6) }
        style.isPreformatted = isPreformatted
        style.isSpaced = isSpaced
        return style
    }
}

/// The type of the module RichText, which ``RichTextParagraph/ListItem`` shadows in its extensions.
private typealias StyledListItem = ListItem

extension RichTextParagraph.ListItem {
    fileprivate init(_ item: StyledListItem) {
        let marker: RichTextParagraph.Marker? =
            switch item.marker {
            case .bullet: .bullet
            case .number(let number, let style): .number(number, RichTextParagraph.Numbering(style))
            case nil: nil
            }
        self.init(level: item.level, marker: marker)
    }

    fileprivate var item: StyledListItem {
        let marker: ListMarker? =
            switch marker {
            case .bullet: .bullet
            case .number(let number, let numbering): .number(number, numbering.style)
            case nil: nil
            }
        return StyledListItem(level: level, marker: marker)
    }
}

extension RichTextParagraph.Numbering {
    fileprivate init(_ style: NumberingStyle) {
        self =
            switch style {
            case .decimal: .decimal
            case .lowerAlpha: .lowerAlpha
            case .upperAlpha: .upperAlpha
            case .lowerRoman: .lowerRoman
            case .upperRoman: .upperRoman
            }
    }

    fileprivate var style: NumberingStyle {
        switch self {
        case .decimal: .decimal
        case .lowerAlpha: .lowerAlpha
        case .upperAlpha: .upperAlpha
        case .lowerRoman: .lowerRoman
        case .upperRoman: .upperRoman
        }
    }
}

/// A color in sRGB, without transparency, which RTF cannot express.
public struct RichTextColor: Hashable, Codable, Sendable {
    /// The red component, 0 to 255.
    public var red: UInt8
    /// The green component, 0 to 255.
    public var green: UInt8
    /// The blue component, 0 to 255.
    public var blue: UInt8

    /// Creates a color from components of 0 to 255 each.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    init(_ color: TextColor) {
        self.init(red: color.red, green: color.green, blue: color.blue)
    }

    var textColor: TextColor { TextColor(red: red, green: green, blue: blue) }
}
