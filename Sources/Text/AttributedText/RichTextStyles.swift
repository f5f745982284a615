internal import RichText

/// The style of a paragraph: its alignment, its position in a list, its kind, its indents and its spacing.
///
/// Properties with a counterpart in `NSParagraphStyle` have the same names and meanings. Lengths are in points. RTF
/// rounds them to twentieths, and HTML to hundredths; lengths above 1,584 (22 inches) are written as 1,584.
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

    /// A position to which a tab advances.
    public struct TabStop: Hashable, Codable, Sendable {
        /// The part of the text after the tab that is placed at the location.
        public enum Alignment: String, Hashable, Codable, Sendable {
            /// The beginning.
            case left
            /// The middle.
            case center
            /// The end.
            case right
            /// The decimal separator of a number.
            case decimal
        }

        /// The pattern that fills the space of the tab.
        public enum Leader: String, Hashable, Codable, Sendable {
            /// Dots, as in a table of contents.
            case dots
            /// Hyphens.
            case dashes
            /// An unbroken line.
            case line
        }

        /// The distance from the left margin.
        public var location: Double
        /// The part of the text after the tab that is placed at the location.
        public var alignment: Alignment
        /// The pattern that fills the space of the tab; nil for no pattern.
        public var leader: Leader?

        /// Creates a tab stop at a distance from the left margin.
        public init(location: Double, alignment: Alignment = .left, leader: Leader? = nil) {
            self.location = location
            self.alignment = alignment
            self.leader = leader
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

    /// The distance of the first line from the left margin. A negative value begins the line in the margin. List items
    /// use the indents of the list, and their own indents are not written.
    public var firstLineHeadIndent = 0.0
    /// The distance of all further lines from the left margin; otherwise like ``firstLineHeadIndent``.
    public var headIndent = 0.0
    /// The distance of the lines from the right margin, as a negative value. Positive values, which measure from the
    /// left margin, are not written.
    public var tailIndent = 0.0
    /// The tab stops. At most 64 tab stops are read and written, in order of location, and none for list items. At most
    /// a million are read from one document.
    ///
    /// In HTML, they are the `tab-stops` of Word, which browsers ignore.
    public var tabStops: [TabStop] = []
    /// The factor for the natural height of lines, such as 1.5, at most 100; 0 leaves the choice to the reader.
    public var lineHeightMultiple = 0.0
    /// The minimum height of lines; 0 for no minimum. The height is exact if it equals ``maximumLineHeight``. HTML
    /// cannot express a minimum together with a multiple.
    public var minimumLineHeight = 0.0
    /// The maximum height of lines; 0 for no maximum. HTML can express a maximum only together with an equal minimum.
    public var maximumLineHeight = 0.0
    /// The space between lines, in addition to their height. HTML has no equivalent, and in RTF only Cocoa reads it.
    public var lineSpacing = 0.0
    /// The space after the paragraph; nil for the space of ``isSpaced``. A paragraph with space is read from RTF as
    /// spaced.
    public var paragraphSpacing: Double?
    /// The space before the paragraph; otherwise like ``paragraphSpacing``.
    public var paragraphSpacingBefore: Double?

    /// Creates a paragraph style without indents, tab stops and spacing. Without arguments, it is the style of text
    /// without paragraph attributes.
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
        read(style.layout)
    }

    private mutating func read(_ layout: ParagraphLayout) {
        firstLineHeadIndent = layout.firstLineHeadIndent
        headIndent = layout.headIndent
        tailIndent = layout.tailIndent
        tabStops = layout.tabStops.map(TabStop.init)
        lineHeightMultiple = layout.lineHeightMultiple
        minimumLineHeight = layout.minimumLineHeight
        maximumLineHeight = layout.maximumLineHeight
        lineSpacing = layout.lineSpacing
        paragraphSpacing = layout.paragraphSpacing
        paragraphSpacingBefore = layout.paragraphSpacingBefore
    }

    private var layout: ParagraphLayout {
        var layout = ParagraphLayout()
        layout.firstLineHeadIndent = firstLineHeadIndent
        layout.headIndent = headIndent
        layout.tailIndent = tailIndent
        layout.tabStops = tabStops.map(\.stop)
        layout.lineHeightMultiple = lineHeightMultiple
        layout.minimumLineHeight = minimumLineHeight
        layout.maximumLineHeight = maximumLineHeight
        layout.lineSpacing = lineSpacing
        layout.paragraphSpacing = paragraphSpacing
        layout.paragraphSpacingBefore = paragraphSpacingBefore
        return layout
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
        style.layout = layout
        return style
    }
}

// Names for types of the module RichText that are shadowed by nested types in extensions of RichTextParagraph.
private typealias StyledListItem = ListItem
private typealias StyledTabStop = TabStop

extension RichTextParagraph.TabStop {
    fileprivate init(_ stop: StyledTabStop) {
        let alignment: Alignment =
            switch stop.alignment {
            case .left: .left
            case .center: .center
            case .right: .right
            case .decimal: .decimal
            }
        let leader: Leader? =
            switch stop.leader {
            case .dots: .dots
            case .dashes: .dashes
            case .line: .line
            case nil: nil
            }
        self.init(location: stop.location, alignment: alignment, leader: leader)
    }

    fileprivate var stop: StyledTabStop {
        let alignment: StyledTabStop.Alignment =
            switch alignment {
            case .left: .left
            case .center: .center
            case .right: .right
            case .decimal: .decimal
            }
        let leader: StyledTabStop.Leader? =
            switch leader {
            case .dots: .dots
            case .dashes: .dashes
            case .line: .line
            case nil: nil
            }
        return StyledTabStop(location: location, alignment: alignment, leader: leader)
    }
}

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
