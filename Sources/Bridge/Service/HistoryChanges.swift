import PasteboardModel
import PasteboardStore
import PasteboardWire

/// Changes of the history: deleting, clearing, pinning, pausing. On a disk that stands still they are carried out once it
/// goes on, whatever who asked was told.
extension Service {
    private func answeredInTime<Reply>(_ finish: @escaping (Answer<Reply>) -> Void) -> (Answer<Reply>) -> Void {
        inTime(CallTimeout.usual, late: { finish(.failure(.historyStandsStill)) }, finish)
    }

    /// Deletes entries, and with them what could be gone back to.
    func deleteEntries(
        _ parameters: Methods.DeleteEntries.Parameters, _ finish: @escaping (Answer<Methods.Deleted>) -> Void
    ) {
        let finish = answeredInTime(finish)
        let entries = parameters.entries.map { EntryID($0) }
        let kept = table.all.flatMap(\.allKept)
        let numbers = kept.compactMap(\.entry)
        askStore { store throws(StoreFailure) -> (count: Int, gone: [EntryID]) in
            let equal = try store.entries(numbers, equalTo: entries)
            return (try store.delete(entries), equal)
        } _: { [self] result in
            switch result {
            case .failure(let error): finish(.failure(error))
            case .success(let deleted):
                let gone = Set(deleted.gone)
                for kept in kept where kept.entry.map(gone.contains) ?? false { kept.deleted() }
                forgetDeleted(on: table.all, deleted.count, finish)
            }
        }
    }

    /// What was deleted cannot be gone back to. Answers when that is so after a crash as well.
    private func forgetDeleted(
        on boards: [PasteboardState], _ count: Int, _ finish: @escaping (Answer<Methods.Deleted>) -> Void
    ) {
        for board in boards {
            board.undo.removeAll { !$0.isThere }
            writeRecord(of: board)
        }
        whenKept(boards) { finish($0.map { .failure($0) } ?? .reply(Methods.Deleted(deleted: count))) }
    }

    func pin(_ parameters: Methods.Pin.Parameters, _ finish: @escaping (Answer<NoParameters>) -> Void) {
        let finish = answeredInTime(finish)
        let entries = parameters.entries.map { EntryID($0) }
        askStore { store throws(StoreFailure) in
            try store.pin(entries, parameters.pinned)
        } _: { result in
            finish(result.map { _ in (NoParameters(), []) })
        }
    }

    func clearHistory(
        _ parameters: Methods.ClearHistory.Parameters, _ finish: @escaping (Answer<Methods.Deleted>) -> Void
    ) {
        let finish = answeredInTime(finish)
        do throws(BridgeError) {
            let name = try parameters.pasteboard.map { name throws(BridgeError) in try Self.name(name) }
            askStore { store throws(StoreFailure) in
                try store.clearHistory(of: name)
            } _: { [self] result in
                switch result {
                case .failure(let error): finish(.failure(error))
                case .success(let deleted):
                    let boards = table.all.filter { name == nil || $0.name == name }
                    for kept in boards.flatMap(\.allKept) { kept.deleted() }
                    forgetDeleted(on: boards, deleted, finish)
                }
            }
        } catch {
            finish(.failure(error))
        }
    }

    func pauseHistory(
        _ parameters: Methods.PauseHistory.Parameters, _ finish: @escaping (Answer<NoParameters>) -> Void
    ) {
        let finish = answeredInTime(finish)
        let isPaused = parameters.paused
        askStore { store throws(StoreFailure) in
            try store.setPaused(isPaused)
        } _: { [self] result in
            if case .success = result { store.isPaused = isPaused }
            finish(result.map { _ in (NoParameters(), []) })
        }
    }
}

extension PasteboardState {
    /// All contents that are there, come or can be gone back to.
    fileprivate var allKept: [RestorableContents] {
        (undo.undoable + undo.redoable).map(\.value) + [kept, coming?.kept].compactMap(\.self)
    }
}

extension BridgeError {
    init(_ failure: StoreFailure) {
        switch failure {
        case .noSuchEntry: self.init(.noSuchEntry, "\(failure.message); 'xpb history' lists those that are")
        case .sourceCut: self.init(.transferBroken, "\(failure.message); nothing was changed")
        default: self.init(.refused, failure.message)
        }
    }
}
