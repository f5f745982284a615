import PasteboardWire

/// Operations on earlier contents.
extension Pasteboard {
    // MARK: Undo

    /// Undoes changes. The value is nil if there is nothing to undo.
    func undoing(_ steps: Int, ifChangeCount: Int?) -> Operation<UndoResult?> {
        stepping(Methods.Undo.self, steps, ifChangeCount)
    }

    /// Redoes changes. The value is nil if there is nothing to redo.
    func redoing(_ steps: Int, ifChangeCount: Int?) -> Operation<UndoResult?> {
        stepping(Methods.Redo.self, steps, ifChangeCount)
    }

    private func stepping<M: WireMethod & SendableMetatype>(
        _ method: M.Type, _ steps: Int, _ ifChangeCount: Int?
    ) -> Operation<UndoResult?> where M.Parameters == Methods.Steps, M.Reply == Methods.Stepped {
        Operation(method, .write) { [name] client in
            try Self.checkNumber(steps, of: "steps")
            return .init(
                pasteboard: name, steps: steps, ifCount: ifChangeCount, timeout: client.timeoutMilliseconds)
        } value: { reply, _ in
            UndoResult(changeCount: reply.count, steps: reply.steps, actionName: reply.action)
        }.orNil(where: [.empty])
    }

    // MARK: History

    /// - Parameter pasteboard: A pasteboard's name; nil for all pasteboards.
    static func history(
        of pasteboard: String?, matching search: String?, pinnedOnly: Bool, after cursor: PasteboardHistoryPage.Cursor?,
        limit: Int?
    ) -> Operation<PasteboardHistoryPage> {
        var options = CallOptions.longRead
        options.hasSeveralReplies = true
        return Operation(Methods.History.self, options) { _ in
            if let limit { try checkNumber(limit, of: "entries") }
            return Request(
                parameters: .init(
                    pasteboard: pasteboard, search: search, pinned: pinnedOnly ? true : nil, limit: limit,
                    from: cursor?.value))
        } values: { replies in
            PasteboardHistoryPage(
                entries: replies.flatMap { $0.0.entries.map(PasteboardHistoryEntry.init) },
                next: replies.last?.0.next.map(PasteboardHistoryPage.Cursor.init))
        }
    }

    func restoring(_ entry: Int, ifChangeCount: Int?) -> Operation<Int> {
        Operation(Methods.Restore.self, .write) { [name] client in
            .init(
                entry: entry, pasteboard: name, ifCount: ifChangeCount, timeout: client.timeoutMilliseconds)
        } value: { reply, _ in
            reply.count
        }
    }

    static func deleting(_ entries: [Int]) -> Operation<Int> {
        Operation(Methods.DeleteEntries.self, .write) { _ in
            .init(entries: entries)
        } value: { reply, _ in
            reply.deleted
        }
    }

    static func pinning(_ entries: [Int], _ isPinned: Bool) -> Operation<Void> {
        Operation(Methods.Pin.self, .write) { _ in
            .init(entries: entries, pinned: isPinned)
        } value: { _, _ in
        }
    }

    var clearingHistory: Operation<Int> {
        Operation(Methods.ClearHistory.self, .write) { [name] _ in
            .init(pasteboard: name)
        } value: { reply, _ in
            reply.deleted
        }
    }

    static func pausingHistory(_ isPaused: Bool) -> Operation<Void> {
        Operation(Methods.PauseHistory.self, .write) { _ in
            .init(paused: isPaused)
        } value: { _, _ in
        }
    }

    static var historyIsPaused: Operation<Bool> {
        Operation(Methods.Status.self, .read) { _ in
            .init()
        } value: { reply, _ in
            reply.store.paused
        }
    }

    private static func checkNumber(_ number: Int, of things: String) throws(PasteboardError) {
        guard number < 1 else { return }
        throw PasteboardError(code: .invalidValue, message: "the number of \(things) must be at least 1, not \(number)")
    }
}
