/// Widths of text in columns of a terminal: estimates, since terminals differ.
package enum Columns {
    package static func count(_ text: String) -> Int {
        isASCII(text) ? text.utf8.count : text.reduce(0) { $0 + count($1) }
    }

    /// True for text without control characters in ASCII, in which each byte takes one column.
    private static func isASCII(_ text: String) -> Bool { text.utf8.allSatisfy { (0x20...0x7E).contains($0) } }

    /// Returns the text, cut or padded with blanks to exactly this number of columns.
    package static func fitted(_ text: String, to columns: Int) -> String {
        padded(cut(text, to: columns), to: columns)
    }

    /// Returns text broken into lines after a number of columns, even within words.
    package static func wrapped(_ text: String, to columns: Int) -> [String] {
        guard columns > 0 else { return [] }
        var lines = [""]
        var used = 0
        for character in text {
            let width = count(character)
            // A wide character in a single column would begin new lines endlessly.
            if used + width > columns, used > 0 {
                lines.append("")
                used = 0
            }
            lines[lines.count - 1].append(character)
            used += width
        }
        return lines.map { cut($0, to: columns) }
    }

    /// Returns the text, padded with blanks to the number of columns.
    package static func padded(_ text: String, to columns: Int) -> String {
        text + String(repeating: " ", count: max(columns - count(text), 0))
    }

    /// Returns the text, or as many whole characters of it as fit with an ellipsis.
    package static func cut(_ text: String, to columns: Int) -> String {
        guard columns > 0 else { return "" }
        if isASCII(text) { return text.utf8.count <= columns ? text : text.prefix(columns - 1) + "…" }
        var end = text.startIndex
        var used = 0
        for index in text.indices {
            used += count(text[index])
            if used > columns { return text[..<end] + "…" }
            // The ellipsis fits if the text ends here.
            if used < columns { end = text.index(after: index) }
        }
        return text
    }

    /// Returns 2 for a wide character (Unicode Standard Annex 11) or emoji, 0 for a combining or invisible one without
    /// a character before it, and 1 for others.
    private static func count(_ character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
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
