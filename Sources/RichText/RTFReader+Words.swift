extension RTFReader {
    /// Does what a control word says that is neither a character nor a destination.
    mutating func act(_ word: RTFWord, _ parameter: Int32?) {
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
        case .plain: group.look.reset()
        case .bold: group.look.isBold = isOn
        case .italic: group.look.isItalic = isOn
        case .underline(let isKind): group.look.isUnderlined = isKind && isOn
        case .strikethrough: group.look.isStruckThrough = isOn
        case .hidden: group.look.isHidden = isOn
        case .fontSize: group.look.fontSize = max(0, parameter ?? 0)
        case .foreground: group.look.foreground = parameter ?? 0
        case .background: group.look.background = parameter ?? 0
        case .font, .defaultFont, .fontCharset, .fontCodePage: actOnFont(word, parameter ?? 0)
        case .red: tables.setColor(\.red, parameter ?? 0)
        case .green: tables.setColor(\.green, parameter ?? 0)
        case .blue: tables.setColor(\.blue, parameter ?? 0)
        case .listDeclaration, .listLevelDeclaration, .numberFormat, .listIdentifier: declareList(word, parameter ?? 0)
        case .list where group.destination == .listOverrides: tables.lists.endOverride(parameter ?? 0)
        case .paragraphDefault, .alignment, .spaceBefore, .spaceAfter, .outlineLevel, .list, .listLevel:
            actOnParagraph(word, parameter ?? 0)
        case .destination, .result, .unicodeHalf, .character, .unicode: break
        }
    }

    private mutating func actOnFont(_ word: RTFWord, _ number: Int32) {
        let isInTable = group.destination == .fontTable
        switch word {
        case .font where isInTable: tables.beginFont(number)
        case .font: group.look.font = number
        case .defaultFont: tables.defaultFont = number
        case .fontCharset where isInTable: tables.setCharset(RTFCharset(fontCharset: number))
        case .fontCodePage where isInTable: tables.setCharset(RTFCharset(codePage: number))
        default: break
        }
    }

    private mutating func declareList(_ word: RTFWord, _ number: Int32) {
        switch (group.destination, word) {
        case (.listTable, .listDeclaration): tables.lists.beginList()
        case (.listTable, .listLevelDeclaration): tables.lists.beginLevel()
        case (.listTable, .numberFormat): tables.lists.setNumberFormat(number)
        case (.listTable, .listIdentifier): tables.lists.endList(id: number)
        case (.listOverrides, .listIdentifier): tables.lists.beginOverride(id: number)
        default: break
        }
    }

    private mutating func actOnParagraph(_ word: RTFWord, _ number: Int32) {
        switch word {
        case .paragraphDefault: group.paragraph = RTFParagraph()
        case .alignment(let alignment): group.paragraph.alignment = alignment
        case .spaceBefore: group.paragraph.spaceBefore = number
        case .spaceAfter: group.paragraph.spaceAfter = number
        case .outlineLevel: group.paragraph.outlineLevel = number
        case .list: group.paragraph.list = number
        case .listLevel: group.paragraph.listLevel = number
        default: break
        }
    }
}
