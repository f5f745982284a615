/// How the bytes of a font's text are read.
enum RTFCharset: Equatable, Sendable {
    case page(CodePage)
    case utf8
    /// A font of pictures; bullets are the only ones that text has from it.
    case symbol
    /// Of two bytes a character, or unheard of. Word writes such text in Unicode too.
    case unknown

    /// The parameter of `\ansicpg` and `\cpg`.
    init(codePage number: Int32) {
        switch number {
        case 65001: self = .utf8
        case 42: self = .symbol
        case 0, 28591: self = .page(.windows1252)
        default: self = CodePage(rawValue: Int(number)).map(Self.page) ?? .unknown
        }
    }

    /// The parameter of `\fcharset`; nil for the document's own.
    init?(fontCharset number: Int32) {
        let pages: [Int32: CodePage] = [
            0: .windows1252, 77: .macRoman, 161: .windows1253, 162: .windows1254, 163: .windows1258,
            177: .windows1255, 178: .windows1256, 186: .windows1257, 204: .windows1251, 222: .windows874,
            238: .windows1250, 254: .ibm437, 255: .ibm850,
        ]
        switch number {
        case 1: return nil
        case 2: self = .symbol
        default: self = pages[number].map(Self.page) ?? .unknown
        }
    }

    /// What Symbol and Wingdings have for bullets; the same at the code points Word gives them, from U+F000 on.
    static func symbol(_ byte: UInt8) -> [UInt8]? {
        switch byte {
        case 0xB7: Array("•".utf8)
        case 0xA7: Array("▪".utf8)
        case 0xD8: Array("➢".utf8)
        case 0xFC: Array("✓".utf8)
        default: nil
        }
    }
}

/// A font as the font table has it.
struct RTFFont: Sendable {
    /// As it stands in the table, with the semicolon behind it.
    var name: [UInt8] = []
    /// Nil for the document's own.
    var charset: RTFCharset?
}

/// `\red`, `\green` and `\blue` of a colour; nil for the reader's own.
struct RTFColor: Equatable, Sendable {
    var red: UInt8?
    var green: UInt8?
    var blue: UInt8?
}
