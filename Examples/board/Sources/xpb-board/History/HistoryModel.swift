import EditingGTK
import Pasteboard

/// The entries of the history that were loaded: the first page, and further pages as the user scrolls.
final class HistoryModel {
    /// The length of the first page: enough to fill a window, and short enough to be there at its first frame.
    static let firstPage = 30
    /// The maximum number of looks for the entry of the latest change. The bridge records another program's copy only
    /// after reading it, and never records secrets.
    private static let maxLooks = 8

    private let events: PasteboardEvents
    /// The entries, the latest first, without those that are deleted.
    private(set) var entries: [PasteboardHistoryEntry] = []
    private var byIdentifier: [Int: PasteboardHistoryEntry] = [:]
    /// The words that the entries match; empty for all entries.
    private(set) var words = ""
    private var limit = HistoryModel.firstPage
    private var loading: PasteboardEvents.Registration?
    private var isComplete = false
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
        limit = Self.firstPage
        isComplete = false
        load()
    }

    /// Loads further entries, after those that are there.
    func loadMore() {
        guard loading == nil, !isComplete else { return }
        limit = min(limit, 1 << 20) * 4
        load()
    }

    private func load() {
        loading?.cancel()
        loading = fetch(limit) { [weak self] fetched in
            guard let self else { return }
            loading = nil
            isComplete = fetched.count < limit
            set(fetched)
        }
    }

    /// Loads the first page anew after a change of the clipboard.
    private func refresh(_ count: Int) {
        guard loading == nil else { return }
        fetch(Self.firstPage) { [weak self] fetched in
            guard let self, loading == nil else { return }
            let identifiers = Set(fetched.map(\.id))
            set(
                isComplete && fetched.count < Self.firstPage
                    ? fetched : fetched + entries.filter { !identifiers.contains($0.id) })
            looks += 1
            if words.isEmpty, looks < Self.maxLooks, !fetched.contains(where: { $0.changeCount >= count }) {
                awaitEntry(count)
            }
        }
    }

    /// Looks for the entry of a change later, since the bridge may still be reading the contents.
    private func awaitEntry(_ count: Int) {
        MainLoop.after(milliseconds: 20 << UInt32(looks)) { [weak self] in self?.refresh(count) }
    }

    @discardableResult
    private func fetch(
        _ limit: Int, _ body: @escaping ([PasteboardHistoryEntry]) -> Void
    ) -> PasteboardEvents.Registration {
        let words = self.words
        return events.perform({
            try await Pasteboard.general.async.history(matching: words.isEmpty ? nil : words, limit: limit)
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
        load()
    }

    /// Deletes the hidden entries for good, when the window is closed. It blocks until the bridge has done so.
    func commitDeletions() throws {
        // If one of several entries no longer exists, none is deleted.
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
        load()
    }
}
