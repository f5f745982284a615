import AttributedText
import FoundationEssentials

/// Text with styles as the markup of Pango, the text layout of GTK.
public enum StyledMarkup {
    /// The numbers of bytes shown before the first bold place and after the last bold place.
    private static let context = (before: 40, after: 400)

    /// Returns one line of text, starting shortly before the first bold place.
    ///
    /// - Parameter places: The bold places in order, as offsets in UTF-8 bytes.
    public static func line(of text: String, bold places: [Range<Int>]) -> String {
        let bytes = Array(text.utf8)
        func piece(_ range: Range<Int>) -> String {
            let words = String(decoding: bytes[range.clamped(to: bytes.indices)], as: UTF8.self)
            // A run of white space becomes one blank, as in a line without a search.
            var line = ""
            for character in words where !character.isWhitespace || line.last != " " {
                line.append(character.isWhitespace ? " " : character)
            }
            return escaped(line)
        }
        var start = max((places.first?.lowerBound ?? 0) - context.before, 0)
        while start > 0, start < bytes.count, UTF8.isContinuation(bytes[start]) { start -= 1 }
        var line = start > 0 ? "…" : ""
        for place in places where place.lowerBound >= start {
            line += piece(start..<place.lowerBound) + "<b>\(piece(place))</b>"
            start = place.upperBound
        }
        var end = min(start + context.after, bytes.count)
        while end < bytes.count, UTF8.isContinuation(bytes[end]) { end -= 1 }
        return line + piece(start..<max(start, end))
    }

    /// Returns the look of the beginning of a string; nil if all of it is blank.
    static func look(_ string: AttributedString, _ maxLetters: Int) -> TileLook? {
        var markup = ""
        var text = ""
        for run in string.runs {
            let letters = String(string[run.range].characters.prefix(maxLetters - text.count))
            text += letters
            markup += element(escaped(letters), attributes(of: run))
            if text.count >= maxLetters { break }
        }
        return text.allSatisfy(\.isWhitespace) ? nil : .styledText(markup: markup, text: text)
    }

    private static func element(_ markup: String, _ attributes: [String]) -> String {
        attributes.isEmpty ? markup : "<span \(attributes.joined(separator: " "))>\(markup)</span>"
    }

    private static func attributes(of run: AttributedString.Runs.Run) -> [String] {
        var attributes: [String] = []
        if run.isBold == true { attributes.append("weight=\"bold\"") }
        if run.isItalic == true { attributes.append("style=\"italic\"") }
        if run.isUnderlined == true { attributes.append("underline=\"single\"") }
        if run.isStruckThrough == true { attributes.append("strikethrough=\"true\"") }
        if let color = run.textColor { attributes.append("foreground=\"\(hex(color))\"") }
        if let color = run.backgroundColor { attributes.append("background=\"\(hex(color))\"") }
        if let size = run.fontSize { attributes.append("size=\"\(Int(min(max(size, 6), 24) * 1_024))\"") }
        if let script = run.superscript, script != 0 { attributes.append("rise=\"\(script > 0 ? 4_096 : -3_072)\"") }
        return attributes
    }

    private static func hex(_ color: RichTextColor) -> String {
        HexColor(red: color.red, green: color.green, blue: color.blue).text
    }

    /// Returns text escaped for markup, without the characters that markup cannot contain.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\u{2028}", "\u{2029}": escaped += "\n"
            case "\t", "\n", "\r": escaped.unicodeScalars.append(scalar)
            case _ where scalar.value < 0x20 || scalar.value == 0x7f: continue
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
