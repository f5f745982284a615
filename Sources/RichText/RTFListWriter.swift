/// The lists of an RTF document as it is written. Word counts the items of a list through the whole document, so each
/// sequence of numbers is a list of its own; the bullets share one.
struct RTFListWriter {
    /// Sequences behind this many go on with the number of the last: a declaration takes a kilobyte.
    private static let limit = 2_000

    private struct Sequence {
        let list: Int
        let style: NumberingStyle
        var next: Int
    }

    /// The sequences that go on, by level.
    private var open: [Int: Sequence] = [:]
    private var count = 0
    private var bullets: Int?
    private var declarations = ""
    private var overrides = ""

    /// The tables that stand before the text; empty without lists.
    var tables: String {
        count == 0 ? "" : "{\\*\\listtable\(declarations)}\n{\\*\\listoverridetable\(overrides)}\n"
    }

    /// The `\ls` of an item.
    mutating func number(of marker: ListMarker, level: Int) -> Int {
        for deeper in open.keys where deeper > level { open[deeper] = nil }
        switch marker {
        case .bullet:
            open[level] = nil
            if let bullets { return bullets }
            let list = declare(format: 23, start: 1, text: "\\'01\\u8226 ?;", numbers: "")
            bullets = list
            return list
        case .number(let number, let style):
            if var sequence = open[level], sequence.style == style, sequence.next == number {
                sequence.next = number &+ 1
                open[level] = sequence
                return sequence.list
            }
            let text = "\\'02\\'0\(level - 1).;"
            let list = declare(format: Self.format(style), start: number, text: text, numbers: "\\'01")
            open[level] = Sequence(list: list, style: style, next: number &+ 1)
            return list
        }
    }

    /// A paragraph that is in no list: what follows begins anew.
    mutating func interrupt() {
        open = [:]
    }

    private static func format(_ style: NumberingStyle) -> Int {
        switch style {
        case .decimal: 0
        case .upperRoman: 1
        case .lowerRoman: 2
        case .upperAlpha: 3
        case .lowerAlpha: 4
        }
    }

    private mutating func declare(format: Int, start: Int, text: String, numbers: String) -> Int {
        guard count < Self.limit else { return count }
        count += 1
        declarations += "{\\list\\listtemplateid\(count)"
        for level in 1...ListItem.deepest {
            declarations += "{\\listlevel\\levelnfc\(format)\\levelstartat\(start){\\leveltext\(text)}"
            declarations += "{\\levelnumbers\(numbers);}\\fi-360\\li\(720 * level)}"
        }
        declarations += "\\listid\(count)}"
        overrides += "{\\listoverride\\listid\(count)\\listoverridecount0\\ls\(count)}"
        return count
    }
}
