import EditingGTK
import Pasteboard

/// The entries of the history that were loaded: the first page, and further pages as the user scrolls.
final class HistoryModel {
    /// The length of the first page: enough to fill a window, and short enough to be there at its first frame.
    static let firstPage = 30
    /// The length of each further page.
    private static let furtherPage = 200
    /// The maximum number of attempts to find the entry of the latest change. The bridge records another program's copy
    /// only after reading it, and never records secrets.
    private static let maxLooks = 8

    private let events: PasteboardEvents
    /// The entries, latest first, without the deleted entries.
    private(set) var entries: [PasteboardHistoryEntry] = []
    private var byIdentifier: [Int: PasteboardHistoryEntry] = [:]
    /// The words that the entries match; empty for all entries.
    private(set) var words = ""
    private var loading: PasteboardEvents.Registration?
    /// The place after the last loaded entry; nil if all entries are loaded.
    private var next: PasteboardHistoryPage.Cursor?
    /// The entries that the user has deleted, which leave the history at ``commitDeletions()``.
    private var deleted: Set<Int> = []
    private var looks = 0

    /// Called when the entries have changed.
    var onChange: (() -> Void)?
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

    /// Shows the entries that match words.
    func search(_ words: String) {
        guard words != self.words else { return }
        self.words = words
        load()
    }

    /// Loads further entries, after the loaded entries.
    func loadMore() {
        guard loading == nil, let next else { return }
        loading = fetch(after: next, Self.furtherPage) { [weak self] page in
            guard let self else { return }
            loading = nil
            self.next = page.next
            let present = Set(entries.map(\.id))
            set(entries + page.entries.filter { !present.contains($0.id) })
        }
    }

    /// Loads the first page, or a number of entries if that is larger.
    private func load(atLeast count: Int = 0) {
        loading?.cancel()
        loading = fetch(max(Self.firstPage, count)) { [weak self] page in
            guard let self else { return }
            loading = nil
            next = page.next
            set(page.entries)
        }
    }

    /// Reloads the first page after a change of the clipboard.
    private func refresh(_ count: Int) {
        guard loading == nil else { return }
        fetch(Self.firstPage) { [weak self] page in
            guard let self, loading == nil else { return }
            let fetched = page.entries
            let identifiers = Set(fetched.map(\.id))
            set(page.next == nil ? fetched : fetched + entries.filter { !identifiers.contains($0.id) })
            looks += 1
            if words.isEmpty, looks < Self.maxLooks, !fetched.contains(where: { $0.changeCount >= count }) {
                awaitEntry(count)
            }
        }
    }

    /// Looks for the entry of a change again later, since the bridge may still be reading the contents.
    private func awaitEntry(_ count: Int) {
        MainLoop.after(milliseconds: 20 << UInt32(looks)) { [weak self] in self?.refresh(count) }
    }

    @discardableResult
    private func fetch(
        after cursor: PasteboardHistoryPage.Cursor? = nil, _ limit: Int,
        _ body: @escaping (PasteboardHistoryPage) -> Void
    ) -> PasteboardEvents.Registration {
        let words = self.words
        return events.perform({
            try await Pasteboard.general.async.historyPage(
                matching: words.isEmpty ? nil : words, after: cursor, limit: limit)
        }) { [weak self] result in
            guard let self, words == self.words else { return }
            switch result {
            case .success(let fetched): body(fetched)
            case .failure(let error):
                loading = nil
                onFailure?(error)
            }
        }
    }

    private func set(_ fetched: [PasteboardHistoryEntry]) {
        let former = byIdentifier
        entries = fetched.filter { !deleted.contains($0.id) }
        byIdentifier = Dictionary(entries.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        onChange?()
        for entry in entries.prefix(Self.firstPage) where former[entry.id].map({ $0 != entry }) ?? false {
            onEntryChange?(entry.id)
        }
    }

    // MARK: Changes

    /// Hides an entry, which is deleted at ``commitDeletions()``, so that it can be brought back until then.
    func delete(_ identifier: Int) {
        deleted.insert(identifier)
        entries.removeAll { $0.id == identifier }
        onChange?()
    }

    /// Shows a hidden entry again.
    func undelete(_ identifier: Int) {
        deleted.remove(identifier)
        load(atLeast: entries.count)
    }

    /// Deletes the hidden entries for good when the window is closed, and blocks until the bridge has done so.
    func commitDeletions() throws {
        // The entries are deleted one by one, since a call with several entries fails if one of them no longer exists.
        var failure: (any Error)?
        for identifier in deleted {
            do {
                try Pasteboard.deleteHistory([identifier])
            } catch let error as PasteboardError where error.code == .noSuchEntry {
                continue
            } catch {
                failure = error
            }
        }
        deleted = []
        if let failure { throw failure }
    }

    /// Pins an entry, or unpins it.
    func togglePin(_ entry: PasteboardHistoryEntry) {
        let isPinned = !entry.isPinned
        events.perform({ try await AsyncPasteboard.pinHistory([entry.id], isPinned) }) { [weak self] result in
            self?.finish(result)
        }
    }

    /// Copies an entry to the clipboard.
    func copy(_ identifier: Int, _ completion: @escaping () -> Void) {
        events.perform({ try await Pasteboard.general.async.restore(identifier) }) { [weak self] result in
            if case .failure(let error) = result { self?.onFailure?(error) } else { completion() }
        }
    }

    private func finish<Value>(_ result: Result<Value, any Error>) {
        if case .failure(let error) = result { onFailure?(error) }
        load(atLeast: entries.count)
    }
}
