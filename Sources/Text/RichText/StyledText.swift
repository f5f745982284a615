/// Styled text: paragraphs of runs, with the styles that both HTML and RTF can express and that pasteboard users need.
package struct StyledText: Equatable, Sendable {
    package var paragraphs: [Paragraph]

    package init(_ paragraphs: [Paragraph] = []) {
        self.paragraphs = paragraphs
    }

    /// A range of text with the same style.
    package struct Run: Equatable, Sendable {
        /// The text, which is never empty. A line feed is a line break within the paragraph; a tab ends a table cell.
        package var text: String
        package var style: TextStyle

        package init(_ text: String, _ style: TextStyle = TextStyle()) {
            self.text = text
            self.style = style
        }
    }

    package struct Paragraph: Equatable, Sendable {
        /// The runs. No two neighbors have the same style.
        package private(set) var runs: [Run] = []
        package var style: ParagraphStyle

        package init(_ runs: [Run] = [], _ style: ParagraphStyle = ParagraphStyle()) {
            self.style = style
            for run in runs { append(run.text, run.style) }
        }

        /// Appends text, to the last run if that run has the same style.
        package mutating func append(_ text: some StringProtocol, _ style: TextStyle) {
            guard !text.isEmpty else { return }
            if runs.last?.style == style {
                runs[runs.count - 1].text += text
            } else {
                runs.append(Run(String(text), style))
            }
        }

        package var text: String { runs.map(\.text).joined() }

        mutating func removeLastLineBreak() {
            guard let last = runs.last, last.text.utf8.last == 0x0A else { return }
            runs[runs.count - 1].text.unicodeScalars.removeLast()
            if runs[runs.count - 1].text.isEmpty { runs.removeLast() }
        }
    }

    /// The text without styles and pictures, in UTF-8. Paragraphs are lines, with an empty line between two if one of
    /// them is spaced. List items begin with their number or bullet, and are indented by four spaces per level after
    /// the first.
    package var plainText: [UInt8] {
        var result: [UInt8] = []
        for (index, paragraph) in paragraphs.enumerated() {
            if index > 0 {
                result.append(0x0A)
                if paragraph.style.isSpaced || paragraphs[index - 1].style.isSpaced { result.append(0x0A) }
            }
            if let list = paragraph.style.list, let marker = list.marker {
                for _ in 1..<list.level { result += Array("    ".utf8) }
                result += Array(marker.text.utf8)
            }
            for run in paragraph.runs where run.style.picture == nil { result += Array(run.text.utf8) }
        }
        return result
    }

    /// The text as a fragment of HTML in UTF-8, without a `meta`. Control characters other than tab and line feed are
    /// left out.
    package var html: [UInt8] { HTMLWriter.bytes(of: self) }

    /// The text as RTF, in ASCII. Control characters other than tab and line feed are left out.
    package var rtf: [UInt8] { RTFWriter.bytes(of: self) }
}

// MARK: Styles

/// The style of a run of text. A property that is nil leaves the choice to the reader.
package struct TextStyle: Hashable, Sendable {
    package var isBold = false
    package var isItalic = false
    package var isUnderlined = false
    package var isStruckThrough = false
    /// The size in points. Written sizes are clamped to 0.5…1,638 and, in RTF, rounded to half a point.
    package var fontSize: Double?
    /// The name of a font family, or a generic family of CSS such as `monospace`.
    package var fontFamily: String?
    package var foreground: TextColor?
    package var background: TextColor?
    package var script: Script?
    /// The distance in points by which the text is raised, or lowered if the distance is negative. Written distances
    /// are clamped to -1,584…1,584 and, in RTF, rounded to half a point.
    package var baselineOffset = 0.0
    /// The distance in points that is added after each character, or removed if it is negative. Written distances are
    /// clamped to -1,584…1,584 and, in RTF, rounded to a twentieth of a point.
    package var kern = 0.0
    /// The address as it was written, which may not be a valid URL.
    package var link: String?
    /// The picture that each U+FFFC of the text stands for.
    package var picture: TextPicture?

    package init() {}

    /// Small text above or below the rest.
    package enum Script: CaseIterable, Hashable, Sendable {
        case superscript
        case `subscript`
    }

    /// The font size clamped to the range that is written; nil if it is not a number.
    var writtenSize: Double? {
        fontSize.flatMap { $0.isNaN ? nil : min(max(CSSFontSize.range.lowerBound, $0), CSSFontSize.range.upperBound) }
    }
}

/// A limit for the links and font families of a document that is read. Without it, a tag or control word of a few bytes
/// would repeat a long name that it inherits.
struct LongNameLimit {
    /// The maximum length of a short name, in bytes. Short names are not counted.
    private static let maxShortLength = 256
    /// The maximum length of all long names of a document, in bytes.
    private static let maxTotalLength = 16 << 20

    private var rest = maxTotalLength

    /// Removes the long names of the next run if the document has too many long names by then.
    mutating func apply(to style: inout TextStyle) {
        remove(&style.link)
        remove(&style.fontFamily)
    }

    private mutating func remove(_ name: inout String?) {
        guard let length = name?.utf8.count, length > Self.maxShortLength else { return }
        rest -= length
        if rest < 0 { name = nil }
    }
}

/// A color in sRGB.
package struct TextColor: Hashable, Sendable {
    package var red: UInt8
    package var green: UInt8
    package var blue: UInt8

    package init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }
}

package struct ParagraphStyle: Hashable, Sendable {
    package var alignment = TextAlignment.natural
    package var list: ListItem?
    /// 1 to 6 for a heading; nil for other paragraphs.
    package var headingLevel: Int?
    /// True for HTML's `pre`. RTF has no equivalent.
    package var isPreformatted = false
    /// True if there is space around the paragraph, as around HTML's `p`.
    package var isSpaced = false
    package var layout = ParagraphLayout()

    package init() {}
}

/// The alignment of the lines of a paragraph. `natural` is the side on which the script begins.
package enum TextAlignment: CaseIterable, Hashable, Sendable {
    case natural
    case left
    case right
    case center
    case justified
}

/// The position of a paragraph in a list.
package struct ListItem: Hashable, Sendable {
    /// The number of nested lists that contain the paragraph, 1 to ``maxLevel``.
    package var level: Int
    /// The bullet or number; nil for a further paragraph of an item, which RTF cannot express.
    package var marker: ListMarker?

    package static let maxLevel = 9

    /// Creates a position, with a level out of range clamped to the nearest valid level.
    package init(level: Int, marker: ListMarker?) {
        self.level = min(max(1, level), Self.maxLevel)
        self.marker = marker
    }
}
