import Logging
import PasteboardModel
import PasteboardWire

/// Pasteboards of an app's own: `Create`, `Persist` and `Remove`.
extension Service {
    func create(
        _ parameters: Methods.Create.Parameters, for client: ClientSession,
        _ finish: @escaping (Answer<Methods.Create.Reply>) -> Void
    ) {
        do throws(BridgeError) {
            let reply = try create(parameters, for: client)
            guard parameters.persistent == true, let board = table[try Self.name(reply.pasteboard)] else {
                return finish(.reply(reply))
            }
            persist(board) { finish($0.map { .failure($0) } ?? .reply(reply)) }
        } catch {
            finish(.failure(error))
        }
    }

    private func create(
        _ parameters: Methods.Create.Parameters, for client: ClientSession
    ) throws(BridgeError) -> Methods.Create.Reply {
        guard !isLeaving else { throw .leaving }
        let name = try parameters.pasteboard.map { name throws(BridgeError) in try Self.name(name) }
        let (lasting, persistent) = (parameters.lasting ?? false, parameters.persistent ?? false)
        if persistent, name?.isSystem != true { try checkPersistence(of: name) }
        let client = ObjectIdentifier(client)
        let created = try BridgeError.told { () throws(PasteboardsError) -> (name: PasteboardName, isNew: Bool) in
            if let name {
                let isNew = try table.value.create(
                    name, for: client, lasting: lasting, persistent: persistent, at: UnixTime.now)
                return (name, isNew)
            }
            let unique = try table.value.createUnique(
                random: UInt128.random(in: .min ... .max), for: client, lasting: lasting, persistent: persistent,
                at: UnixTime.now)
            return (unique, true)
        }
        if created.isNew { link.watch(created.name.selection) }
        return Methods.Create.Reply(pasteboard: created.name.string, created: created.isNew)
    }

    func persist(
        _ parameters: Methods.Persist.Parameters, for client: ClientSession,
        _ finish: @escaping (Answer<Methods.Persist.Reply>) -> Void
    ) {
        do throws(BridgeError) {
            let name = try Self.name(parameters.pasteboard)
            if parameters.persistent, table[name] != nil, !name.isSystem { try checkPersistence(of: name) }
            try BridgeError.told { () throws(PasteboardsError) in
                try table.value.setPersistent(name, parameters.persistent, for: ObjectIdentifier(client))
            }
            guard let board = table[name] else { return finish(.reply(NoParameters())) }
            persist(board) { finish($0.map { .failure($0) } ?? .reply(NoParameters())) }
        } catch {
            finish(.failure(error))
        }
    }

    /// Nobody is told that a pasteboard outlives a bridge that stores nothing.
    private func checkPersistence(of name: PasteboardName?) throws(BridgeError) {
        guard store.thread == nil, let reason = store.reason else { return }
        throw BridgeError(
            .refused,
            "\(name.map { "'\($0)'" } ?? "the pasteboard") cannot be persistent, since nothing outlives this "
                + "bridge: \(reason)")
    }

    /// Has what is on a pasteboard stored, or nothing any more, as it is persistent or not. In its turn: what is being
    /// written may be on its way to the store, or past it.
    private func persist(_ board: PasteboardState, _ finish: @escaping (BridgeError?) -> Void) {
        board.turns.take { [self] done in
            if !board.isPersistent {
                forget(board)
            } else if !keepLate(board) {
                writeRecord(of: board)
            }
            whenKept([board]) { error in
                done()
                finish(error)
            }
        }
    }

    /// In its turn: what is being written is written first.
    func remove(_ name: String, _ finish: @escaping (Answer<Methods.Remove.Reply>) -> Void) {
        do throws(BridgeError) {
            let board = try board(named: name)
            board.turns.take { [self] done in
                do throws(BridgeError) {
                    let removal = try BridgeError.told { () throws(PasteboardsError) in
                        try table.value.remove(board.name)
                    }
                    removed(removal)
                    done()
                    whenKept([board]) { finish($0.map { .failure($0) } ?? .reply(NoParameters())) }
                } catch {
                    done()
                    finish(.failure(error))
                }
            }
        } catch {
            finish(.failure(error))
        }
    }

    /// A client's connection has ended, and with it what lived as long as that.
    func left(_ client: ClientSession) {
        for removal in table.value.clientLeft(ObjectIdentifier(client)) { removed(removal) }
    }

    private func removed(_ removal: PasteboardRegistry.Value.Removal) {
        guard let board = table.took(removal) else { return }
        store.reserve(removal.step.count)
        logger.debug("\(board.name) was removed")
        expire(board)
        if removal.former.isPersistent { forget(board) }
        ownerChanged(board)
        told(removed: board)
        guard case .client(let version) = removal.former.holder else { return link.unwatch(board.selection) }
        link.retract(version.id)
        link.unwatch(board.selection)
        board.handOver(from: version)
    }

    // MARK: Selections of others

    /// Calls `body` once it is known whether there is a pasteboard of that name: a plain X client may own a selection that
    /// nobody here has asked for yet.
    func whenSought(_ string: String, _ body: @escaping () -> Void) {
        guard let name = try? Self.name(string), table[name] == nil, link.isAttached else { return body() }
        link.seek(name.selection, within: Self.standstill) { [self] isOwned in
            guard isOwned, (try? boardToWrite(name)) != nil else { return body() }
            // The owner is reported before it is said that the display thread has caught up.
            link.catchUp(within: Self.standstill, body)
        }
    }
}

extension BridgeError {
    static let leaving = BridgeError(.refused, "the bridge is ending; try once more")

    init(_ error: PasteboardsError) {
        switch error {
        case .noSuchPasteboard: self.init(.noSuchPasteboard, error.message)
        case .belongsToSystem, .tooMany: self.init(.refused, error.message)
        case .countMismatch(_, let count): self.init(.countMismatch, error.message, count: count)
        }
    }

    /// What `body` throws, in the words of the wire.
    static func told<Result>(_ body: () throws(PasteboardsError) -> Result) throws(BridgeError) -> Result {
        do {
            return try body()
        } catch {
            throw BridgeError(error)
        }
    }
}
