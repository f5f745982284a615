/// HTML as it flows onto a page: which text is shown, with which blanks, and where lines begin.
///
/// One pass, without recursion: the depth of nesting costs no stack, and no more memory than ``depthLimit`` elements
/// take. The tree that a browser would build of misnested tags is approximated: the right text comes out, in order.
struct HTMLFlow<Output: HTMLOutput> {
    /// Elements nested deeper are not entered: their text is shown like their parent's. Browsers stop at 512.
    static var depthLimit: Int { 256 }

    private var tokens: HTMLTokenizer
    private var stack: HTMLStack<Output>
    private(set) var output: Output

    private var isAtLineStart = true
    private var hasSpace = false
    /// Whether what comes next follows other text at once.
    private var isFlowing = false
    private var marker: (marker: ListMarker, level: Int)?

    /// `bytes` are valid UTF-8.
    init(_ bytes: [UInt8], into output: Output) {
        tokens = HTMLTokenizer(bytes)
        self.output = output
        let root = HTMLTag(name: MarkupName(""), attributes: bytes.count, hasAttributes: false)
        let change = Output.change(by: .inline, root, in: bytes)
        stack = HTMLStack(
            root: HTMLOpenElement(
                name: root.name, element: .inline, layout: HTMLLayout(), change: change, look: output.look),
            limit: Self.depthLimit)
    }

    /// Runs to the end of the source.
    mutating func run() {
        while let token = tokens.next() {
            switch token {
            case .text(let range): text(range, stack.top.whiteSpace)
            case .startTag(let tag): start(tag)
            case .endTag(let name): end(name)
            }
        }
        close(downTo: 1)
    }

    // MARK: Tags

    private mutating func start(_ tag: HTMLTag) {
        let element = HTMLElement.named(tag.name)
        if element == .unparsed {
            _ = tokens.rawText(of: tag.name)
            return
        }
        if let first = stack.implicitlyClosed(by: element) { close(downTo: first) }
        // A link in a link ends it.
        if tag.name == HTMLNames.a { end(tag.name) }
        if element == .cell, !stack.isInRow {
            enter(HTMLTag(name: HTMLNames.tr, attributes: tag.attributes, hasAttributes: false), .row, HTMLLayout())
        }
        let layout = tag.hasAttributes ? HTMLLayout(of: tag, in: tokens.bytes) : HTMLLayout()
        switch element {
        case .lineBreak: lineBreak(layout)
        case .rule: boundary(isSpaced: false)
        case .void: break
        default: enter(tag, element, layout)
        }
    }

    private mutating func enter(_ tag: HTMLTag, _ element: HTMLElement, _ layout: HTMLLayout) {
        let isVerbatim = element == .verbatim || element == .textArea
        if element == .textArea || element == .preformatted { tokens.skipNewline() }
        let verbatim: Range<Int>? =
            isVerbatim
            ? (tag.name == HTMLNames.plaintext ? tokens.rest() : tokens.rawText(of: tag.name)) : nil
        let change = Output.change(by: element, tag, in: tokens.bytes)
        let entry = HTMLOpenElement<Output>(
            name: tag.name, element: element, layout: layout, change: change, look: output.look)
        guard stack.push(entry) else {
            if entry.isBlock { boundary(isSpaced: element.isSpaced) }
            return
        }
        restyle()
        guard !stack.top.isRemoved else { return isVerbatim ? close(downTo: stack.count - 1) : () }
        if entry.isBlock { boundary(isSpaced: element.isSpaced) }
        if element == .cell { startCell() }
        if element == .item { marker = stack.nextMarker(layout).map { ($0, max(1, stack.top.listLevel)) } }
        guard let verbatim else { return }
        text(verbatim, .preserve, hasEntities: element == .textArea)
        close(downTo: stack.count - 1)
    }

    private mutating func end(_ name: MarkupName) {
        if name == HTMLNames.br { return lineBreak(HTMLLayout()) }
        switch stack.closing(name) {
        case .nothing: break
        case .all(let first): close(downTo: first)
        case .one(let depth):
            stack.remove(at: depth)
            restyle()
        }
    }

    /// Closes the elements from this depth on, the innermost first. Formatting that nobody closed goes on outside,
    /// unless it stood in a table.
    private mutating func close(downTo depth: Int) {
        var goingOn: [HTMLOpenElement<Output>] = []
        while stack.count > depth {
            let closed = stack.pop()
            switch closed.element {
            case .formatting where stack.count > depth: goingOn.append(closed)
            case .cell, .row, .rowGroup, .table: goingOn = []
            default: break
            }
            guard !closed.isRemoved else { continue }
            if closed.element == .cell { endCell() }
            if closed.element == .item { marker = nil }
            if closed.isBlock { boundary(isSpaced: closed.element.isSpaced) }
        }
        for entry in goingOn.suffix(16).reversed() { _ = stack.push(entry) }
        restyle()
    }

    private mutating func restyle() {
        output.look = stack.top.look
        isFlowing = false
    }

    // MARK: Lines

    private mutating func boundary(isSpaced: Bool) {
        guard !stack.top.isRemoved else { return }
        output.boundary(isSpaced: isSpaced)
        startLine()
    }

    private mutating func lineBreak(_ layout: HTMLLayout) {
        guard !stack.top.isRemoved, layout.display != .removed else { return }
        if marker != nil { begin() }
        if layout.isInterchangeNewline { output.finalLineBreak() } else { output.lineBreak() }
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
        hasSpace = false
        isFlowing = false
    }

    // MARK: Text

    private mutating func text(_ range: Range<Int>, _ whiteSpace: HTMLWhiteSpace, hasEntities: Bool = true) {
        guard stack.top.isShown else { return }
        let bytes = tokens.bytes
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = bytes[index]
            index += 1
            if byte > UInt8(ascii: "&") {
                show(byte)
            } else if byte.isHTMLSpace {
                // Of CRLF, the LF counts.
                if byte == 0x0D, index < range.upperBound, bytes[index] == 0x0A { continue }
                blank(byte, whiteSpace)
            } else if byte == UInt8(ascii: "&"), hasEntities,
                let found = HTMLEntities.decode(bytes[..<range.upperBound], at: index - 1)
            {
                for decoded in found.utf8 { decoded.isHTMLSpace ? blank(decoded, whiteSpace) : show(decoded) }
                index = found.end
            } else if byte != 0 {
                show(byte)
            }
        }
    }

    private mutating func blank(_ byte: UInt8, _ whiteSpace: HTMLWhiteSpace) {
        let isLineEnd = byte == 0x0A || byte == 0x0D
        if whiteSpace != .collapse, isLineEnd {
            if marker != nil { begin() }
            output.lineBreak()
            startLine()
        } else if whiteSpace == .preserve {
            show(byte)
        } else if !isAtLineStart, !hasSpace {
            hasSpace = true
            isFlowing = false
            output.noteSpace()
        }
    }

    private mutating func show(_ byte: UInt8) {
        if !isFlowing { begin() }
        output.append(byte)
    }

    private mutating func begin() {
        output.begin(space: hasSpace)
        if let (marker, level) = marker { output.mark(marker, level: level) }
        marker = nil
        hasSpace = false
        isAtLineStart = false
        isFlowing = true
    }
}
