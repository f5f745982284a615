import FoundationEssentials
import PasteboardWire
import UniformTypes

/// Shows an entry of the history in one line.
struct Preview {
    /// How many characters are shown at most where no terminal tells.
    private static let maxCharacters = 200
    /// What is shown on a terminal too narrow for it.
    private static let minColumns = 20

    /// Of the terminal; nil where the lines go elsewhere.
    var columns: Int?

    /// ID, count, age, type, and what it is.
    func row(_ entry: WireHistoryEntry, at now: Date) -> [String] {
        let age = Age.text(since: entry.created, at: now)
        let fields = [String(entry.id), String(entry.count), age, entry.type]
        return fields + [text(entry, columns: columns.map { max($0 - Columns.after(fields), Self.minColumns) })]
    }

    /// - Parameter columns: As many as there are.
    func text(_ entry: WireHistoryEntry, columns: Int? = nil) -> String {
        let whole = Self.text(entry)
        return columns.map { Columns.cut(whole, to: $0) } ?? Self.cut(whole)
    }

    private static func text(_ entry: WireHistoryEntry) -> String {
        let types = entry.types.compactMap { UniformType($0) }
        // None is ever there, as secrets are not kept.
        guard !types.contains(.concealed) else { return "[concealed]" }
        let type = UniformType(entry.type) ?? .data
        if let text = entry.preview, !text.isEmpty, !type.conforms(to: .image) {
            return type.conforms(to: .fileURL) ? names(text) : oneLine(text)
        }
        let image = ([type] + types).first { $0.conforms(to: .image) }
        return described(entry, as: image ?? type)
    }

    /// `[image/png 1920×1080 312 KiB]`
    private static func described(_ entry: WireHistoryEntry, as type: UniformType) -> String {
        let name = type.mimeName(target: nil) ?? X11Targets.names(for: type, given: nil, exact: true).first
        var parts = [oneLine(name ?? type.identifier)]
        if type.conforms(to: .image), let width = entry.width, let height = entry.height {
            parts.append("\(width)×\(height)")
        }
        parts.append(ByteSize.text(entry.length))
        return "[\(parts.joined(separator: " "))]"
    }

    /// Of paths, the names of the files.
    private static func names(_ paths: String) -> String {
        // Each name has a character, so that no more lines are shown.
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

    /// Without what would end the line, speak to the terminal, or change the order of what stands beside it.
    static func oneLine(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        // A character may be of any number of scalars.
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

    /// `\u{1b}`
    private static func escape(_ scalar: Unicode.Scalar) -> String.UnicodeScalarView {
        "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars
    }
}
