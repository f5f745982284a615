/// HTML as plain text: what copying it in a browser gives, as far as no picture of the page is needed.
struct PlainTextOutput: HTMLOutput {
    struct Nothing {}

    private(set) var bytes: [UInt8] = []
    var look = Nothing()

    /// Nothing stands before the next text in the document, or in the cell: no boundary counts.
    private var isAtStart = true
    /// Line ends that `br` made since the last text.
    private var breaks = 0
    /// Line ends that blocks require since then, besides these.
    private var required = 0
    private var isAfterBreak = false
    /// The last break shows though no text follows.
    private var isBreakFinal = false

    static func change(by element: HTMLElement, _ tag: HTMLTag, in bytes: [UInt8]) -> Nothing { Nothing() }
    static func look(of change: Nothing, inside look: Nothing) -> Nothing { look }

    mutating func boundary(isSpaced: Bool) {
        // A break at the end of a block makes no line more: the block would have ended there anyway.
        required = max(required, (isSpaced ? 2 : 1) - (isAfterBreak ? 1 : 0))
    }

    mutating func lineBreak() {
        breaks += 1 + (isAtStart && breaks == 0 ? 0 : required)
        required = 0
        isAfterBreak = true
        isBreakFinal = false
    }

    mutating func finalLineBreak() {
        required = 0
        lineBreak()
        isBreakFinal = true
    }

    mutating func noteSpace() {}

    mutating func begin(space: Bool) {
        endLines(breaks + (isAtStart && breaks == 0 ? 0 : required))
        if space { bytes.append(UInt8(ascii: " ")) }
        isAtStart = false
    }

    /// A no-break space is there for the layout of the page; browsers copy it as a space.
    mutating func append(_ byte: UInt8) {
        if byte == 0xA0, bytes.last == 0xC2 {
            bytes[bytes.count - 1] = UInt8(ascii: " ")
        } else {
            bytes.append(byte)
        }
    }

    mutating func mark(_ marker: ListMarker, level: Int) {
        for _ in 1..<min(level, ListItem.deepest) { bytes += Array("    ".utf8) }
        bytes += Array(marker.text.utf8)
    }

    mutating func startCell(isFirst: Bool) {
        begin(space: false)
        if !isFirst { bytes.append(UInt8(ascii: "\t")) }
        isAtStart = true
    }

    mutating func endCell() {
        endLines(0)
        isAtStart = false
    }

    /// The text, once the source is at its end. A break that is the last thing in it is where the text ends, and no
    /// line more.
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
