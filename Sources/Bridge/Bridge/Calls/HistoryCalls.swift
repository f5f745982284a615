import BridgeState
import EventLoop
import LinuxSystem
import Logging
import PasteboardModel
import PasteboardStore
import PasteboardWire
import SelectionProtocol
import TextSearch
import UniformTypes

/// The history of contents: listing, restoring, deleting, pinning, pausing.
extension Service {
    /// The maximum number of entries in one reply.
    private static let maxBatch = 200

    /// Sends the entries, latest first.
    ///
    /// - Parameters:
    ///   - excludesLocalOnly: True to leave out local-only contents.
    ///   - send: Sends a reply that is not the last.
    /// - Returns: The last reply.
    func history(
        _ parameters: Methods.History.Parameters, excludesLocalOnly: Bool = false,
        _ send: (Methods.History.Reply) -> Void
    ) async throws(BridgeError) -> Methods.History.Reply {
        let name = try PasteboardName(ofCall: parameters.pasteboard)
        var left = parameters.limit ?? .max
        guard left >= 0 else { throw BridgeError(.refused, "\(left) is not a number of entries") }
        var query = try HistoryQuery(parameters, on: name)
        query.excludesLocalOnly = excludesLocalOnly
        while true {
            query.limit = min(left, Self.maxBatch)
            let page = try await readStore { [query] (store) throws(StoreFailure) in try store.history(query) }
            left -= page.entries.count
            let reply = Methods.History.Reply(entries: page.entries.map { WireHistoryEntry($0) }, next: page.next)
            guard page.next != nil, left > 0, !Task.isCancelled else { return reply }
            // A client can end the search when it gets a reply, even if nothing was found.
            send(reply)
            query.before = page.next
        }
    }

    /// The maximum length of contents that restoring puts on top of the history, in bytes.
    private static let maxMovedLength = 16 << 20
    /// The maximum number of entries that follow another entry.
    private static let maxFollowing = 1_000

    /// Makes an entry the contents of a pasteboard: a change like any other.
    func restore(
        _ parameters: Methods.Restore.Parameters, by client: Client
    ) async throws(BridgeError) -> Methods.Restore.Reply {
        guard !isLeaving else { throw .leaving }
        let stored = try await storedContents(of: parameters.entry)
        let following = (parameters.then ?? []).map { EntryID($0) }
        guard following.count <= Self.maxFollowing else {
            throw BridgeError(
                .refused, "\(following.count) entries are more than the \(Self.maxFollowing) that can follow an entry")
        }
        for entry in following { _ = try await storedContents(of: entry.number) }
        let name = try PasteboardName(ofCall: parameters.pasteboard) ?? stored.pasteboard
        // A call without a name may lead to any pasteboard.
        try client.restriction?.check(name, registry[name])
        let pasteboard = try pasteboardToWrite(name)
        let timeout = CallTimeout.of(parameters.timeout)
        let count = try await asWriter(of: pasteboard, for: client, within: timeout) { () async throws(BridgeError) in
            try check(pasteboard, ifCount: parameters.ifCount)
            return try await restore(stored, on: pasteboard, for: client, before: following, within: timeout)
        }
        return Methods.Restore.Reply(pasteboard: pasteboard.name.string, count: count)
    }

    /// Makes an entry the contents of a pasteboard. The caller is the only writer of the pasteboard.
    ///
    /// - Parameters:
    ///   - client: The calling client; nil for the bridge itself.
    ///   - following: The entries that follow once this entry is pasted.
    private func restore(
        _ stored: StoredContents, on pasteboard: PasteboardState, for client: Client?, before following: [EntryID],
        within timeout: Duration
    ) async throws(BridgeError) -> Int {
        var draft = Draft(stored)
        draft.isFollowed = !following.isEmpty
        // A new entry puts the contents on top of the history. Longer contents keep their entry, unless it is another
        // pasteboard's, since a new entry is a copy of the bytes.
        let isMoved =
            pasteboard.name != stored.pasteboard
            || stored.files.allSatisfy { $0.length <= Self.maxMovedLength }
        let version = versions.version(
            of: draft, by: PasteboardState.Writer(process: client?.process ?? 0, program: stored.program),
            as: .copy(action: "Restore"), restoring: isMoved ? nil : RestorableContents(stored.id))
        pasteOnce.follow(version.id, with: following)
        do {
            return try await write(version, to: pasteboard, for: client, within: timeout)
        } catch {
            pasteOnce.forget(version.id)
            throw error
        }
    }

    /// Makes the first of some entries that still exists follow a pasted version, unless other contents have come. If
    /// no entry exists, the pasted version stays.
    func restore(_ entries: [EntryID], after version: OfferID, on pasteboard: PasteboardState) async {
        for (index, entry) in entries.enumerated() {
            guard let stored = try? await storedContents(of: entry.number) else { continue }
            do throws(BridgeError) {
                try await asWriter(of: pasteboard) { () async throws(BridgeError) in
                    guard pasteboard.version?.id == version else { return }
                    _ = try await restore(
                        stored, on: pasteboard, for: nil, before: Array(entries[(index + 1)...]),
                        within: CallTimeout.default)
                }
            } catch {
                pasteOnce.retry(version)
                logger.warning("entry \(entry.number) did not follow the pasted one: \(error.message)")
            }
            return
        }
    }

    // MARK: Entries

    /// Returns an entry, as a version that is read like a pasteboard's, and the entry's count.
    func historyEntry(_ number: Int) async throws(BridgeError) -> (version: PasteboardState.Version, count: Int) {
        let stored = try await storedContents(of: number)
        let writer = PasteboardState.Writer(process: 0, program: stored.program)
        return (versions.version(of: Draft(stored), by: writer, as: .copy(action: stored.action)), stored.count)
    }

    private func storedContents(of number: Int) async throws(BridgeError) -> StoredContents {
        try await readStore { (store) throws(StoreFailure) in
            // A deleted entry may still be on a pasteboard.
            guard let contents = try store.contents(of: EntryID(number)), contents.isListed else {
                throw .noSuchEntry(EntryID(number))
            }
            return contents
        }
    }

    private func readStore<Outcome: Sendable>(
        _ question: @escaping @Sendable (Store) throws(StoreFailure) -> Outcome
    ) async throws(BridgeError) -> Outcome {
        try await persistence.withDiskTimeout { [persistence] () async throws(BridgeError) in
            try await persistence.ask(question)
        }
    }

    // MARK: Changes

    /// Deletes entries from the history and from undo.
    func deleteEntries(_ parameters: Methods.DeleteEntries.Parameters) async throws(BridgeError) -> Methods.Deleted {
        let entries = parameters.entries.map { EntryID($0) }
        let restorable = registry.all.flatMap(\.allRestorable)
        let numbers = restorable.compactMap(\.entry)
        return try await persistence.withDiskTimeout { [self] () async throws(BridgeError) in
            let (count, deleted) = try await persistence.ask { (store) throws(StoreFailure) in
                let equal = try store.entries(numbers, equalTo: entries)
                return (try store.delete(entries), Set(equal))
            }
            for contents in restorable where contents.entry.map(deleted.contains) ?? false { contents.didDelete() }
            return try await forgetDeleted(on: registry.all, count)
        }
    }

    func clearHistory(_ parameters: Methods.ClearHistory.Parameters) async throws(BridgeError) -> Methods.Deleted {
        let name = try PasteboardName(ofCall: parameters.pasteboard)
        // Contents that are copied before the store answers are not deleted.
        let pasteboards = registry.all.filter { name == nil || $0.name == name }
        let restorable = pasteboards.flatMap(\.allRestorable)
        return try await persistence.withDiskTimeout { [self] () async throws(BridgeError) in
            let count = try await persistence.ask { (store) throws(StoreFailure) in
                try store.clearHistory(of: name)
            }
            for contents in restorable { contents.didDelete() }
            return try await forgetDeleted(on: pasteboards, count)
        }
    }

    /// Removes deleted contents from undo, and waits until a crash could no longer bring them back.
    private func forgetDeleted(
        on pasteboards: [PasteboardState], _ count: Int
    ) async throws(BridgeError) -> Methods.Deleted {
        for pasteboard in pasteboards {
            pasteboard.undo.removeAll { !$0.isRestorable }
            persistence.writeRecord(of: pasteboard)
        }
        try await persistence.settle(pasteboards)
        return Methods.Deleted(deleted: count)
    }

    func pin(_ parameters: Methods.Pin.Parameters) async throws(BridgeError) {
        let (entries, isPinned) = (parameters.entries.map { EntryID($0) }, parameters.pinned)
        try await readStore { (store) throws(StoreFailure) in try store.pin(entries, isPinned) }
    }

    func pauseHistory(_ parameters: Methods.PauseHistory.Parameters) async throws(BridgeError) {
        let isPaused = parameters.paused
        try await persistence.withDiskTimeout { [persistence] () async throws(BridgeError) in
            try await persistence.ask { (store) throws(StoreFailure) in try store.setPaused(isPaused) }
            persistence.store.isPaused = isPaused
        }
    }
}

extension PasteboardState {
    /// All contents that are present, are being stored, or can be restored.
    fileprivate var allRestorable: [RestorableContents] {
        (undo.undoable + undo.redoable).map(\.value) + [stored.contents, stored.incoming?.contents].compactMap(\.self)
    }
}

extension HistoryQuery {
    fileprivate init(_ parameters: Methods.History.Parameters, on pasteboard: PasteboardName?) throws(BridgeError) {
        self.init(pasteboard: pasteboard, pinned: parameters.pinned, before: parameters.from)
        guard let search = parameters.search else { return }
        do throws(SearchQueryError) {
            if parameters.regex == true {
                pattern = try SearchPattern(search)
            } else {
                self.search = try SearchQuery(search, now: UnixTime.now / 1_000)
            }
        } catch {
            throw BridgeError(.refused, error.message)
        }
    }
}

extension WireHistoryEntry {
    init(_ entry: HistoryEntry) {
        self.init(
            id: entry.id.number, pasteboard: entry.pasteboard.string, count: entry.count, copies: entry.copies,
            created: entry.created, type: entry.types.first ?? UniformType.data.identifier, types: entry.types,
            items: entry.items, length: entry.length, preview: entry.preview, width: entry.width, height: entry.height,
            action: entry.action, program: entry.program, pinned: entry.isPinned, excerpt: entry.excerpt,
            matches: entry.matches.isEmpty ? nil : entry.matches.flatMap { [$0.lowerBound, $0.count] })
    }
}
