internal import RichText

/// How a paragraph is laid out.
public struct RichTextParagraph: Hashable, Codable, Sendable {
    /// Where its lines stand.
    public enum Alignment: String, Hashable, Codable, Sendable {
        /// On the side on which the script begins.
        case natural
        /// Along the left edge.
        case left
        /// Along the right edge.
        case right
        /// In the middle.
        case center
        /// Along both edges.
        case justified
    }

    /// What stands before an item of a list.
    public enum Marker: Hashable, Codable, Sendable {
        /// A dot.
        case bullet
        /// A number, in this style.
        case number(Int, Numbering)
    }

    /// How a number is written.
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

    /// A place in a list.
    public struct ListItem: Hashable, Codable, Sendable {
        /// How many lists it stands in: 1 to 9. What lies outside is taken for the nearest that does not.
        public var level: Int
        /// Nil for a further paragraph of the same item. RTF does not know those: they come back in no list.
        public var marker: Marker?

        /// An item at that level, or a further paragraph of one.
        public init(level: Int = 1, marker: Marker? = .bullet) {
            self.level = level
            self.marker = marker
        }
    }

    /// Where its lines stand.
    public var alignment: Alignment
    /// Its place in a list; nil outside of lists. The marker is no part of the text.
    public var list: ListItem?
    /// 1 to 6 for a heading, nil for what is none.
    public var headingLevel: Int?
    /// HTML's `pre`. RTF does not know it.
    public var isPreformatted: Bool
    /// Whether there is space around it, as around HTML's `p`; in plain text an empty line.
    public var isSpaced: Bool

    /// A paragraph; without arguments, one of which nothing is said.
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

/// The module's type, out of reach in an extension of the one of the same name.
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
