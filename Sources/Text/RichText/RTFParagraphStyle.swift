/// The style of a paragraph in RTF, with lengths in twips, which are twentieths of a point.
struct RTFParagraphStyle: Equatable, Sendable {
    var alignment = TextAlignment.natural
    /// The space before the paragraph.
    private(set) var spaceBefore: Int32 = 0
    /// The space after the paragraph.
    private(set) var spaceAfter: Int32 = 0
    /// `\outlinelevel`: 0 (the first level) to 8 for a heading; 9 for body text.
    private(set) var outlineLevel: Int32 = 9
    /// `\ls`, the number of a list; 0 for no list.
    private(set) var list: Int32 = 0
    /// `\ilvl`, from 0.
    private(set) var listLevel: Int32 = 0

    /// True if the reader determines the space before the paragraph, as for HTML.
    private var isSpaceBeforeAutomatic = false
    private var isSpaceAfterAutomatic = false
    private var leftIndent: Int32 = 0
    private var rightIndent: Int32 = 0
    /// The indent of the first line, in addition to the left indent.
    private var firstLineIndent: Int32 = 0
    /// The height of lines: at least this value, or exactly its magnitude if it is negative. For a multiple, the unit
    /// is 1/240 of a line.
    private var lineSpacing: Int32 = 0
    private var isMultiple = false
    /// The values of Cocoa, whose line height has a minimum, a maximum and additional space.
    private var minimumLineHeight: Int32 = 0
    private var maximumLineHeight: Int32 = 0
    private var leading: Int32 = 0
    private var tabStops: [TabStop] = []
    /// The kind of the next tab stop, which precedes its location.
    private var nextStop = TabStop(location: 0)

    /// The space around a paragraph if the reader chooses the amount.
    static let automaticSpace: Int32 = 120

    /// Applies a control word of paragraphs; other control words have no effect.
    mutating func apply(_ word: RTFControlWord, _ parameter: Int32?) {
        let number = parameter ?? 0
        let isOn = parameter != 0
        switch word {
        case .paragraphDefault: self = Self()
        case .alignment(let alignment): self.alignment = alignment
        case .spaceBefore: spaceBefore = number
        case .spaceAfter: spaceAfter = number
        case .automaticSpaceBefore: isSpaceBeforeAutomatic = isOn
        case .automaticSpaceAfter: isSpaceAfterAutomatic = isOn
        case .outlineLevel: outlineLevel = number
        case .list: list = number
        case .listLevel: listLevel = number
        case .leftIndent: leftIndent = number
        case .rightIndent: rightIndent = number
        case .firstLineIndent: firstLineIndent = number
        case .lineSpacing: lineSpacing = number
        case .lineSpacingRule: isMultiple = isOn
        case .minimumLineHeight: minimumLineHeight = number
        case .maximumLineHeight: maximumLineHeight = number
        case .leading: leading = number
        case .tabAlignment(let alignment): nextStop.alignment = alignment
        case .tabLeader(let leader): nextStop.leader = leader
        case .tabStop:
            nextStop.location = ParagraphLayout.offset(Self.points(number))
            tabStops.place(nextStop)
            nextStop = TabStop(location: 0)
        default: break
        }
    }

    /// True if there is space around the paragraph.
    var isSpaced: Bool { writtenBefore > 0 || writtenAfter > 0 }

    private var writtenBefore: Int32 { isSpaceBeforeAutomatic ? Self.automaticSpace : spaceBefore }
    private var writtenAfter: Int32 { isSpaceAfterAutomatic ? Self.automaticSpace : spaceAfter }

    /// The indents, tab stops and spacing of the paragraph, not yet normalized.
    var layout: ParagraphLayout {
        var layout = ParagraphLayout()
        layout.headIndent = Self.points(leftIndent)
        layout.firstLineHeadIndent = Double(Int(leftIndent) + Int(firstLineIndent)) / 20
        layout.tailIndent = -Self.points(rightIndent)
        layout.tabStops = tabStops
        layout.lineSpacing = Self.points(leading)
        setLineHeight(of: &layout)
        if isSpaced, writtenBefore != Self.automaticSpace || writtenAfter != Self.automaticSpace {
            layout.paragraphSpacingBefore = Self.points(writtenBefore)
            layout.paragraphSpacing = Self.points(writtenAfter)
        }
        return layout
    }

    private func setLineHeight(of layout: inout ParagraphLayout) {
        if isMultiple {
            layout.lineHeightMultiple = (Double(lineSpacing) / 240).rounded(toPlaces: 3)
        } else {
            layout.minimumLineHeight = Self.points(lineSpacing).magnitude
            if lineSpacing < 0 { layout.maximumLineHeight = layout.minimumLineHeight }
        }
        if minimumLineHeight > 0 { layout.minimumLineHeight = Self.points(minimumLineHeight) }
        if maximumLineHeight > 0 { layout.maximumLineHeight = Self.points(maximumLineHeight) }
    }

    private static func points(_ twips: Int32) -> Double { Double(twips) / 20 }
}
