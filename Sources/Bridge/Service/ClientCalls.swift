import PasteboardWire

/// Which method of the service answers which call of the wire.
extension ClientSession {
    /// What does not ask who owns a pasteboard, and so needs not wait for the display.
    private static let answeredAtOnce: Set = [
        Methods.Status.fullName, Methods.Stop.fullName, Methods.Attach.fullName, Methods.Begin.fullName,
        Methods.Append.fullName, Methods.Commit.fullName, Methods.Read.fullName, Methods.Release.fullName,
        Methods.Declare.fullName, Methods.Keep.fullName, Methods.Break.fullName,
        Methods.Settings.fullName,
    ]

    /// Answers a call, or begins to.
    func dispatch(_ call: IncomingCall) {
        do {
            try transfers.checkPassed(call.descriptors)
            if ServiceInterface.answer(call, on: connection, version: BridgeVersion.current) { return }
            if Self.answeredAtOnce.contains(call.method) { return try perform(call) }
            service.refreshSettings()
            service.whenOwnersAreKnown { [weak self] in self?.attempt(call, known: $0) }
        } catch {
            fail(error)
        }
    }

    /// Performs a call that had to wait. As in ``pump()``, the next call is not taken before this one's `cancel` stands.
    private func attempt(_ call: IncomingCall, known: Result<Void, BridgeError>) {
        guard !isClosed else { return }
        let wasPumping = isPumping
        isPumping = true
        do {
            try known.get()
            try perform(call)
        } catch {
            fail(error)
        }
        isPumping = wasPumping
        pump()
    }

    private func fail(_ error: any Error) {
        switch error {
        case let error as VarlinkError: connection.fail(error)
        case let error as BridgeError: connection.fail(error)
        default: connection.fail(BridgeError(.refused, "the call failed: \(error)"))
        }
    }

    private func perform(_ call: IncomingCall) throws {
        func parameters<M: WireMethod>(_ method: M.Type) throws -> M.Parameters {
            try call.parameters(M.Parameters.self)
        }
        let prefix = ServiceInterface.name + "."
        guard call.method.hasPrefix(prefix) else { throw ServiceInterface.unknown(call.method) }
        switch call.method.dropFirst(prefix.count) {
        case Methods.Get.name:
            let parameters = try parameters(Methods.Get.self)
            guard parameters.entry == nil else { return service.getEntry(parameters, for: self) { self.answer($0) } }
            seek(parameters.pasteboard) {
                self.cancel = self.service.get(parameters, for: self) { self.answer($0) }
            }
        case Methods.Set.name:
            try set(call, try parameters(Methods.Set.self))
        case Methods.Fetch.name: try fetch(call, try parameters(Methods.Fetch.self))
        case Methods.Keep.name:
            try service.keep(try parameters(Methods.Keep.self), of: self, descriptors: call.descriptors)
            answer(.reply(NoParameters()))
        case Methods.Break.name:
            try service.break(try parameters(Methods.Break.self))
            answer(.reply(NoParameters()))
        case Methods.Clear.name:
            let parameters = try parameters(Methods.Clear.self)
            try Service.checkNumber(of: parameters.pasteboards)
            seek(all: parameters.pasteboards) {
                self.cancel = self.service.clear(parameters) { self.answer($0) }
            }
        case Methods.Describe.name:
            let parameters = try parameters(Methods.Describe.self)
            guard parameters.entry == nil else { return service.describeEntry(parameters) { self.answer($0) } }
            seek(parameters.pasteboard) {
                self.cancel = self.service.describe(parameters) { self.answer($0) }
            }
        case Methods.Count.name: service.count(try parameters(Methods.Count.self).pasteboard) { self.answer($0) }
        case Methods.GetOwner.name:
            let name = try parameters(Methods.GetOwner.self).pasteboard
            seek(name) { self.service.owner(name) { self.answer($0) } }
        case Methods.List.name: service.list { self.answer($0) }
        case Methods.Status.name: service.status { self.answer(.reply($0)) }
        case Methods.Settings.name: answer(.reply(service.tellSettings()))
        case Methods.Create.name:
            service.create(try parameters(Methods.Create.self), for: self) { self.answer($0) }
        case Methods.Persist.name:
            service.persist(try parameters(Methods.Persist.self), for: self) { self.answer($0) }
        case Methods.Undo.name:
            service.travel(.back, try parameters(Methods.Undo.self), by: self) { self.answer($0) }
        case Methods.Redo.name:
            service.travel(.forth, try parameters(Methods.Redo.self), by: self) { self.answer($0) }
        case Methods.History.name: try history(call, try parameters(Methods.History.self))
        case Methods.Restore.name:
            service.restore(try parameters(Methods.Restore.self), by: self) { self.answer($0) }
        case Methods.DeleteEntries.name:
            service.deleteEntries(try parameters(Methods.DeleteEntries.self)) { self.answer($0) }
        case Methods.Pin.name: service.pin(try parameters(Methods.Pin.self)) { self.answer($0) }
        case Methods.ClearHistory.name:
            service.clearHistory(try parameters(Methods.ClearHistory.self)) { self.answer($0) }
        case Methods.PauseHistory.name:
            service.pauseHistory(try parameters(Methods.PauseHistory.self)) { self.answer($0) }
        case Methods.Remove.name: service.remove(try parameters(Methods.Remove.self).pasteboard) { self.answer($0) }
        case Methods.Monitor.name: try monitor(call, try parameters(Methods.Monitor.self))
        case Methods.Read.name: answer(.reply(try transfers.read(try parameters(Methods.Read.self))))
        case Methods.Begin.name: answer(.reply(try transfers.begin()))
        case Methods.Append.name: answer(.reply(try transfers.append(try parameters(Methods.Append.self))))
        case Methods.Commit.name: answer(.reply(try transfers.commit(try parameters(Methods.Commit.self).handle)))
        case Methods.Release.name:
            try transfers.release(try parameters(Methods.Release.self).handle)
            answer(.reply(NoParameters()))
        case Methods.Attach.name:
            let parameters = try parameters(Methods.Attach.self)
            // Where nobody waits for it, the calls behind it are not to wait either.
            if call.oneway {
                service.attach(parameters) { _ in }
                answer(.reply(NoParameters()))
            } else {
                service.attach(parameters) { self.answer($0) }
            }
        case Methods.Declare.name: answer(service.declare(try parameters(Methods.Declare.self).types))
        case Methods.Stop.name:
            answer(.reply(NoParameters()))
            service.onStop()
        default: throw ServiceInterface.unknown(call.method)
        }
    }

    private func set(_ call: IncomingCall, _ parameters: Methods.Set.Parameters) throws {
        let promises = PromiseSet(
            issue: service.issueTicket, send: { [weak self] in self?.stream($0) },
            finish: { [weak self] in self?.answer(.reply($0)) })
        let isPromising = parameters.items.contains { $0.representations.contains { $0.promise != nil } }
        // Without `more` a client takes one reply, and would never be told that it is asked.
        if isPromising, !call.more { throw VarlinkError.expectedMore }
        let cancel = service.set(parameters, for: self, descriptors: call.descriptors, promises: promises) { result in
            switch result {
            case .success(let counts) where isPromising: promises.begin(counts: counts)
            case .success(let counts): self.answer(.reply(Methods.Set.Reply(counts: counts)))
            case .failure(let error):
                promises.abandon("the contents could not be written")
                self.answer(Answer<Methods.Set.Reply>.failure(error))
            }
        }
        if isPromising { keep(promises) } else { self.cancel = cancel }
    }

    private func fetch(_ call: IncomingCall, _ parameters: Methods.Fetch.Parameters) throws {
        guard call.more else { throw VarlinkError.expectedMore }
        func answer(_ result: Result<Service.FetchReplies, BridgeError>) {
            switch result {
            case .failure(let error): self.answer(Answer<Methods.Fetch.Reply>.failure(error))
            case .success(let replies):
                for reply in replies.dropLast() { stream(reply.reply, descriptors: reply.descriptors) }
                if let last = replies.last { self.answer(.success(last)) }
            }
        }
        guard parameters.entry == nil else { return service.fetchEntry(parameters, for: self, answer) }
        seek(parameters.pasteboard) {
            self.cancel = self.service.fetch(parameters, for: self, answer)
        }
    }

    private func history(_ call: IncomingCall, _ parameters: Methods.History.Parameters) throws {
        guard call.more else { throw VarlinkError.expectedMore }
        service.history(parameters) { [weak self] in
            self?.stream($0)
        } _: { [weak self] in
            self?.answer($0)
        }
    }

    /// Calls `body` once it is known whether there is that pasteboard.
    private func seek(_ pasteboard: String, _ body: @escaping () -> Void) {
        service.whenSought(pasteboard) { [weak self] in
            guard let self, !isClosed else { return }
            // As in ``attempt(_:known:)``.
            let wasPumping = isPumping
            isPumping = true
            body()
            isPumping = wasPumping
            pump()
        }
    }

    /// The same of several, one after the other.
    private func seek(all pasteboards: [String], _ body: @escaping () -> Void) {
        guard let first = pasteboards.first else { return body() }
        service.whenSought(first) { [weak self] in
            guard let self, !isClosed else { return }
            let rest = Array(pasteboards.dropFirst())
            if rest.isEmpty { seek(first, body) } else { seek(all: rest, body) }
        }
    }

    private func monitor(_ call: IncomingCall, _ parameters: Methods.Monitor.Parameters) throws {
        // Without `more` a client takes one reply, and would never be told of an end.
        guard call.more else { throw VarlinkError.expectedMore }
        isWatching = true
        cancel = service.monitor(parameters) {
            self.tell($0)
        } _: {
            self.answer(Answer<NoParameters>.failure($0))
        }
    }
}
