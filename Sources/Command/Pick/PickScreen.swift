import CommandCore
package import FoundationEssentials
import PasteboardWire
package import Terminal

/// The preview of an entry.
package enum PickPreview: Equatable, Sendable {
    /// Lines of text, in which control characters are visible.
    case text([String])
    /// A picture, which is drawn after the text of the screen.
    case picture(TerminalPicture)
}

/// The layout of the screen of `xpb pick`.
package struct PickLayout: Equatable, Sendable {
    /// A rectangle, in characters from the upper left corner of the screen, which is (0, 0).
    package struct Area: Equatable, Sendable {
        package let row: Int
        package let column: Int
        package let rows: Int
        package let columns: Int
    }

    package let columns: Int
    package let rows: Int
    package let list: Area
    /// The place of the preview, and the line above it that describes the entry; nil if there is no room.
    package let preview: Area?
    package let hasFooter: Bool

    /// Puts the preview on the right of a wide terminal, at the bottom of a narrow, tall one, and nowhere on a small
    /// one.
    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        hasFooter = rows >= 4
        // The first row has the search.
        let free = max(rows - (hasFooter ? 2 : 1), 0)
        if columns >= 76, rows >= 8 {
            let left = (columns - 1) / 2
            list = Area(row: 1, column: 0, rows: free, columns: left)
            preview = Area(row: 1, column: left + 1, rows: free, columns: columns - left - 1)
        } else if columns >= 20, rows >= 16 {
            let below = free / 2
            list = Area(row: 1, column: 0, rows: free - below, columns: columns)
            preview = Area(row: 1 + free - below, column: 0, rows: below, columns: columns)
        } else {
            list = Area(row: 1, column: 0, rows: free, columns: columns)
            preview = nil
        }
    }

    /// The place of a picture: the preview without its first line, and without a margin.
    package var picture: Area? {
        preview.map { Area(row: $0.row + 1, column: $0.column + 1, rows: $0.rows - 1, columns: $0.columns - 2) }
    }
}

/// A screen of `xpb pick`: pieces of text that fit their places, and a picture.
package struct PickScreen: Equatable, Sendable {
    package struct Part: Equatable, Sendable {
        package let row: Int
        package let column: Int
        /// The visible text.
        package let text: String
        /// The text with its emphasis.
        package let styled: String
    }

    package private(set) var parts: [Part] = []
    package private(set) var picture: TerminalPicture?
    private let layout: PickLayout
    /// The column of the cursor, which is in the search.
    private var cursor = 0

    /// The columns below which a line has only the preview, without the type and the age.
    private static let minColumnsForAge = 36
    private static let hints = [
        "Return copy", "Esc leave", "Tab mark", "Ctrl-D delete", "Ctrl-T pin", "Ctrl-R undo delete",
    ]

    package init(_ model: PickModel, preview: PickPreview?, layout: PickLayout, style: Style, now: Date) {
        self.layout = layout
        addSearch(model, style)
        for row in 0..<layout.list.rows { addEntry(model, row, style, now) }
        if let area = layout.preview { add(preview, of: model.selected, in: area, style, now) }
        guard layout.hasFooter else { return }
        let footer = model.message.map(Preview.oneLine) ?? Self.hints(fitting: layout.columns)
        add(row: layout.rows - 1, column: 0, Columns.fitted(footer, to: layout.columns), style.dim)
    }

    private mutating func add(row: Int, column: Int, _ text: String, _ emphasis: (String) -> String = { $0 }) {
        parts.append(Part(row: row, column: column, text: text, styled: emphasis(text)))
    }

    private mutating func addSearch(_ model: PickModel, _ style: Style) {
        let isCut = model.isPartial || model.entries.count >= PickModel.maxEntries
        let marked = model.marked.isEmpty ? "" : " \(model.marked.count) of"
        let count = "\(marked) \(model.entries.count)\(isCut ? "+" : "")"
        let label = "Search: "
        // The end of a long search is visible, where the user types.
        let room = max(layout.columns - label.count - count.count - 1, 0)
        var search = Preview.oneLine(model.search)
        while Columns.count(search) > room, !search.isEmpty { search.removeFirst() }
        cursor = min(label.count + Columns.count(search), max(layout.columns - 1, 0))
        let text = Columns.fitted(label + search, to: layout.columns - count.count) + count
        add(row: 0, column: 0, Columns.fitted(text, to: layout.columns), style.bold)
    }

    private mutating func addEntry(_ model: PickModel, _ row: Int, _ style: Style, _ now: Date) {
        let area = layout.list
        let index = model.top + row
        guard model.entries.indices.contains(index) else {
            let isFirst = row == 0 && model.entries.isEmpty
            let text = isFirst ? "  nothing found" : ""
            return add(row: area.row + row, column: area.column, Columns.fitted(text, to: area.columns))
        }
        let entry = model.entries[index]
        let isSelected = index == model.selection
        let isMarked = model.marked.contains(entry.id)
        let mark = (isSelected ? ">" : " ") + (isMarked ? "+" : " ") + (entry.pinned ? "* " : "")
        var end = ""
        if area.columns >= Self.minColumnsForAge {
            let age = Age.text(since: entry.created, at: now)
            let blanks = String(repeating: " ", count: max(4 - age.count, 0))
            end = "  \(Columns.fitted(Preview().kind(entry), to: 6)) \(blanks)\(age) "
        }
        let room = area.columns - Columns.count(end)
        let preview = Preview().text(entry, within: room - mark.count)
        let line = Columns.fitted(Columns.fitted(mark + preview, to: room) + end, to: area.columns)
        let parts = Self.parts(of: entry, model.letters[entry.id] ?? [], in: line, from: mark.count, preview)
        add(row: area.row + row, column: area.column, line) { style.marked($0, parts, isReversed: isSelected) }
    }

    /// Returns the parts of a line that show the words or scattered letters of the search.
    ///
    /// - Parameters:
    ///   - letters: The places of letters in the preview, in bytes of UTF-8.
    ///   - start: The number of characters before the preview.
    private static func parts(
        of entry: WireHistoryEntry, _ letters: [Int], in line: String, from start: Int, _ preview: String
    ) -> [Range<String.Index>] {
        let shown = line.dropFirst(start)
        let count = zip(shown, preview).prefix { $0 == $1 }.count
        guard !letters.isEmpty else { return FoundParts(of: entry).ranges(in: line, from: start, count) }
        // Several letters may be one character, such as "œ".
        var wanted = letters[...]
        var parts: [Range<String.Index>] = []
        var offset = 0
        for index in shown.prefix(count).indices {
            offset += shown[index].utf8.count
            let found = wanted.prefix { $0 < offset }
            if !found.isEmpty { parts.append(index..<shown.index(after: index)) }
            wanted = wanted[found.endIndex...]
        }
        return parts
    }

    private mutating func add(
        _ preview: PickPreview?, of entry: WireHistoryEntry?, in area: PickLayout.Area, _ style: Style, _ now: Date
    ) {
        let inner = area.columns - 2
        let title = entry.map { Self.title(of: $0, now) } ?? ""
        add(row: area.row, column: area.column, " " + Columns.fitted(title, to: area.columns - 1), style.bold)
        var lines: [String] = []
        switch preview {
        case .text(let text): lines = text.flatMap { Columns.wrapped($0, to: inner) }
        case .picture(let found): picture = found
        case nil: break
        }
        for row in 0..<area.rows - 1 {
            let line = lines.indices.contains(row) ? lines[row] : ""
            add(row: area.row + 1 + row, column: area.column, " " + Columns.fitted(line, to: area.columns - 1))
        }
    }

    /// Returns a description such as `image, 312 KiB, 5m ago, from Firefox`.
    private static func title(of entry: WireHistoryEntry, _ now: Date) -> String {
        var parts = [Preview().kind(entry), ByteSize.text(entry.length)]
        if entry.items > 1 { parts.append("\(entry.items) items") }
        parts.append("\(Age.text(since: entry.created, at: now)) ago")
        if let program = entry.program { parts.append("from \(Preview.oneLine(program))") }
        if entry.pinned { parts.append("pinned") }
        return parts.joined(separator: ", ")
    }

    private static func hints(fitting columns: Int) -> String {
        var text = ""
        for hint in hints where Columns.count(text) + Columns.count(hint) + 2 <= columns {
            text += text.isEmpty ? hint : "  " + hint
        }
        return text
    }

    // MARK: Drawing

    /// Returns the bytes that turn the previous screen into this one.
    ///
    /// - Parameters:
    ///   - former: The previous screen; nil to draw the whole screen.
    ///   - removal: The bytes that remove pictures.
    package func bytes(after former: PickScreen?, removal: [UInt8]) -> [UInt8] {
        // A picture covers the text below it, so another picture needs a clear screen.
        let former = former?.layout == layout && former?.picture == picture ? former : nil
        // The terminal shows the screen when it is complete (mode 2026), without a cursor in between.
        var output = Array("\u{1B}[?2026h\u{1B}[?25l".utf8)
        if former == nil { output += removal + Array("\u{1B}[0m\u{1B}[2J".utf8) }
        for (index, part) in parts.enumerated() {
            if let former, former.parts.indices.contains(index), former.parts[index] == part { continue }
            output += Array("\u{1B}[\(part.row + 1);\(part.column + 1)H\(part.styled)".utf8)
        }
        if former == nil, let picture, let area = layout.picture {
            output += Array("\u{1B}[\(area.row + 1);\(area.column + 1)H".utf8) + picture.bytes
        }
        return output + Array("\u{1B}[1;\(cursor + 1)H\u{1B}[?25h\u{1B}[?2026l".utf8)
    }
}
