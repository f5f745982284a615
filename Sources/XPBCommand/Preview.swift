package import FoundationEssentials
package import PasteboardWire
import UniformTypes

/// One line for an entry of the history.
package struct Preview {
    /// The limit on characters where no terminal limits them.
    private static let maxCharacters = 200
    /// The columns that a preview gets even on a narrow terminal.
    private static let minColumns = 20

    /// The width of the terminal; nil if the output is not a terminal.
    private let columns: Int?

    package init(columns: Int? = nil) {
        self.columns = columns
    }

    /// Returns ID, count, age, type, and the preview.
    package func row(_ entry: WireHistoryEntry, at now: Date) -> [String] {
        let age = Age.text(since: entry.created, at: now)
        let fields = [String(entry.id), String(entry.count), age, entry.type]
        return fields + [text(entry, columns: columns.map { max($0 - Columns.after(fields), Self.minColumns) })]
    }

    /// - Parameter columns: The width available.
    package func text(_ entry: WireHistoryEntry, columns: Int? = nil) -> String {
        let whole = Self.text(entry)
        return columns.map { Columns.cut(whole, to: $0) } ?? Self.cut(whole)
    }

    private static func text(_ entry: WireHistoryEntry) -> String {
        let types = entry.types.compactMap { UniformType($0) }
        // A second line of defence, since the history never contains secrets.
        guard !types.contains(.concealed) else { return "[concealed]" }
        let type = UniformType(entry.type) ?? .data
        if let text = entry.preview, !text.isEmpty, !type.conforms(to: .image) {
            return type.conforms(to: .fileURL) ? names(text) : oneLine(text)
        }
        let image = ([type] + types).first { $0.conforms(to: .image) }
        return described(entry, as: image ?? type)
    }

    /// Returns a description such as `[image/png 1920×1080 312 KiB]`.
    private static func described(_ entry: WireHistoryEntry, as type: UniformType) -> String {
        let name = type.mimeName(target: nil) ?? X11Targets.names(for: type, given: nil, exact: true).first
        var parts = [oneLine(name ?? type.identifier)]
        if type.conforms(to: .image), let width = entry.width, let height = entry.height {
            parts.append("\(width)×\(height)")
        }
        parts.append(ByteSize.text(entry.length))
        return "[\(parts.joined(separator: " "))]"
    }

    /// Returns the names of the files at the paths.
    private static func names(_ paths: String) -> String {
        // Each name has at least one character, so no more lines can be shown.
        let lines = paths.split(separator: "\n", maxSplits: maxCharacters).prefix(maxCharacters).map { line in
            line.hasPrefix("/") ? line.split(separator: "/").last ?? line : line
        }
        return oneLine(lines.joined(separator: ", "))
    }

    private static func cut(_ text: String) -> String {
        guard let end = text.index(text.startIndex, offsetBy: maxCharacters, limitedBy: text.endIndex),
            end < text.endIndex
        else { return text }
        return text[..<text.index(before: end)] + "…"
    }

    /// Escapes characters that would end the line, control the terminal, or reorder the text beside them.
    static func oneLine(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        // A character may consist of any number of scalars.
        for scalar in text.unicodeScalars.prefix(8 * maxCharacters) {
            switch scalar {
            case "\n": line += "\\n".unicodeScalars
            case "\r": line += "\\r".unicodeScalars
            case "\t": line += "\\t".unicodeScalars
            case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}", "\u{2028}", "\u{2029}":
                line += escape(scalar)
            default:
                if scalar.properties.generalCategory == .control { line += escape(scalar) } else { line.append(scalar) }
            }
        }
        return String(line)
    }

    /// Returns an escape such as `\u{1b}`.
    private static func escape(_ scalar: Unicode.Scalar) -> String.UnicodeScalarView {
        "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars
    }
}
