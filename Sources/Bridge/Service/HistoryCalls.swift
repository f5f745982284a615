import PasteboardModel
import PasteboardStore
import PasteboardWire

/// Earlier contents as they are listed: `History` and what is done with its entries.
extension Service {
    /// So many entries go with one reply.
    private static let batch = 200

    /// Sends the entries in batches, the latest first.
    func history(
        _ parameters: Methods.History.Parameters, _ send: @escaping (Methods.History.Reply) -> Void,
        _ finish: @escaping (Answer<Methods.History.Reply>) -> Void
    ) {
        do throws(BridgeError) {
            let name = try parameters.pasteboard.map { name throws(BridgeError) in try Self.name(name) }
            let limit = parameters.limit ?? .max
            guard limit >= 0 else { throw BridgeError(.refused, "\(limit) is no number of entries") }
            next(
                HistoryQuery(
                    pasteboard: name, search: parameters.search, pinned: parameters.pinned,
                    limit: min(limit, Self.batch)),
                rest: limit, send, finish)
        } catch {
            finish(.failure(error))
        }
    }

    private func next(
        _ query: HistoryQuery, rest: Int, _ send: @escaping (Methods.History.Reply) -> Void,
        _ finish: @escaping (Answer<Methods.History.Reply>) -> Void
    ) {
        var query = query
        query.limit = min(rest, Self.batch)
        let asked = query
        readStore { store throws(StoreFailure) in
            try store.history(asked)
        } _: { [self] result in
            switch result {
            case .failure(let error): finish(.failure(error))
            case .success(let entries):
                let reply = Methods.History.Reply(entries: entries.map { WireHistoryEntry($0) })
                let left = rest - entries.count
                guard let last = entries.last, entries.count == asked.limit, left > 0 else {
                    return finish(.reply(reply))
                }
                send(reply)
                query.before = last.position
                next(query, rest: left, send, finish)
            }
        }
    }

    /// Makes an entry the contents of a pasteboard: a change like any other.
    func restore(
        _ parameters: Methods.Restore.Parameters, by client: ClientSession,
        _ finish: @escaping (Answer<Methods.Restore.Reply>) -> Void
    ) {
        guard !isLeaving else { return finish(.failure(.leaving)) }
        entry(parameters.entry) { [self] result in
            do throws(BridgeError) {
                let stored = try result.get()
                let name = try parameters.pasteboard.map { name throws(BridgeError) in try Self.name(name) }
                let board = try boardToWrite(name ?? stored.pasteboard)
                board.turns.take { [self] done in
                    func end(_ result: Answer<Methods.Restore.Reply>) {
                        done()
                        finish(result)
                    }
                    do throws(BridgeError) {
                        try BridgeError.told { () throws(PasteboardsError) in
                            try table.value.check(board.name, ifCount: parameters.ifCount)
                        }
                    } catch {
                        return end(.failure(error))
                    }
                    let draft = Draft(stored)
                    // Of another pasteboard it is a copy: each entry tells where it was.
                    let kept = board.name == stored.pasteboard ? RestorableContents(EntryID(parameters.entry)) : nil
                    let version = version(
                        of: draft, by: client.writer, as: .copy(action: "Restore"), kept: kept)
                    write(version, to: board, within: CallTimeout.of(parameters.timeout)) { result in
                        end(
                            result.map {
                                (Methods.Restore.Reply(pasteboard: board.name.string, count: $0), [])
                            })
                    }
                }
            } catch {
                finish(.failure(error))
            }
        }
    }

    // MARK: Entries

    /// The contents of an entry, to be read as a pasteboard is, with its count.
    func whenEntryIsRead(
        _ number: Int, _ finish: @escaping (Result<(version: PasteboardState.Version, count: Int), BridgeError>) -> Void
    ) {
        entry(number) { [self] result in
            finish(
                result.map { stored in
                    let writer = PasteboardState.Writer(process: 0, program: stored.program)
                    return (
                        version(of: Draft(stored), by: writer, as: .copy(action: stored.action)), stored.count
                    )
                })
        }
    }

    private func entry(_ number: Int, _ finish: @escaping (Result<StoredContents, BridgeError>) -> Void) {
        readStore { store throws(StoreFailure) in
            // What was deleted may still be on a pasteboard.
            guard let contents = try store.contents(of: EntryID(number)), contents.isListed else {
                throw .noSuchEntry(EntryID(number))
            }
            return contents
        } _: {
            finish($0)
        }
    }

    private func readStore<Outcome: Sendable>(
        _ question: @escaping @Sendable (Store) throws(StoreFailure) -> Outcome,
        _ finish: @escaping (Result<Outcome, BridgeError>) -> Void
    ) {
        let late = { finish(.failure(.historyStandsStill)) }
        askStore(question, inTime(CallTimeout.usual, late: late, finish))
    }

    /// Asks for what is carried out however long it takes.
    func askStore<Outcome: Sendable>(
        _ question: @escaping @Sendable (Store) throws(StoreFailure) -> Outcome,
        _ finish: @escaping (Result<Outcome, BridgeError>) -> Void
    ) {
        guard store.thread != nil else {
            let reason = store.reason.map { ": \($0)" } ?? ""
            return finish(.error(.refused, "there is no history, since nothing is stored\(reason)"))
        }
        store.ask(question) { result in finish(result.mapError { BridgeError($0) }) }
    }
}
