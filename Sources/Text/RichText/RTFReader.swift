import Formats

/// A reader of RTF 1.9.1 in one pass, without recursion: groups are values on a stack.
struct RTFReader<Output: RTFOutput> {
    /// The maximum nesting. Groups beyond it are skipped. Word processors do not come close to it.
    static var maxDepth: Int { 1_000 }

    private var tokens: RTFTokenizer
    private(set) var output: Output
    private(set) var tables = RTFTables()
    private var decoder = RTFDecoder()

    private var group = RTFGroup()
    private var outerGroups: [RTFGroup] = []
    /// The number of open groups beyond the maximum nesting.
    private var skippedDepth = 0
    /// True after `\*`, which means that an unknown destination must be skipped.
    private var isOptional = false

    /// True if Cocoa wrote the document. Cocoa ends the last paragraph only if a newline was copied; other programs end
    /// every paragraph.
    private var isCocoa = false
    /// The number of cells that ended since the last text.
    private var cellCount = 0

    /// Returns nil if the bytes are not RTF.
    init?(_ bytes: [UInt8], into output: Output) {
        guard let tokens = RTFTokenizer(bytes) else { return nil }
        self.tokens = tokens
        self.output = output
    }

    /// Reads to the brace that ends the document, or to the end of the source.
    mutating func run() {
        while let token = tokens.next() {
            switch token {
            case .open: openGroup()
            case .close:
                closeGroup()
                if outerGroups.isEmpty { return }
            case _ where skippedDepth > 0: break
            case .word(let name, let parameter): readWord(name, parameter)
            case .symbol(let byte): readSymbol(byte)
            case .hex(let byte): if !decoder.skip() { emit(decoder.decode(byte, charset)) }
            case .text(let range): readText(tokens.bytes[range])
            }
        }
        endDocument()
    }

    /// Called before the last group is closed, because the style of the last paragraph is lost then.
    private mutating func endDocument() {
        endSurrogate()
        output.endDocument(group.paragraph, isCocoa: isCocoa)
    }

    // MARK: Groups

    private mutating func openGroup() {
        decoder.endSkipping()
        isOptional = false
        guard outerGroups.count < Self.maxDepth else {
            skippedDepth += 1
            return
        }
        outerGroups.append(group)
        group.beginsDestination = false
        group.isField = false
    }

    private mutating func closeGroup() {
        decoder.endSkipping()
        isOptional = false
        guard skippedDepth == 0 else {
            skippedDepth -= 1
            return
        }
        guard let saved = outerGroups.popLast() else { return }
        if outerGroups.isEmpty { endDocument() }
        let isInstruction = group.destination == .fieldInstruction && group.beginsDestination
        let isPicture = group.destination == .picture && group.beginsDestination
        group = saved
        if isPicture { endPicture() }
        if isInstruction, group.isField { group.style.link = tables.endInstruction() }
    }

    private mutating func endPicture() {
        guard let number = tables.endPicture(), isInBody else { return }
        writeCells()
        var style = group.style
        style.picture = number
        output.appendPicture(style)
    }

    /// Enters a destination in the body. Within any other destination, it is skipped.
    private mutating func enter(_ destination: RTFDestination) {
        group.destination = group.destination == .body ? destination : .skipped
        group.beginsDestination = true
    }

    // MARK: Controls

    private mutating func readWord(_ name: MarkupName, _ parameter: Int32?) {
        let wasOptional = isOptional
        isOptional = false
        guard let word = RTFControlWord.named(name) else {
            if wasOptional { enter(.skipped) }
            return
        }
        switch word {
        case .destination(let destination): return enter(destination)
        case .result where group.destination == .object, .unicodeHalf where group.destination == .unicodePair:
            group.destination = .body
            return
        case .shownPicture: return
        case .raisedSize where wasOptional && !outerGroups.isEmpty:
            outerGroups[outerGroups.count - 1].style.isRaisedSmaller = (parameter ?? 0) < Self.fullSize
            return enter(.skipped)
        case _ where wasOptional: return enter(.skipped)
        case .character(let utf8): if !decoder.skip() { emit(utf8) }
        case .unicode:
            if let utf8 = decoder.unicode(parameter ?? 0, fallbackLength: group.fallbackLength) { emit(utf8) }
        default:
            decoder.endSkipping()
            apply(word, parameter)
        }
    }

    private mutating func readSymbol(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "*"): isOptional = true
        case 0x0A, 0x0D: endParagraph()
        default:
            guard let utf8 = RTFSymbols.utf8[byte], !decoder.skip() else { return }
            emit(utf8)
        }
    }

    /// Applies a control word that is neither a character nor a destination.
    private mutating func apply(_ word: RTFControlWord, _ parameter: Int32?) {
        let isOn = parameter != 0
        switch word {
        case .paragraphEnd: endParagraph()
        case .lineBreak: breakLine()
        case .division: endPart()
        case .cell: endCell()
        case .row: endRow()
        case .field: group.isField = true
        case .fallbackLength: group.fallbackLength = Int(max(0, parameter ?? 1))
        case .codePage(let page): tables.documentCharset = .page(page)
        case .ansiCodePage: tables.documentCharset = RTFCharset(codePage: parameter ?? 0)
        case .cocoa: isCocoa = true
        case .plain: group.style.reset()
        case .bold: group.style.isBold = isOn
        case .italic: group.style.isItalic = isOn
        case .underline(let draws): group.style.isUnderlined = draws && isOn
        case .strikethrough: group.style.isStruckThrough = isOn
        case .hidden: group.style.isHidden = isOn
        case .fontSize: group.style.fontSize = max(0, parameter ?? 0)
        case .foreground: group.style.foreground = parameter ?? 0
        case .background: group.style.background = parameter ?? 0
        case .script(let script): group.style.script = isOn ? script : nil
        case .raised: group.style.raise(parameter ?? Self.defaultOffset)
        case .lowered: group.style.raise(0 &- (parameter ?? Self.defaultOffset))
        case .pictureFormat(let isKnown): tables.picture.isKnown = isKnown
        case .pictureWidth: tables.picture.width = parameter ?? 0
        case .pictureHeight: tables.picture.height = parameter ?? 0
        case .pictureScaleX: tables.picture.scaleX = parameter ?? 100
        case .pictureScaleY: tables.picture.scaleY = parameter ?? 100
        case .expanded(let unit): group.style.kern = Int32(clamping: Int(parameter ?? 0) * Int(unit))
        case .font, .defaultFont, .fontCharset, .fontCodePage: applyFont(word, parameter ?? 0)
        case .red: tables.setColor(\.red, parameter ?? 0)
        case .green: tables.setColor(\.green, parameter ?? 0)
        case .blue: tables.setColor(\.blue, parameter ?? 0)
        case .listDeclaration, .listLevelDeclaration, .numberFormat, .listIdentifier: declareList(word, parameter ?? 0)
        case .list where group.destination == .listOverrides: tables.lists.endOverride(parameter ?? 0)
        case .destination, .result, .unicodeHalf, .character, .unicode, .shownPicture: break
        default: group.paragraph.apply(word, parameter)
        }
    }

    /// The distance in half points of `\up` and `\dn` without a parameter.
    private static var defaultOffset: Int32 { 6 }
    /// The parameter of `\*\updnprop` for text in its full size.
    private static var fullSize: Int32 { 10_000 }

    private mutating func applyFont(_ word: RTFControlWord, _ number: Int32) {
        let isInTable = group.destination == .fontTable
        switch word {
        case .font where isInTable: tables.beginFont(number)
        case .font: group.style.font = number
        case .defaultFont: tables.defaultFont = number
        case .fontCharset where isInTable: tables.setCharset(RTFCharset(fontCharset: number))
        case .fontCodePage where isInTable: tables.setCharset(RTFCharset(codePage: number))
        default: break
        }
    }

    private mutating func declareList(_ word: RTFControlWord, _ number: Int32) {
        switch (group.destination, word) {
        case (.listTable, .listDeclaration): tables.lists.beginList()
        case (.listTable, .listLevelDeclaration): tables.lists.beginLevel()
        case (.listTable, .numberFormat): tables.lists.setNumberFormat(number)
        case (.listTable, .listIdentifier): tables.lists.endList(id: number)
        case (.listOverrides, .listIdentifier): tables.lists.beginOverride(id: number)
        default: break
        }
    }

    // MARK: Text

    private var charset: RTFCharset { tables.charset(of: group.style.font) }

    private mutating func readText(_ bytes: ArraySlice<UInt8>) {
        let shown = decoder.skip(in: bytes)
        guard !shown.isEmpty else { return }
        if shown.allSatisfy({ $0 < 0x80 }) { return emit(shown) }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(shown.count)
        for byte in shown { decoded += decoder.decode(byte, charset) }
        emit(decoded)
    }

    /// Sends text to the destination of the group.
    private mutating func emit(_ utf8: some Collection<UInt8>) {
        endSurrogate()
        switch group.destination {
        case .body, .listText:
            guard !group.style.isHidden else { return }
            writeCells()
            if group.destination == .body {
                output.append(utf8, group.style)
            } else {
                output.appendMarker(utf8, group.style)
            }
        case .fontTable: tables.appendFontName(utf8)
        case .colorTable: tables.appendColorText(utf8)
        case .fieldInstruction: tables.appendInstruction(utf8)
        case .picture: tables.picture.append(utf8)
        case .skipped, .listTable, .listOverrides, .object, .unicodePair: break
        }
    }

    /// Emits U+FFFD for the first half of a surrogate pair whose second half is missing.
    private mutating func endSurrogate() {
        if decoder.endSurrogate() { emit(UTF8Text.replacement) }
    }

    /// Writes a tab for each cell that ended since the last text.
    private mutating func writeCells() {
        guard cellCount > 0 else { return }
        output.append(repeatElement(UInt8(ascii: "\t"), count: cellCount), group.style)
        cellCount = 0
    }

    // MARK: Lines

    private var isInBody: Bool { group.destination == .body && !group.style.isHidden }

    private mutating func endParagraph() {
        guard isInBody else { return }
        endSurrogate()
        writeCells()
        output.endParagraph(group.paragraph)
    }

    private mutating func endPart() {
        if !output.isAtParagraphStart || cellCount > 0 { endParagraph() }
    }

    private mutating func breakLine() {
        guard isInBody else { return }
        emit(CollectionOfOne(0x0A))
    }

    private mutating func endCell() {
        guard isInBody else { return }
        endSurrogate()
        cellCount += 1
    }

    /// Ends a row. No tab follows its last cell.
    private mutating func endRow() {
        guard group.destination == .body else { return }
        cellCount = max(0, cellCount - 1)
        endParagraph()
    }
}

/// The characters of control symbols.
private enum RTFSymbols {
    static let utf8: [UInt8: [UInt8]] = [
        UInt8(ascii: "~"): Array("\u{A0}".utf8), UInt8(ascii: "-"): Array("\u{AD}".utf8),
        UInt8(ascii: "_"): Array("\u{2011}".utf8), UInt8(ascii: "\\"): Array("\\".utf8),
        UInt8(ascii: "{"): Array("{".utf8), UInt8(ascii: "}"): Array("}".utf8), 0x09: [0x09],
    ]
}
