package import PasteboardModel
package import TextSearch

package struct HistoryQuery: Equatable, Sendable {
    /// The pasteboard whose contents are selected; nil for all pasteboards.
    package var pasteboard: PasteboardName?
    /// The words and filters of a search. The words may be in the text, the types or the program.
    package var search: SearchQuery?
    /// A regular expression that the text must match.
    package var pattern: SearchPattern?
    package var pinned: Bool?
    /// True to leave out local-only contents.
    package var excludesLocalOnly = false
    package var limit: Int?
    /// The ``HistoryPage/next`` of the page before the selected lines.
    package var before: Int?

    package init(
        pasteboard: PasteboardName? = nil, search: SearchQuery? = nil, pattern: SearchPattern? = nil,
        pinned: Bool? = nil, limit: Int? = nil, before: Int? = nil
    ) {
        self.pasteboard = pasteboard
        self.search = search
        self.pattern = pattern
        self.pinned = pinned
        self.limit = limit
        self.before = before
    }

    /// True if the words of a line make a difference.
    var examinesWords: Bool { pattern != nil || search?.examinesWords ?? false }
}

extension SearchQuery {
    fileprivate var examinesWords: Bool { !terms.isEmpty || !types.isEmpty || !programs.isEmpty }
}

/// Lines of the history.
package struct HistoryPage: Equatable, Sendable {
    /// The lines, latest first. If the search takes long, there may be no lines here even if more lines follow.
    package var entries: [HistoryEntry]
    /// The value of ``HistoryQuery/before`` by which the lines that may follow are found; nil if no lines follow.
    package var next: Int?
}
