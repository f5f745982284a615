/// The indents, tab stops and spacing of a paragraph, in points, with the same meaning as in `NSParagraphStyle`. 0 and
/// nil leave the choice to the reader.
package struct ParagraphLayout: Hashable, Sendable {
    /// The distance of the first line from the left margin. A negative value begins the line in the margin.
    package var firstLineHeadIndent = 0.0
    /// The distance of all further lines from the left margin.
    package var headIndent = 0.0
    /// The distance of the lines from the right margin, as a negative value. Positive values are not written.
    package var tailIndent = 0.0
    /// The tab stops; at most ``TabStop/maxCount`` are read and written.
    package var tabStops: [TabStop] = []
    /// The factor for the natural height of lines.
    package var lineHeightMultiple = 0.0
    package var minimumLineHeight = 0.0
    package var maximumLineHeight = 0.0
    /// The space between lines, in addition to their height. HTML has no equivalent.
    package var lineSpacing = 0.0
    /// The space before the paragraph; nil for the space that ``ParagraphStyle/isSpaced`` implies.
    package var paragraphSpacingBefore: Double?
    /// The space after the paragraph; otherwise like ``paragraphSpacingBefore``.
    package var paragraphSpacing: Double?

    package init() {}

    /// The maximum of each length: 22 inches, the limit of word processors.
    static let maxLength = 1584.0
    private static let maxMultiple = 100.0

    /// Returns the layout as it is read and written, with values in their ranges and tab stops in order.
    ///
    /// A list determines the indents and tab stops of its items, so those of an item are left out. A space of 0 is left
    /// out for a paragraph that is not spaced.
    @inline(never) func normalized(in style: ParagraphStyle) -> Self {
        var result = Self()
        guard self != result else { return result }
        if style.list == nil {
            result.firstLineHeadIndent = Self.offset(firstLineHeadIndent)
            result.headIndent = Self.offset(headIndent)
            for stop in tabStops where !stop.location.isNaN {
                var stop = stop
                stop.location = Self.offset(stop.location)
                result.tabStops.place(stop)
            }
        }
        result.tailIndent = min(0, Self.offset(tailIndent))
        result.lineHeightMultiple = min(Self.length(lineHeightMultiple), Self.maxMultiple)
        result.minimumLineHeight = Self.length(minimumLineHeight)
        result.maximumLineHeight = Self.length(maximumLineHeight)
        result.lineSpacing = Self.length(lineSpacing)
        result.paragraphSpacingBefore = Self.space(paragraphSpacingBefore, isSpaced: style.isSpaced)
        result.paragraphSpacing = Self.space(paragraphSpacing, isSpaced: style.isSpaced)
        return result
    }

    private static func space(_ value: Double?, isSpaced: Bool) -> Double? {
        guard let space = value.map(length), isSpaced || space > 0 else { return nil }
        return space
    }

    /// Returns the value clamped to the range of lengths and their negatives; 0 for a value that is not a number.
    @inline(never) static func offset(_ value: Double) -> Double {
        value.isNaN ? 0 : min(max(-maxLength, value), maxLength)
    }

    private static func length(_ value: Double) -> Double { max(0, offset(value)) }
}

/// A position to which a tab advances.
package struct TabStop: Hashable, Sendable {
    /// The part of the text after the tab that is placed at the position.
    package enum Alignment: CaseIterable, Hashable, Sendable {
        case left
        case center
        case right
        /// The decimal separator of a number.
        case decimal
    }

    /// The pattern that fills the space of a tab.
    package enum Leader: CaseIterable, Hashable, Sendable {
        case dots
        case dashes
        case line
    }

    /// The distance from the left margin in points.
    package var location: Double
    package var alignment: Alignment
    package var leader: Leader?

    /// The maximum number of tab stops of a paragraph, as in Word. Further tab stops are left out.
    package static let maxCount = 64
    /// The maximum number of tab stops that are read from one document, in all its paragraphs.
    package static let maxCountInText = 1_000_000

    package init(location: Double, alignment: Alignment = .left, leader: Leader? = nil) {
        self.location = location
        self.alignment = alignment
        self.leader = leader
    }
}

extension [TabStop] {
    /// Inserts a tab stop in order of location, or replaces a tab stop at the same location.
    mutating func place(_ stop: TabStop) {
        var index = endIndex
        if let last, last.location >= stop.location {
            index = firstIndex { $0.location >= stop.location } ?? endIndex
        }
        if index < endIndex, self[index].location == stop.location {
            self[index] = stop
        } else if count < TabStop.maxCount {
            insert(stop, at: index)
        }
    }
}

/// A limit for the tab stops of a document that is read. Without it, a tag or control word of a few bytes would repeat
/// all tab stops that it inherits.
struct TabStopLimit {
    private var rest = TabStop.maxCountInText

    /// Removes the tab stops of the next paragraph if the document has too many tab stops by then.
    mutating func apply(to layout: inout ParagraphLayout) {
        rest -= layout.tabStops.count
        if rest < 0 { layout.tabStops = [] }
    }
}
