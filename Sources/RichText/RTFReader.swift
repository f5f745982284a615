/// Reads RTF 1.9.1 in one pass, without recursion: groups are a stack of values.
struct RTFReader<Output: RTFOutput> {
    /// Groups nested deeper are passed over. Those of word processors stay far below.
    static var depthLimit: Int { 1_000 }

    private var tokens: RTFTokenizer
    var output: Output
    var group = RTFGroup()
    private var outer: [RTFGroup] = []
    private var beyondLimit = 0
    /// `\*` was read: a destination that is not known is to be passed over.
    private var isOptional = false

    var tables = RTFTables()
    var decoder = RTFDecoder()
    /// Cocoa ends the last paragraph only if a newline was copied; other programs end every one.
    var isCocoa = false
    /// Cells that ended since the last text.
    private var cells = 0

    /// Nil when the bytes are no RTF.
    init?(_ bytes: [UInt8], into output: Output) {
        guard let tokens = RTFTokenizer(bytes) else { return nil }
        self.tokens = tokens
        self.output = output
    }

    /// Runs to the brace that ends the document, or to the end of the source.
    mutating func run() {
        while let token = tokens.next() {
            switch token {
            case .open: open()
            case .close:
                close()
                if outer.isEmpty { return }
            case _ where beyondLimit > 0: break
            case .word(let name, let parameter): word(name, parameter)
            case .symbol(let byte): symbol(byte)
            case .hex(let byte): if !decoder.skip() { emit(decoder.decode(byte, charset)) }
            case .text(let range): text(tokens.bytes[range])
            }
        }
        endDocument()
    }

    /// While the last paragraph's layout is known.
    private mutating func endDocument() {
        flush()
        output.endDocument(group.paragraph, isCocoa: isCocoa)
    }

    // MARK: Groups

    private mutating func open() {
        decoder.endSkipping()
        isOptional = false
        guard outer.count < Self.depthLimit else {
            beyondLimit += 1
            return
        }
        outer.append(group)
        group.beginsDestination = false
        group.isField = false
    }

    private mutating func close() {
        decoder.endSkipping()
        isOptional = false
        guard beyondLimit == 0 else {
            beyondLimit -= 1
            return
        }
        guard let saved = outer.popLast() else { return }
        if outer.isEmpty { endDocument() }
        let isInstruction = group.destination == .fieldInstruction && group.beginsDestination
        group = saved
        if isInstruction, group.isField { group.look.link = tables.endInstruction() }
    }

    /// Destinations stand in the text, and what is passed over stays so; of an object and of a pair, one half is text.
    mutating func enter(_ destination: RTFDestination) {
        group.destination = group.destination == .body ? destination : .skipped
        group.beginsDestination = true
    }

    // MARK: Controls

    private mutating func word(_ name: MarkupName, _ parameter: Int32?) {
        let wasOptional = isOptional
        isOptional = false
        guard let word = RTFWord.named(name) else {
            if wasOptional { enter(.skipped) }
            return
        }
        switch word {
        case .destination(let destination): return enter(destination)
        case .result where group.destination == .object, .unicodeHalf where group.destination == .unicodePair:
            group.destination = .body
            return
        case _ where wasOptional: return enter(.skipped)
        case .character(let utf8): if !decoder.skip() { emit(utf8) }
        case .unicode: if let utf8 = decoder.unicode(parameter ?? 0, fallback: group.fallbackLength) { emit(utf8) }
        default:
            decoder.endSkipping()
            act(word, parameter)
        }
    }

    private mutating func symbol(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "*"): isOptional = true
        case 0x0A, 0x0D: endParagraph()
        default:
            guard let utf8 = RTFSymbols.utf8[byte], !decoder.skip() else { return }
            emit(utf8)
        }
    }

    // MARK: Text

    private var charset: RTFCharset { tables.charset(of: group.look.font) }

    private mutating func text(_ bytes: ArraySlice<UInt8>) {
        let shown = decoder.skip(in: bytes)
        guard !shown.isEmpty else { return }
        if shown.allSatisfy({ $0 < 0x80 }) { return emit(shown) }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(shown.count)
        for byte in shown { decoded += decoder.decode(byte, charset) }
        emit(decoded)
    }

    /// Sends text where its group says.
    private mutating func emit(_ utf8: some Collection<UInt8>) {
        flush()
        switch group.destination {
        case .body, .listText:
            guard !group.look.isHidden else { return }
            endCells()
            if group.destination == .body {
                output.append(utf8, group.look)
            } else {
                output.appendMarker(utf8, group.look)
            }
        case .fontTable: tables.appendFontName(utf8)
        case .colorTable: tables.appendColor(utf8)
        case .fieldInstruction: tables.appendInstruction(utf8)
        case .skipped, .listTable, .listOverrides, .object, .unicodePair: break
        }
    }

    /// The first half of a character whose second did not come.
    private mutating func flush() {
        if decoder.endSurrogate() { emit(UTF8Repair.replacement) }
    }

    private mutating func endCells() {
        guard cells > 0 else { return }
        output.append(repeatElement(UInt8(ascii: "\t"), count: cells), group.look)
        cells = 0
    }

    // MARK: Lines

    private var isInBody: Bool { group.destination == .body && !group.look.isHidden }

    mutating func endParagraph() {
        guard isInBody else { return }
        flush()
        endCells()
        output.endParagraph(group.paragraph)
    }

    mutating func endPart() {
        if !output.isAtParagraphStart || cells > 0 { endParagraph() }
    }

    mutating func breakLine() {
        guard isInBody else { return }
        emit(CollectionOfOne(0x0A))
    }

    mutating func endCell() {
        guard isInBody else { return }
        flush()
        cells += 1
    }

    /// Behind the last cell of a row stands no tab.
    mutating func endRow() {
        guard group.destination == .body else { return }
        cells = max(0, cells - 1)
        endParagraph()
    }
}

/// Characters that have a control symbol.
private enum RTFSymbols {
    static let utf8: [UInt8: [UInt8]] = [
        UInt8(ascii: "~"): Array("\u{A0}".utf8), UInt8(ascii: "-"): Array("\u{AD}".utf8),
        UInt8(ascii: "_"): Array("\u{2011}".utf8), UInt8(ascii: "\\"): Array("\\".utf8),
        UInt8(ascii: "{"): Array("{".utf8), UInt8(ascii: "}"): Array("}".utf8), 0x09: [0x09],
    ]
}
