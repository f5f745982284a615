/// The lists that are open as HTML is written, the outermost first; in each, an item may be.
struct HTMLListWriter {
    private enum Kind: Equatable {
        case bulleted
        case numbered(NumberingStyle)
        /// For the further paragraphs of an item that is not there.
        case unmarked
    }

    private struct Open {
        let kind: Kind
        var next: Int
        var hasItem: Bool
    }

    private var open: [Open] = []

    /// Opens and closes what must be for a paragraph to stand there.
    mutating func place(_ item: ListItem?, into output: inout MarkupText) {
        guard let item else { return close(downTo: 0, into: &output) }
        close(downTo: item.level, into: &output)
        guard let marker = item.marker else {
            if open.count < item.level || !open[item.level - 1].hasItem { begin(item, .unmarked, 1, into: &output) }
            return
        }
        let (kind, number): (Kind, Int?) =
            switch marker {
            case .bullet: (.bulleted, nil)
            case .number(let number, let style): (.numbered(style), number)
            }
        begin(item, kind, number, into: &output)
    }

    mutating func close(downTo level: Int, into output: inout MarkupText) {
        while open.count > level {
            let last = open.removeLast()
            if last.hasItem { output.append("</li>") }
            if case .numbered = last.kind { output.append("</ol>") } else { output.append("</ul>") }
            if open.isEmpty { output.append("\n") }
        }
    }

    private mutating func begin(_ item: ListItem, _ kind: Kind, _ number: Int?, into output: inout MarkupText) {
        if open.count == item.level, open[item.level - 1].kind != kind { close(downTo: item.level - 1, into: &output) }
        while open.count < item.level { begin(kind, number ?? 1, into: &output) }
        if open[item.level - 1].hasItem { output.append("</li>") }
        let value = number.flatMap { $0 == open[item.level - 1].next ? nil : " value=\"\($0)\"" } ?? ""
        output.append("<li\(kind == .unmarked ? "" : value)>")
        open[item.level - 1].hasItem = true
        open[item.level - 1].next = (number ?? 0) &+ 1
    }

    private mutating func begin(_ kind: Kind, _ start: Int, into output: inout MarkupText) {
        switch kind {
        case .bulleted: output.append("<ul>")
        case .unmarked: output.append("<ul style=\"list-style-type: none\">")
        case .numbered(let style):
            let type = Self.types[style].map { " type=\"\($0)\"" } ?? ""
            output.append("<ol\(type)\(start == 1 ? "" : " start=\"\(start)\"")>")
        }
        open.append(Open(kind: kind, next: start, hasItem: false))
    }

    private static let types: [NumberingStyle: String] = [
        .lowerAlpha: "a", .upperAlpha: "A", .lowerRoman: "i", .upperRoman: "I",
    ]
}
