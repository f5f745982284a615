import PasteboardModel
import TextSearch

/// The statement of a history query while it is being built.
struct HistoryStatement {
    private var conditions: [String] = ["content.copies > 0"]
    private(set) var values: [SQLValue] = []
    private var tables = "content CROSS JOIN entry"
    /// The column of the driving table that gives the order.
    private(set) var id = "content.id"

    /// Adds a value, and returns its parameter.
    mutating func addValue(_ value: SQLValue) -> String {
        values.append(value)
        return "?\(values.count)"
    }

    mutating func addCondition(_ sql: String, _ value: SQLValue) {
        let parameter = addValue(value)
        conditions.append("\(sql) \(parameter)")
    }

    /// Adds the conditions that a line meets whatever its words are.
    mutating func addConditions(of query: HistoryQuery) {
        addNewestEntry(on: query.pasteboard)
        if query.excludesLocalOnly { conditions.append("entry.local = 0") }
        // A literal instead of a parameter, because SQLite can use a partial index only for a literal.
        for isPinned in [query.pinned, query.search?.isPinned].compactMap(\.self) {
            conditions.append("content.pinned = \(isPinned ? 1 : 0)")
        }
        if let before = query.search?.before { addCondition("entry.created <", .integer(before * 1_000)) }
        if let after = query.search?.after { addCondition("entry.created >=", .integer(after * 1_000)) }
    }

    /// Selects the latest of the entries with equal contents, on one pasteboard or on any.
    private mutating func addNewestEntry(on pasteboard: PasteboardName?) {
        var newest = "newest.content = content.id AND newest.listed = 1"
        if let pasteboard { newest += " AND newest.pasteboard = \(addValue(.text(pasteboard.string)))" }
        conditions.append("entry.id = (SELECT max(newest.id) FROM entry AS newest WHERE \(newest))")
    }

    /// Finds the lines by the entries of a pasteboard, which may be few among many.
    mutating func driveByEntries(of pasteboard: PasteboardName) {
        tables = "entry CROSS JOIN content ON content.id = entry.content"
        id = "entry.content"
        addCondition("entry.listed = 1 AND entry.pasteboard =", .text(pasteboard.string))
    }

    /// The beginning of a statement, with the columns of a line.
    static let columns = """
        SELECT content.id, content.copies, content.pinned, content.types, content.items, content.length,
            content.preview, content.width, content.height, entry.id, entry.pasteboard, entry.count, entry.created,
            entry.action, entry.program
        """

    var sql: String {
        """
        \(Self.columns) FROM \(tables) WHERE \(conditions.joined(separator: " AND "))
        ORDER BY \(id) DESC
        """
    }
}
