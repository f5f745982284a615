import PasteboardModel
import TextSearch

/// The statement that reads a line of the history if the line meets the conditions of a query, its words aside.
struct LineStatement {
    private var sql = "\(columns) FROM content CROSS JOIN entry WHERE content.copies > 0"
    private var values: [SQLValue] = []

    init(_ query: HistoryQuery) {
        addNewestEntry(on: query.pasteboard)
        if query.excludesLocalOnly { sql += " AND entry.local = 0" }
        for isPinned in [query.pinned, query.search?.isPinned].compactMap(\.self) {
            addCondition("content.pinned =", SQLValue(isPinned))
        }
        if let before = query.search?.before { addCondition("entry.created <", .integer(before * 1_000)) }
        if let after = query.search?.after { addCondition("entry.created >=", .integer(after * 1_000)) }
        sql += " AND content.id = ?"
    }

    /// Selects the latest of the entries with equal contents, on one pasteboard or on any.
    private mutating func addNewestEntry(on pasteboard: PasteboardName?) {
        var newest = "newest.content = content.id AND newest.listed = 1"
        if let pasteboard {
            newest += " AND newest.pasteboard = ?"
            values.append(.text(pasteboard.string))
        }
        sql += " AND entry.id = (SELECT max(newest.id) FROM entry AS newest WHERE \(newest))"
    }

    private mutating func addCondition(_ condition: String, _ value: SQLValue) {
        sql += " AND \(condition) ?"
        values.append(value)
    }

    /// The beginning of a statement, with the columns of a line.
    static let columns = """
        SELECT content.id, content.copies, content.pinned, content.types, content.items, content.length,
            content.preview, content.width, content.height, entry.id, entry.pasteboard, entry.count, entry.created,
            entry.action, entry.program
        """

    /// Reads a line; nil if the line fails a condition.
    func line(_ id: Int, in database: Database) throws -> HistoryEntry? {
        try database.first(sql, values + [.integer(id)], Store.line).flatMap(\.self)
    }
}
