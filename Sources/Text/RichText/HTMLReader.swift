/// A reader of HTML in one pass. It determines the visible text, the collapsing of white space, and the beginnings of
/// lines.
///
/// The reader does not recurse: nesting uses no stack, and no more memory than ``maxDepth`` elements. It approximates
/// the tree that a browser builds from misnested tags: the text is complete and in order.
struct HTMLReader<Output: HTMLOutput> {
    /// The maximum nesting. Elements beyond it are not entered: their text is treated like that of their parent.
    /// Browsers stop at 512.
    static var maxDepth: Int { 256 }

    private var tokens: HTMLTokenizer
    private var stack: HTMLElementStack<Output>
    private(set) var output: Output

    private var isAtLineStart = true
    /// True if collapsed white space precedes the next text.
    private var hasPendingSpace = false
    /// True if the next text continues the current text, without a tag or white space in between.
    private var isInText = false
    /// The marker of a list item that has no text yet.
    private var pendingMarker: (marker: ListMarker, level: Int)?

    /// - Parameter bytes: Valid UTF-8.
    init(_ bytes: [UInt8], into output: Output) {
        tokens = HTMLTokenizer(bytes)
        self.output = output
        let root = HTMLTag(name: MarkupName(""), attributes: bytes.count, mayHaveAttributes: false)
        let change = Output.styleChange(of: .inline, root, in: bytes)
        stack = HTMLElementStack(
            root: HTMLOpenElement(
                name: root.name, element: .inline, layout: HTMLLayout(), change: change, style: output.style),
            maxDepth: Self.maxDepth)
    }

    /// Reads to the end of the source.
    mutating func run() {
        while let token = tokens.next() {
            switch token {
            case .text(let range): readText(range, stack.top.whiteSpace)
            case .startTag(let tag): open(tag)
            case .endTag(let name): close(name)
            }
        }
        close(downTo: 1)
    }

    // MARK: Tags

    private mutating func open(_ tag: HTMLTag) {
        let element = HTMLElement.named(tag.name)
        if element == .unparsed {
            _ = tokens.rawText(of: tag.name)
            return
        }
        if let first = stack.implicitlyClosed(by: element) { close(downTo: first) }
        // A link within a link ends the outer one.
        if tag.name == HTMLNames.a { close(tag.name) }
        if element == .cell, !stack.isInRow {
            enter(HTMLTag(name: HTMLNames.tr, attributes: tag.attributes, mayHaveAttributes: false), .row, HTMLLayout())
        }
        let layout = tag.mayHaveAttributes ? HTMLLayout(of: tag, in: tokens.bytes) : HTMLLayout()
        switch element {
        case .lineBreak: breakLine(layout)
        case .rule: separateBlocks(isSpaced: false)
        case .image: appendPicture(of: tag, layout)
        case .void: break
        default: enter(tag, element, layout)
        }
    }

    private mutating func enter(_ tag: HTMLTag, _ element: HTMLElement, _ layout: HTMLLayout) {
        let verbatim = verbatimText(of: tag, element)
        let change = Output.styleChange(of: element, tag, in: tokens.bytes)
        let entry = HTMLOpenElement<Output>(
            name: tag.name, element: element, layout: layout, change: change, style: output.style)
        guard stack.push(entry) else {
            if entry.isBlock { separateBlocks(isSpaced: element.isSpaced) }
            guard let verbatim else { return }
            // The end tag has already been read.
            stack.forgetSkipped()
            if !stack.top.isRemoved { readText(verbatim, .preserve, hasEntities: element == .textArea) }
            if entry.isBlock { separateBlocks(isSpaced: element.isSpaced) }
            return
        }
        updateStyle()
        if !stack.top.isRemoved {
            startElement(element, layout, isBlock: entry.isBlock)
            if let verbatim { readText(verbatim, .preserve, hasEntities: element == .textArea) }
        }
        if verbatim != nil { close(downTo: stack.count - 1) }
    }

    /// Returns the text of an element whose contents are text without markup; nil for other elements.
    private mutating func verbatimText(of tag: HTMLTag, _ element: HTMLElement) -> Range<Int>? {
        if element == .textArea || element == .preformatted { tokens.skipNewline() }
        guard element == .verbatim || element == .textArea else { return nil }
        return tag.name == HTMLNames.plaintext ? tokens.rest() : tokens.rawText(of: tag.name)
    }

    private mutating func startElement(_ element: HTMLElement, _ layout: HTMLLayout, isBlock: Bool) {
        if isBlock { separateBlocks(isSpaced: element.isSpaced) }
        if element == .cell { startCell() }
        if element == .item { pendingMarker = stack.nextMarker(layout).map { ($0, max(1, stack.top.listLevel)) } }
        if stack.top.isShown { for _ in 0..<layout.tabCount { append(UInt8(ascii: "\t")) } }
    }

    private mutating func close(_ name: MarkupName) {
        if name == HTMLNames.br { return breakLine(HTMLLayout()) }
        switch stack.takeEndTag(name) {
        case .nothing: break
        case .all(let first): close(downTo: first)
        case .one(let depth):
            stack.remove(at: depth)
            updateStyle()
        }
    }

    /// Closes the elements from this depth on, innermost first. Formatting elements that were not closed continue
    /// afterwards, unless they are in a table.
    private mutating func close(downTo depth: Int) {
        var continued: [HTMLOpenElement<Output>] = []
        while stack.count > depth {
            let closed = stack.pop()
            switch closed.element {
            case .formatting where stack.count > depth: continued.append(closed)
            case .cell, .row, .rowGroup, .table: continued = []
            default: break
            }
            guard !closed.isRemoved else { continue }
            if closed.element == .cell { endCell() }
            if closed.element == .item { pendingMarker = nil }
            if closed.isBlock { separateBlocks(isSpaced: closed.element.isSpaced) }
        }
        for entry in continued.suffix(Self.maxContinued).reversed() { _ = stack.push(entry) }
        updateStyle()
    }

    /// The maximum number of unclosed formatting elements that continue after their parent.
    private static var maxContinued: Int { 16 }

    private mutating func updateStyle() {
        output.style = stack.top.style
        isInText = false
    }

    // MARK: Lines

    private mutating func separateBlocks(isSpaced: Bool) {
        guard !stack.top.isRemoved else { return }
        output.separateBlocks(isSpaced: isSpaced)
        startLine()
    }

    private mutating func breakLine(_ layout: HTMLLayout) {
        guard !stack.top.isRemoved, layout.display != .removed else { return }
        if pendingMarker != nil { startText() }
        if layout.isInterchangeNewline { output.breakLineAtEnd() } else { output.breakLine() }
        startLine()
    }

    private mutating func startCell() {
        output.startCell(isFirst: stack.isFirstCell())
        startLine()
    }

    private mutating func endCell() {
        output.endCell()
        startLine()
    }

    private mutating func startLine() {
        isAtLineStart = true
        hasPendingSpace = false
        isInText = false
    }

    // MARK: Text

    private mutating func readText(_ range: Range<Int>, _ whiteSpace: HTMLWhiteSpace, hasEntities: Bool = true) {
        guard stack.top.isShown else { return }
        let bytes = tokens.bytes
        if case .tab(let hasLeader) = whiteSpace {
            for byte in HTMLWhiteSpace.text(ofTab: bytes[range], hasLeader: hasLeader) { append(byte) }
            return
        }
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = bytes[index]
            index += 1
            if byte > UInt8(ascii: "&") {
                append(byte)
            } else if byte.isHTMLSpace {
                // A CRLF counts as one LF.
                if byte == 0x0D, index < range.upperBound, bytes[index] == 0x0A { continue }
                appendSpace(byte, whiteSpace)
            } else if byte == UInt8(ascii: "&"), hasEntities,
                let found = HTMLEntities.decode(bytes[..<range.upperBound], at: index - 1)
            {
                for decoded in found.utf8 { decoded.isHTMLSpace ? appendSpace(decoded, whiteSpace) : append(decoded) }
                index = found.end
            } else if byte != 0 {
                append(byte)
            }
        }
    }

    private mutating func appendSpace(_ byte: UInt8, _ whiteSpace: HTMLWhiteSpace) {
        let isLineEnd = byte == 0x0A || byte == 0x0D
        if whiteSpace != .collapse, isLineEnd {
            if pendingMarker != nil { startText() }
            output.breakLine()
            startLine()
        } else if whiteSpace == .preserve {
            append(byte)
        } else if !isAtLineStart, !hasPendingSpace {
            hasPendingSpace = true
            isInText = false
            output.noteCollapsedSpace()
        }
    }

    private mutating func append(_ byte: UInt8) {
        if !isInText { startText() }
        output.append(byte)
    }

    private mutating func appendPicture(of tag: HTMLTag, _ layout: HTMLLayout) {
        guard stack.top.isShown, layout.display != .removed else { return }
        guard let picture = Output.picture(of: tag, in: tokens.bytes) else { return }
        startText()
        output.append(picture)
        isInText = false
    }

    private mutating func startText() {
        output.startText(afterSpace: hasPendingSpace)
        if let (marker, level) = pendingMarker { output.appendMarker(marker, level: level) }
        pendingMarker = nil
        hasPendingSpace = false
        isAtLineStart = false
        isInText = true
    }
}

/// The destination of an ``HTMLReader``: it receives visible text byte by byte, and the boundaries of lines and table
/// cells.
protocol HTMLOutput {
    /// The change that an element makes to the style of its text.
    associatedtype StyleChange
    /// The style of text, including what it inherits.
    associatedtype Style

    static func styleChange(of element: HTMLElement, _ tag: HTMLTag, in bytes: [UInt8]) -> StyleChange
    static func style(applying change: StyleChange, to style: Style) -> Style

    /// The style of the text that follows.
    var style: Style { get set }

    /// Called where a block begins or ends: the next text is on a new line. If `isSpaced`, an empty line precedes it.
    mutating func separateBlocks(isSpaced: Bool)
    mutating func breakLine()
    /// Called for a line break that ends the copied text.
    mutating func breakLineAtEnd()
    /// Called before all text that does not directly continue other text.
    ///
    /// - Parameter afterSpace: True if collapsed white space precedes the text in its line.
    mutating func startText(afterSpace: Bool)
    /// Called where collapsed white space begins. It is visible if text follows in the line.
    mutating func noteCollapsedSpace()
    mutating func append(_ byte: UInt8)
    /// Returns the picture that an `img` contains; nil if there is none, or if the output has no pictures.
    static func picture(of tag: HTMLTag, in bytes: [UInt8]) -> TextPicture?
    mutating func append(_ picture: TextPicture)
    /// Called between ``startText(afterSpace:)`` for the first text of a list item and that text. Levels count from 1.
    mutating func appendMarker(_ marker: ListMarker, level: Int)
    mutating func startCell(isFirst: Bool)
    mutating func endCell()
}
