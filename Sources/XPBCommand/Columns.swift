/// Columns of a terminal. It is a guess, as terminals differ.
enum Columns {
    /// The distance of its tab stops.
    private static let tab = 8

    /// The column in which what follows the fields begins, each ended by a TAB.
    static func after(_ fields: [String]) -> Int {
        fields.reduce(0) { column, field in (column + count(field)) / tab * tab + tab }
    }

    static func count(_ text: String) -> Int { text.reduce(0) { $0 + count($1) } }

    /// The text, or as much of it as there is room for, with an ellipsis. No character is cut apart.
    static func cut(_ text: String, to columns: Int) -> String {
        var end = text.startIndex
        var used = 0
        for index in text.indices {
            used += count(text[index])
            if used > columns { return text[..<end] + "…" }
            // The ellipsis has its place behind what ends here.
            if used < columns { end = text.index(after: index) }
        }
        return text
    }

    /// Two for what is wide (Unicode Standard Annex 11), and for pictures.
    private static func count(_ character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        switch first.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
            0x1F900...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default:
            return first.properties.isEmojiPresentation || character.unicodeScalars.contains("\u{FE0F}") ? 2 : 1
        }
    }
}
