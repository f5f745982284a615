import BoardModel
import EditingGTK
import Pasteboard

/// The entries of the history that were loaded: the first page, and further pages as the user scrolls. Without a search
/// and a filter, the pinned entries come first.
final class HistoryModel {
    /// The length of the first page: enough to fill a window, and short enough to be there at its first frame.
    static let firstPage = 30
    /// The length of each further page.
    private static let furtherPage = 200
    /// The maximum number of entries that are loaded again.
    private static let maxReloaded = 1_000
    /// The maximum number of pinned entries that come first.
    private static let maxPinned = 200
    /// The number of attempts after a change while a search or a filter hides whether its entry was found.
    private static let filteredLooks = 4
    /// The maximum number of attempts to find the entry of the latest change. The bridge records another program's copy
    /// only after reading it, and never records secrets.
    private static let maxLooks = 8

    let events: PasteboardEvents
    /// The entries in the order of the list, without the deleted entries.
    private(set) var entries: [PasteboardHistoryEntry] = []
    private var byIdentifier: [Int: PasteboardHistoryEntry] = [:]
    /// The words that the entries match; empty for all entries.
    private(set) var words = ""
    private(set) var filter = EntryFilter.all
    /// The entries of the pages so far, latest first.
    private var loaded: [PasteboardHistoryEntry] = []
    /// The pinned entries that come first.
    private var pinned: [PasteboardHistoryEntry] = []
    private var loading: PasteboardEvents.Registration?
    /// The place after the last loaded entry; nil if all entries are loaded.
    private var next: PasteboardHistoryPage.Cursor?
    /// The entries that the user has deleted, which leave the history at ``commitDeletions()``.
    private var deleted: [Int: PasteboardHistoryEntry] = [:]
    /// True from a new search or filter until its first page is loaded.
    private(set) var isStale = true
    /// The change of the clipboard after which a page is to be fetched as soon as another one is loaded.
    private var pendingChange: Int?
    /// The search and the filter of the entries in ``entries``.
    private var shown = (words: "", filter: EntryFilter.all)
    private var looks = 0

    /// Called when the entries have changed, with true if they are those of another search or filter.
    var onChange: ((_ isOther: Bool) -> Void)?
    /// Called when an entry has changed without moving.
    var onEntryChange: ((Int) -> Void)?
    /// Called when something has failed.
    var onFailure: ((any Error) -> Void)?

    init(events: PasteboardEvents) { self.events = events }

    subscript(identifier: Int) -> PasteboardHistoryEntry? { byIdentifier[identifier] }

    // MARK: Loading

    /// Loads the first page, and again at each change of the clipboard.
    func start() {
        load()
        events.observe(.general) { [weak self] error in
            self?.onFailure?(error)
        } change: { [weak self] change in
            self?.looks = 0
            self?.refresh(change.count)
        }
    }

    /// Shows the entries that match words and a filter.
    func search(_ words: String, _ filter: EntryFilter) {
        guard words != self.words || filter != self.filter else { return }
        self.words = words
        self.filter = filter
        isStale = true
        load()
    }

    /// True if all entries are shown.
    var isWhole: Bool { words.isEmpty && filter == .all }

    /// Loads further entries, after the loaded entries.
    func loadMore() {
        guard loading == nil, let next else { return }
        loading = fetch(after: next, Self.furtherPage) { [weak self] fetched in
            guard let self else { return }
            loading = nil
            self.next = fetched.page.next
            let present = Set(loaded.map(\.id))
            set(loaded + fetched.page.entries.filter { !present.contains($0.id) }, pinned)
            refreshIfPending()
        }
    }

    /// Loads the first page, or a number of entries if that is larger.
    private func load(atLeast count: Int = 0) {
        loading?.cancel()
        loading = fetch(max(Self.firstPage, count)) { [weak self] fetched in
            guard let self else { return }
            loading = nil
            isStale = false
            next = fetched.page.next
            set(fetched.page.entries, fetched.pinned)
            refreshIfPending()
        }
    }

    /// Loads the entries again, since some may have been deleted or pinned elsewhere.
    func reload() {
        if loading == nil { load(atLeast: min(loaded.count, Self.maxReloaded)) }
    }

    private func refreshIfPending() {
        guard loading == nil, let count = pendingChange else { return }
        pendingChange = nil
        refresh(count)
    }

    /// Reloads the first page after a change of the clipboard.
    private func refresh(_ count: Int) {
        guard loading == nil else {
            pendingChange = count
            return
        }
        fetch(Self.firstPage) { [weak self] fetched in
            guard let self, loading == nil else { return }
            let page = fetched.page.entries
            let identifiers = Set(page.map(\.id))
            let known = Set(loaded.map(\.id))
            let new = page.filter { !known.contains($0.id) }
            // Another copy of the same contents gives their line a later number.
            let rest = loaded.filter { entry in
                !identifiers.contains(entry.id) && !new.contains { $0.hasContents(of: entry) }
            }
            set(fetched.page.next == nil ? page : page + rest, fetched.pinned)
            looks += 1
            let isFound = isWhole ? page.contains { $0.changeCount >= count } : looks >= Self.filteredLooks
            if looks < Self.maxLooks, !isFound { awaitEntry(count) }
        }
    }

    /// Looks for the entry of a change again later, since the bridge may still be reading the contents.
    private func awaitEntry(_ count: Int) {
        MainLoop.after(milliseconds: 20 << UInt32(looks)) { [weak self] in self?.refresh(count) }
    }

    private typealias Fetched = (pinned: [PasteboardHistoryEntry], page: PasteboardHistoryPage)

    @discardableResult
    private func fetch(
        after cursor: PasteboardHistoryPage.Cursor? = nil, _ limit: Int, _ body: @escaping (Fetched) -> Void
    ) -> PasteboardEvents.Registration {
        let (words, filter) = (self.words, self.filter)
        let query = [filter.query, words].filter { !$0.isEmpty }.joined(separator: " ")
        let hasPinned = isWhole && cursor == nil
        return events.perform({
            let history = Pasteboard.general.async
            let pinned = hasPinned ? try await history.history(pinnedOnly: true, limit: Self.maxPinned) : []
            let page = try await history.historyPage(
                matching: query.isEmpty ? nil : query, after: cursor, limit: limit)
            return (pinned, page)
        }) { [weak self] result in
            guard let self, words == self.words, filter == self.filter else { return }
            switch result {
            case .success(let fetched): body(fetched)
            case .failure(let error):
                loading = nil
                onFailure?(error)
            }
        }
    }

    private func set(_ loaded: [PasteboardHistoryEntry], _ pinned: [PasteboardHistoryEntry]) {
        let former = byIdentifier
        (self.loaded, self.pinned) = (loaded, pinned)
        keepCopiesOfDeleted()
        let accepted = filter == .all ? loaded : loaded.filter { filter.accepts(EntryKind($0)) }
        let first = Set(pinned.map(\.id))
        entries = (pinned + accepted.filter { !first.contains($0.id) }).filter { deleted[$0.id] == nil }
        byIdentifier = Dictionary(entries.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        // The filter may have left little of a page.
        if entries.count < Self.firstPage { loadMore() }
        let isOther = shown != (words, filter)
        shown = (words, filter)
        onChange?(isOther)
        // A new search changes the matches in every row, and only the first rows are seen.
        for entry in isOther ? entries.prefix(Self.firstPage) : entries[...]
        where former[entry.id].map({ $0 != entry }) ?? false {
            onEntryChange?(entry.id)
        }
    }

    /// Keeps deleted entries whose contents were copied again: their deletion would delete the new copy too.
    private func keepCopiesOfDeleted() {
        for (identifier, entry) in deleted
        where loaded.contains(where: { $0.id > identifier && deleted[$0.id] == nil && $0.hasContents(of: entry) }) {
            deleted[identifier] = nil
        }
    }

    // MARK: Changes

    /// The entries that are hidden, and leave the history at ``commitDeletions()``.
    var deletions: [Int] { deleted.keys.sorted() }

    /// Hides entries, which are deleted at ``commitDeletions()``, so that they can be brought back until then.
    func delete(_ identifiers: [Int]) {
        for identifier in identifiers { deleted[identifier] = byIdentifier[identifier] }
        set(loaded, pinned)
    }

    /// Shows hidden entries again.
    func undelete(_ identifiers: [Int]) {
        for identifier in identifiers { deleted[identifier] = nil }
        load(atLeast: loaded.count)
    }

    /// Deletes the hidden entries for good when the window is closed, and blocks until the bridge has done so.
    func commitDeletions() throws {
        // The entries are deleted one by one, since a call with several entries fails if one of them no longer exists.
        var failure: (any Error)?
        for identifier in deletions {
            do {
                try Pasteboard.deleteHistory([identifier])
            } catch let error as PasteboardError where error.code == .noSuchEntry {
                continue
            } catch {
                failure = error
            }
        }
        deleted = [:]
        if let failure { throw failure }
    }

    /// Pins entries, or unpins them.
    func pin(_ identifiers: [Int], _ isPinned: Bool) {
        events.perform({ try await AsyncPasteboard.pinHistory(identifiers, isPinned) }) { [weak self] result in
            self?.finish(result)
        }
    }

    /// Deletes all entries that are not pinned.
    func clear() {
        events.perform({ try await Pasteboard.general.async.clearHistory() }) { [weak self] in self?.finish($0) }
    }

    /// Pauses or resumes the history, and calls a closure once that has happened.
    func pause(_ isPaused: Bool, _ completion: @escaping () -> Void) {
        events.perform({ try await AsyncPasteboard.pauseHistory(isPaused) }) { [weak self] result in
            if case .failure(let error) = result { self?.onFailure?(error) } else { completion() }
        }
    }

    /// Calls a closure with true if the history is paused.
    func readPause(_ completion: @escaping (Bool) -> Void) {
        events.perform({ try await AsyncPasteboard.isHistoryPaused }) { result in
            if case .success(let isPaused) = result { completion(isPaused) }
        }
    }

    private func finish<Value>(_ result: Result<Value, any Error>) {
        if case .failure(let error) = result { onFailure?(error) }
        load(atLeast: loaded.count)
    }
}

extension PasteboardHistoryEntry {
    /// Returns true if an entry seems to have the same contents.
    func hasContents(of other: PasteboardHistoryEntry) -> Bool {
        length == other.length && types == other.types && preview == other.preview
    }
}
