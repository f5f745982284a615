package import FoundationEssentials
package import PasteboardWire
package import Terminal
import UniformTypes

/// One line for an entry of the history.
package struct Preview {
    /// The limit on characters without a terminal.
    private static let maxCharacters = 200
    /// The minimum columns of a preview, even on a narrow terminal.
    private static let minColumns = 20
    /// The maximum columns of the type, which another program may have named.
    private static let maxTypeColumns = 32
    /// The blanks between two columns on a terminal.
    private static let gap = 2

    package init() {}

    /// Returns ID, preview, type, age and count.
    package func row(_ entry: WireHistoryEntry, at now: Date) -> [String] {
        let age = Age.text(since: entry.created, at: now)
        return [String(entry.id), text(entry), kind(entry), age, String(entry.count)]
    }

    /// Returns the rows as lines with aligned columns, in which the words of a search are underlined. The preview is
    /// cut so that each line fits the width of the terminal.
    package func lines(
        _ entries: [WireHistoryEntry], at now: Date, columns: Int, style: Style = .none
    ) -> [String] {
        var rows = entries.map { row($0, at: now) }
        let room = Self.room(for: rows, columns: columns)
        for (index, entry) in entries.enumerated() { rows[index][1] = Columns.cut(text(entry, within: room), to: room) }
        let indent = Self.indent(of: entries)
        return Self.aligned(rows, columns: columns).enumerated().map { index, line in
            let parts = FoundParts(of: entries[index])
            return parts.isEmpty ? line : style.marked(line, parts.ranges(in: line, from: indent, rows[index][1].count))
        }
    }

    /// Returns the number of columns that the other fields of rows leave for previews.
    private static func room(for rows: [[String]], columns: Int) -> Int {
        func width(_ column: Int) -> Int { rows.lazy.map { Columns.count($0[column]) }.max() ?? 0 }
        let others = (rows.first ?? []).indices.filter { $0 != 1 }.map { width($0) + gap }.reduce(0, +)
        return max(columns - others, minColumns)
    }

    /// Returns the column of a terminal in which the previews begin.
    package static func indent(of entries: [WireHistoryEntry]) -> Int {
        (entries.lazy.map { String($0.id).count }.max() ?? 0) + gap
    }

    /// Returns rows, whose second field is a preview, as lines with aligned columns.
    package static func aligned(_ rows: [[String]], columns: Int) -> [String] {
        guard rows.first.map({ $0.count > 1 }) ?? false else { return rows.map { $0.joined() } }
        var rows = rows
        let room = room(for: rows, columns: columns)
        for index in rows.indices { rows[index][1] = Columns.cut(rows[index][1], to: room) }
        return Table.lines(rows)
    }

    package func text(_ entry: WireHistoryEntry) -> String { text(entry, within: Self.maxCharacters) }

    /// Returns the text for a line of a number of columns, including the first word of a search.
    package func text(_ entry: WireHistoryEntry, within columns: Int) -> String {
        Self.cut(Self.text(Self.focused(entry, within: columns)))
    }

    /// Returns an entry whose preview begins shortly before the first word of a search, if the word would otherwise be
    /// out of sight.
    private static func focused(_ entry: WireHistoryEntry, within columns: Int) -> WireHistoryEntry {
        guard let first = entry.matchRanges.first, let text = entry.searchedText else { return entry }
        var focused = entry
        focused.preview = text
        let start = text.utf8.index(text.startIndex, offsetBy: first.lowerBound)
        let end = text.utf8.index(start, offsetBy: first.count)
        guard entry.excerpt != nil || Columns.count(oneLine(String(text[..<end]))) >= columns else { return focused }
        let before = text[..<start].suffix(max(columns / 3, 1)).drop { !$0.isWhitespace }.drop { $0.isWhitespace }
        focused.preview = "…" + before + text[start...]
        return focused
    }

    /// Returns the first lines of the text, or a description on one line.
    package func linesOfText(_ entry: WireHistoryEntry) -> [String] {
        let types = Self.types(of: entry)
        guard let text = entry.preview, !text.isEmpty, !types.contains(.concealed),
            !(types.first ?? .data).conforms(to: .image)
        else { return [self.text(entry)] }
        return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line in
            Self.oneLine(String(line.replacing("\t", with: "    ")))
        }
    }

    private static func text(_ entry: WireHistoryEntry) -> String {
        let types = types(of: entry)
        // A second line of defense, since the history never contains secrets.
        guard !types.contains(.concealed) else { return "[concealed]" }
        let type = types.first ?? .data
        if let text = entry.preview, !text.isEmpty, !type.conforms(to: .image) {
            return types.contains { $0.conforms(to: .fileURL) }
                ? names(text) : oneLine(String(text.prefix(maxCharacters + 1)))
        }
        return described(entry, as: types.first { $0.conforms(to: .image) } ?? type)
    }

    /// Returns the type of the entry in one word: a class such as `text` or `image`, or else the first known type.
    package func kind(_ entry: WireHistoryEntry) -> String {
        let types = Self.types(of: entry)
        guard !types.contains(.concealed) else { return "concealed" }
        let type = types.first ?? .data
        let isImage = type.conforms(to: .image) || entry.preview?.isEmpty ?? true
        if isImage, types.contains(where: { $0.conforms(to: .image) }) { return TypeClass.image.rawValue }
        if types.contains(where: { $0.conforms(to: .fileURL) }) { return TypeClass.files.rawValue }
        // Markup and links conform to text too.
        let classes: [TypeClass] = [.html, .url, .color, .image, .audio, .video, .text]
        let first = types.lazy.compactMap { type in classes.first { type.conforms(to: $0.type) } }.first
        let name = first?.rawValue ?? (type.isDynamic ? Self.name(of: type) : type.identifier)
        return Columns.cut(Self.oneLine(name), to: Self.maxTypeColumns)
    }

    /// Returns the types of an entry, known ones first: the list of GTK's text views begins with a private type.
    private static func types(of entry: WireHistoryEntry) -> [UniformType] {
        let types = entry.types.compactMap { UniformType($0) }
        return types.filter { !$0.isDynamic } + types.filter(\.isDynamic)
    }

    /// Returns a description such as `[PNG 1920×1080, 312 KiB]`.
    private static func described(_ entry: WireHistoryEntry, as type: UniformType) -> String {
        guard type.conforms(to: .image) else {
            return "[\(oneLine(name(of: type))), \(ByteSize.text(entry.length))]"
        }
        var parts = [oneLine(imageFormat(of: type))]
        if let width = entry.width, let height = entry.height { parts.append("\(width)×\(height)") }
        return "[\(parts.joined(separator: " ")), \(ByteSize.text(entry.length))]"
    }

    /// Returns the best-known name of a type.
    private static func name(of type: UniformType) -> String {
        type.mimeName(target: nil) ?? X11Targets.names(for: type, given: nil, exact: true).first ?? type.identifier
    }

    /// Returns the name of an image format, such as `PNG` or `SVG`.
    private static func imageFormat(of type: UniformType) -> String {
        let name = name(of: type)
        let subtype = name.split(separator: "/").last ?? ""
        if name.hasPrefix("image/"), subtype.allSatisfy({ $0.isLetter || $0.isNumber }) { return subtype.uppercased() }
        return type.preferredFilenameExtension?.uppercased() ?? name
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
    package static func oneLine(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        // A character may consist of any number of scalars.
        for scalar in text.unicodeScalars.prefix(8 * maxCharacters) {
            switch scalar {
            case "\n": line += "\\n".unicodeScalars
            case "\r": line += "\\r".unicodeScalars
            case "\t": line += "\\t".unicodeScalars
            case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}", "\u{2028}", "\u{2029}":
                line += escape(scalar)
            case " "..."~": line.append(scalar)
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
