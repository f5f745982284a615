package import FoundationEssentials

/// Numbers of bytes for people to read: `312 KiB`, `1.2 MiB`.
package enum ByteSize {
    /// Rounds to the nearest, with one decimal below ten.
    package static func text(_ bytes: Int) -> String {
        guard bytes >= 1_024 else { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
        var tenths = Double(bytes) / 102.4
        for unit in ["KiB", "MiB", "GiB"] {
            // 1024 of a unit is 1 of the next.
            if tenths.rounded() < 100 {
                let number = Int(tenths.rounded())
                return number.isMultiple(of: 10) ? "\(number / 10) \(unit)" : "\(number / 10).\(number % 10) \(unit)"
            }
            if (tenths / 10).rounded() < 1_024 { return "\(Int((tenths / 10).rounded())) \(unit)" }
            tenths /= 1_024
        }
        return "\(Int((tenths / 10).rounded())) TiB"
    }
}

/// Ages in one unit: `12s`, `5m`, `3h`, `2d`, `7w`, `1y`.
package enum Age {
    /// Each unit with the age in seconds from which it is used.
    private static let units: [(name: String, seconds: Int, from: Int)] = [
        ("y", 31_556_952, 31_556_952), ("w", 604_800, 1_209_600), ("d", 86_400, 86_400), ("h", 3_600, 3_600),
        ("m", 60, 60),
    ]

    /// - Parameter moment: In milliseconds since the Unix epoch. A moment in the future, after a clock was set back,
    ///   counts as now.
    package static func text(since moment: Int, at now: Date) -> String {
        let seconds = max(now.timeIntervalSince1970 - Double(moment) / 1_000, 0)
        guard let unit = units.first(where: { seconds >= Double($0.from) }) else { return "\(Int(seconds))s" }
        return "\(Int(min(seconds / Double(unit.seconds), 1e9)))\(unit.name)"
    }
}

/// Widths of text in columns of a terminal. They are estimates, as terminals differ.
package enum Columns {
    package static func count(_ text: String) -> Int { text.reduce(0) { $0 + count($1) } }

    /// Returns the text with blanks after it up to the number of columns.
    package static func padded(_ text: String, to columns: Int) -> String {
        text + String(repeating: " ", count: max(columns - count(text), 0))
    }

    /// Returns the text, or as many whole characters of it as fit with an ellipsis.
    package static func cut(_ text: String, to columns: Int) -> String {
        var end = text.startIndex
        var used = 0
        for index in text.indices {
            used += count(text[index])
            if used > columns { return text[..<end] + "…" }
            // The ellipsis fits after a text that ends here.
            if used < columns { end = text.index(after: index) }
        }
        return text
    }

    /// Returns 2 for wide characters (Unicode Standard Annex 11) and emoji, 1 for others.
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

/// Points in time.
package enum Moment {
    /// Returns a time in UTC, to the second, by ISO 8601. `milliseconds` count from the Unix epoch.
    package static func text(_ milliseconds: Int) -> String {
        Date(timeIntervalSince1970: Double(milliseconds / 1000)).formatted(.iso8601)
    }
}
