/// Plain text from HTML: the text that a browser would copy, except where that depends on the layout of the page.
struct HTMLPlainTextOutput: HTMLOutput {
    /// Plain text has no styles.
    struct NoStyle {}

    private(set) var bytes: [UInt8] = []
    var style = NoStyle()

    /// True if no text precedes in the document, or in the table cell, so that block boundaries have no effect.
    private var isAtStart = true
    /// The number of line ends made by `br` since the last text.
    private var breaks = 0
    /// The number of further line ends that block boundaries require since the last text.
    private var required = 0
    private var isAfterBreak = false
    /// True if the last break is visible even though no text follows.
    private var isBreakFinal = false

    static func styleChange(of element: HTMLElement, _ tag: HTMLTag, in bytes: [UInt8]) -> NoStyle { NoStyle() }
    static func style(applying change: NoStyle, to style: NoStyle) -> NoStyle { style }

    mutating func separateBlocks(isSpaced: Bool) {
        // A break at the end of a block does not add a line, because the line ends with the block anyway.
        required = max(required, (isSpaced ? 2 : 1) - (isAfterBreak ? 1 : 0))
    }

    mutating func breakLine() {
        breaks += 1 + (isAtStart && breaks == 0 ? 0 : required)
        required = 0
        isAfterBreak = true
        isBreakFinal = false
    }

    mutating func breakLineAtEnd() {
        required = 0
        breakLine()
        isBreakFinal = true
    }

    mutating func noteCollapsedSpace() {}

    mutating func startText(afterSpace: Bool) {
        endLines(breaks + (isAtStart && breaks == 0 ? 0 : required))
        if afterSpace { bytes.append(UInt8(ascii: " ")) }
        isAtStart = false
    }

    /// Appends a byte. A no-break space only serves the layout of the page, and browsers copy it as a space.
    mutating func append(_ byte: UInt8) {
        if byte == 0xA0, bytes.last == 0xC2 {
            bytes[bytes.count - 1] = UInt8(ascii: " ")
        } else {
            bytes.append(byte)
        }
    }

    static func picture(of tag: HTMLTag, in bytes: [UInt8]) -> TextPicture? { nil }

    /// Does nothing: plain text has no pictures.
    mutating func append(_ picture: TextPicture) {}

    mutating func appendMarker(_ marker: ListMarker, level: Int) {
        for _ in 1..<min(level, ListItem.maxLevel) { bytes += Array("    ".utf8) }
        bytes += Array(marker.text.utf8)
    }

    mutating func startCell(isFirst: Bool) {
        startText(afterSpace: false)
        if !isFirst { bytes.append(UInt8(ascii: "\t")) }
        isAtStart = true
    }

    mutating func endCell() {
        endLines(0)
        isAtStart = false
    }

    /// The text, after the source has been read. A final break ends the text, and does not add a line.
    var finished: [UInt8] {
        bytes + [UInt8](repeating: 0x0A, count: max(0, breaks - (isBreakFinal ? 0 : 1)))
    }

    private mutating func endLines(_ count: Int) {
        for _ in 0..<count { bytes.append(0x0A) }
        breaks = 0
        required = 0
        isAfterBreak = false
        isBreakFinal = false
    }
}
