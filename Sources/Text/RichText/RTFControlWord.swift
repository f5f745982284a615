import Formats

/// The control words that ``RTFReader`` recognizes.
enum RTFControlWord: Sendable {
    case destination(RTFDestination)
    /// A field, whose instruction may define a link.
    case field
    case result
    case unicodeHalf
    /// A character, in UTF-8.
    case character([UInt8])

    case paragraphEnd
    case lineBreak
    /// A page, column or section break, which ends the paragraph if it has text.
    case division
    case cell
    case row

    case unicode
    case fallbackLength
    case codePage(CodePage)
    case ansiCodePage
    case cocoa

    case font
    case defaultFont
    case fontCharset
    case fontCodePage
    case red
    case green
    case blue

    case listDeclaration
    case listLevelDeclaration
    case numberFormat
    case listIdentifier

    case plain
    case bold
    case italic
    case underline(Bool)
    case strikethrough
    case hidden
    case fontSize
    case foreground
    case background
    case script(TextStyle.Script?)
    case raised
    case lowered
    /// The distance added after each character, in quarters of a point, or in twentieths.
    case expanded(Int32)
    /// LibreOffice's `\*\updnprop`: the size of the raised or lowered text, in hundredths of a percent.
    case raisedSize

    /// `\*\shppict`, the picture for readers that know more than one format.
    case shownPicture
    /// The format of a picture, and whether it can be read.
    case pictureFormat(Bool)
    case pictureWidth
    case pictureHeight
    case pictureScaleX
    case pictureScaleY

    case paragraphDefault
    case alignment(TextAlignment)
    case spaceBefore
    case spaceAfter
    case automaticSpaceBefore
    case automaticSpaceAfter
    case leftIndent
    case rightIndent
    case firstLineIndent
    case tabStop
    case tabAlignment(TabStop.Alignment)
    case tabLeader(TabStop.Leader)
    case lineSpacing
    case lineSpacingRule
    case minimumLineHeight
    case maximumLineHeight
    case leading
    case outlineLevel
    case list
    case listLevel

    /// Looks up a name; nil for an unknown control word.
    static func named(_ name: MarkupName) -> Self? { byName[name] }

    private static let byName: [MarkupName: Self] = {
        var table: [MarkupName: Self] = Dictionary(groups: groups)
        for (name, character) in characters { table[MarkupName(name)] = .character(Array(character.utf8)) }
        return table
    }()

    private static let groups: [(String, Self)] = [
        (
            """
            stylesheet info nonshppict header headerl headerr headerf footer footerl footerr footerf footnote \
            annotation ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn xe tc rxe txe filetbl revtbl private template nonesttables \
            fldtype
            """, .destination(.skipped)
        ),
        ("pict", .destination(.picture)), ("shppict", .shownPicture), ("pngblip", .pictureFormat(true)),
        ("jpegblip", .pictureFormat(true)),
        ("emfblip macpict pmmetafile wmetafile dibitmap wbitmap", .pictureFormat(false)),
        ("picwgoal", .pictureWidth), ("pichgoal", .pictureHeight), ("picscalex", .pictureScaleX),
        ("picscaley", .pictureScaleY),
        ("nesttableprops fldrslt", .destination(.body)), ("listtext pntext", .destination(.listText)),
        ("listtable", .destination(.listTable)), ("listoverridetable", .destination(.listOverrides)),
        ("fonttbl", .destination(.fontTable)), ("colortbl", .destination(.colorTable)),
        ("fldinst", .destination(.fieldInstruction)), ("object", .destination(.object)),
        ("upr", .destination(.unicodePair)), ("field", .field), ("result", .result), ("ud", .unicodeHalf),
        ("par", .paragraphEnd), ("line softline", .lineBreak), ("page column sect", .division),
        ("cell nestcell", .cell), ("row nestrow", .row),
        ("u", .unicode), ("uc", .fallbackLength), ("ansi", .codePage(.windows1252)), ("mac", .codePage(.macRoman)),
        ("pc", .codePage(.ibm437)), ("pca", .codePage(.ibm850)), ("ansicpg", .ansiCodePage), ("cocoartf", .cocoa),
        ("f", .font), ("deff", .defaultFont), ("fcharset", .fontCharset), ("cpg", .fontCodePage),
        ("red", .red), ("green", .green), ("blue", .blue),
        ("list", .listDeclaration), ("listlevel", .listLevelDeclaration), ("levelnfc levelnfcn", .numberFormat),
        ("listid", .listIdentifier), ("plain", .plain), ("b", .bold), ("i", .italic), ("ulnone", .underline(false)),
        (
            """
            ul uld uldash uldashd uldashdd uldb ulhwave ulldash ulth ulthd ulthdash ulthdashd ulthdashdd ulthldash \
            ululdbwave ulw ulwave
            """, .underline(true)
        ),
        ("strike striked", .strikethrough), ("v deleted", .hidden), ("fs", .fontSize),
        ("cf", .foreground), ("cb highlight chcbpat", .background), ("super", .script(.superscript)),
        ("sub", .script(.subscript)), ("nosupersub", .script(nil)), ("up", .raised), ("dn", .lowered),
        ("updnprop", .raisedSize), ("expnd", .expanded(5)), ("expndtw", .expanded(1)),
        ("pard", .paragraphDefault), ("ql", .alignment(.left)), ("qr", .alignment(.right)),
        ("qc", .alignment(.center)), ("qj qd qt", .alignment(.justified)),
        ("sb", .spaceBefore), ("sa", .spaceAfter), ("sbauto", .automaticSpaceBefore), ("saauto", .automaticSpaceAfter),
        ("li", .leftIndent), ("ri", .rightIndent), ("fi", .firstLineIndent),
        ("tx", .tabStop), ("tqc", .tabAlignment(.center)), ("tqr", .tabAlignment(.right)),
        ("tqdec", .tabAlignment(.decimal)), ("tldot tlmdot", .tabLeader(.dots)), ("tlhyph tleq", .tabLeader(.dashes)),
        ("tlul tlth", .tabLeader(.line)), ("sl", .lineSpacing), ("slmult", .lineSpacingRule),
        ("slminimum", .minimumLineHeight), ("slmaximum", .maximumLineHeight), ("slleading", .leading),
        ("outlinelevel", .outlineLevel), ("ls", .list), ("ilvl", .listLevel),
    ]

    private static let characters = [
        "tab": "\t", "emdash": "\u{2014}", "endash": "\u{2013}", "lquote": "\u{2018}", "rquote": "\u{2019}",
        "ldblquote": "\u{201C}", "rdblquote": "\u{201D}", "bullet": "\u{2022}", "emspace": "\u{2003}",
        "enspace": "\u{2002}", "qmspace": "\u{2005}", "zwj": "\u{200D}", "zwnj": "\u{200C}", "zwbo": "\u{200B}",
        "zwnbo": "\u{2060}", "ltrmark": "\u{200E}", "rtlmark": "\u{200F}",
    ]
}
