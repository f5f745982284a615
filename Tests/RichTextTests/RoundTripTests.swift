import RichText
import TestRandom
import Testing

@Suite struct RoundTripTests {
    private static func string(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test("Styled text is restored from its HTML", arguments: 0..<20)
    func html(batch: UInt64) throws {
        for seed in batch * 100..<batch * 100 + 100 {
            var generator = SeededGenerator(seed: seed)
            let text = generator.styledText(.html)
            let isSame = RichText.styledText(fromHTML: text.html) == text
            try #require(isSame, "seed \(seed), written \(Self.string(text.html))")
        }
    }

    @Test("Styled text is restored from its RTF", arguments: 0..<20)
    func rtf(batch: UInt64) throws {
        for seed in batch * 100..<batch * 100 + 100 {
            var generator = SeededGenerator(seed: seed)
            let text = generator.styledText(.rtf)
            let isSame = RichText.styledText(fromRTF: text.rtf) == text
            try #require(isSame, "seed \(seed), written \(Self.string(text.rtf))")
        }
    }

    @Test(
        "Styled text that both formats can express is restored from RTF made from its HTML", arguments: 0..<20)
    func rtfByHTML(batch: UInt64) throws {
        for seed in batch * 100..<batch * 100 + 100 {
            var generator = SeededGenerator(seed: seed)
            let text = generator.styledText(.both)
            let page = RichText.styledText(fromRTF: text.rtf)?.html ?? []
            let isSame = RichText.styledText(fromRTF: RichText.styledText(fromHTML: page).rtf) == text
            try #require(isSame, "seed \(seed), written \(Self.string(text.rtf)), as HTML \(Self.string(page))")
        }
    }

    @Test("The plain text of written HTML equals that of the styled text", arguments: 0..<10)
    func plain(batch: UInt64) throws {
        for seed in batch * 100..<batch * 100 + 100 {
            var generator = SeededGenerator(seed: seed)
            let text = generator.styledText(.plain)
            let own = Self.string(text.plainText).unicodeScalars.flatMap {
                $0 == "\u{A0}" ? [0x20] : Array(String($0).utf8)
            }
            let read = RichText.plainText(fromHTML: text.html)
            try #require(Self.string(read) == Self.string(own), "seed \(seed), written \(Self.string(text.html))")
        }
    }
}

/// The styles that a format can express, which a round trip restores.
struct Vocabulary {
    let hasPreformatted: Bool
    let hasItemContinuations: Bool
    var hasPictures = true
    /// True if space around a paragraph can differ from that of spaced paragraphs.
    let hasOwnSpace: Bool
    /// True if lines can have the height limits and the spacing that only Cocoa knows.
    let hasCocoaLines: Bool

    static let html = Vocabulary(
        hasPreformatted: true, hasItemContinuations: true, hasOwnSpace: true, hasCocoaLines: false)
    static let plain = Vocabulary(
        hasPreformatted: true, hasItemContinuations: true, hasPictures: false, hasOwnSpace: true, hasCocoaLines: false)
    static let rtf = Vocabulary(
        hasPreformatted: false, hasItemContinuations: false, hasOwnSpace: false, hasCocoaLines: true)
    static let both = Vocabulary(
        hasPreformatted: false, hasItemContinuations: false, hasOwnSpace: false, hasCocoaLines: false)
}

extension SeededGenerator {
    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    /// Returns random styled text that the format can express.
    mutating func styledText(_ vocabulary: Vocabulary) -> StyledText {
        StyledText((0..<Int.random(in: 0...6, using: &self)).map { _ in paragraph(vocabulary) })
    }

    private mutating func paragraph(_ vocabulary: Vocabulary) -> StyledText.Paragraph {
        var style = ParagraphStyle()
        style.alignment = TextAlignment.allCases.randomElement(using: &self) ?? .natural
        style.isSpaced = chance(50)
        if chance(40) { style.list = item(vocabulary) }
        if chance(20) {
            style.headingLevel = Int.random(in: 1...6, using: &self)
            style.isSpaced = true
        } else if vocabulary.hasPreformatted, chance(20) {
            style.isPreformatted = true
            style.isSpaced = false
        }
        if chance(50) { style.layout = layout(of: style, vocabulary) }
        var paragraph = StyledText.Paragraph([], style)
        for _ in 0..<Int.random(in: 0...4, using: &self) {
            let style = textStyle(vocabulary)
            paragraph.append(style.picture == nil ? text() : "\u{FFFC}", style)
        }
        return paragraph
    }

    /// Returns a length in twentieths of a point, which both formats express.
    private mutating func length(_ range: ClosedRange<Int>) -> Double {
        Double(Int.random(in: range, using: &self)) / 20
    }

    private mutating func layout(of style: ParagraphStyle, _ vocabulary: Vocabulary) -> ParagraphLayout {
        var layout = ParagraphLayout()
        if style.list == nil {
            if chance(50) { layout.headIndent = length(-2000...9000) }
            layout.firstLineHeadIndent = chance(50) ? length(-2000...9000) : layout.headIndent
            if chance(40) { layout.tabStops = tabStops() }
        }
        if chance(30) { layout.tailIndent = length(-9000...0) }
        switch Int.random(in: 0..<6, using: &self) {
        case 0:
            layout.lineHeightMultiple = (Double(Int.random(in: 1...2400, using: &self)) / 240 * 1000).rounded() / 1000
        case 1: layout.minimumLineHeight = length(1...9000)
        case 2:
            layout.minimumLineHeight = length(1...9000)
            layout.maximumLineHeight = layout.minimumLineHeight
        case 3 where vocabulary.hasCocoaLines:
            if chance(50) { layout.lineHeightMultiple = 1.5 }
            if chance(50) { layout.minimumLineHeight = length(1...200) }
            if chance(50) { layout.maximumLineHeight = length(1...200) }
            layout.lineSpacing = length(0...200)
        default: break
        }
        if vocabulary.hasOwnSpace {
            if chance(50) { layout.paragraphSpacing = length((style.isSpaced ? 0 : 1)...900) }
            if chance(50) { layout.paragraphSpacingBefore = length((style.isSpaced ? 0 : 1)...900) }
        } else if style.isSpaced, chance(50) {
            layout.paragraphSpacing = length(0...900)
            // In RTF, 6 points both before and after a paragraph stand for a spaced paragraph without lengths.
            layout.paragraphSpacingBefore = length(121...900)
        }
        return layout
    }

    private mutating func tabStops() -> [TabStop] {
        let locations = Set((0..<Int.random(in: 1...5, using: &self)).map { _ in length(-900...20_000) })
        return locations.sorted().map { location in
            TabStop(
                location: location, alignment: TabStop.Alignment.allCases.randomElement(using: &self) ?? .left,
                leader: chance(60) ? nil : TabStop.Leader.allCases.randomElement(using: &self))
        }
    }

    private mutating func item(_ vocabulary: Vocabulary) -> ListItem {
        let level = Int.random(in: 1...(chance(20) ? ListItem.maxLevel : 3), using: &self)
        if vocabulary.hasItemContinuations, chance(20) { return ListItem(level: level, marker: nil) }
        if chance(40) { return ListItem(level: level, marker: .bullet) }
        let number = chance(70) ? Int.random(in: 1...4, using: &self) : Int.random(in: -5...5000, using: &self)
        return ListItem(
            level: level, marker: .number(number, NumberingStyle.allCases.randomElement(using: &self) ?? .decimal))
    }

    private mutating func text() -> String {
        let characters = Array("ab  \n\t<>&\"'\\{};é€—\u{A0}\u{200B}日😀\u{301}\u{7F}\u{85}").map(\.unicodeScalars)
        var text = ""
        for _ in 0..<Int.random(in: 1...8, using: &self) {
            text.unicodeScalars.append(contentsOf: characters.randomElement(using: &self) ?? "a".unicodeScalars)
        }
        return text
    }

    private mutating func textStyle(_ vocabulary: Vocabulary) -> TextStyle {
        var style = TextStyle()
        guard chance(70) else { return style }
        style.isBold = chance(40)
        style.isItalic = chance(40)
        style.isUnderlined = chance(30)
        style.isStruckThrough = chance(20)
        if chance(30) { style.fontSize = Double(Int.random(in: 1...200, using: &self)) / 2 }
        if chance(30) {
            style.fontFamily = ["Helvetica", "monospace", "A 'b' \\ \"c\"; {é}", "serif"].randomElement(using: &self)
        }
        if chance(30) { style.foreground = color() }
        if chance(20) { style.background = color() }
        if chance(20) { style.script = TextStyle.Script.allCases.randomElement(using: &self) }
        if vocabulary.hasPictures, chance(5) { style.picture = TextPicture(PictureTests.png, width: 24, height: 12) }
        if chance(20) { style.kern = Double(Int.random(in: -100...100, using: &self)) / 20 }
        if chance(20) { style.baselineOffset = Double(Int.random(in: -60...60, using: &self)) / 2 }
        if chance(20) {
            style.link = ["https://example.org/?a=b&c=\"d\"", "#place", "C:\\a{b}", "é"].randomElement(using: &self)
        }
        return style
    }

    private mutating func color() -> TextColor {
        TextColor(
            red: .random(in: 0...255, using: &self), green: .random(in: 0...255, using: &self),
            blue: .random(in: 0...255, using: &self))
    }
}
