import BridgeServer
import BridgeState
import EventLoop
import PasteboardModel
import PasteboardWire
import UniformTypes

/// The dispatch of each call of the wire to the function of the service that answers it.
extension Client {
    func perform(_ call: IncomingCall, _ method: MethodName?) async throws {
        try transfers.checkPassed(call.descriptors)
        try restriction?.admit(call, method, to: service.registry)
        if ServiceInterface.answer(call, on: connection, version: ProgramVersion.number) { return }
        guard let method else { throw ServiceInterface.unknown(call.method) }
        let traits = CallTraits.of(method)
        if traits.needsOwners {
            // The display may already be gone, and must not be awaited.
            if service.isLeaving, traits.isNewWrite { throw BridgeError.leaving }
            service.refreshSettings()
            try await service.awaitCurrentOwners()
            // A client that is gone by now has already reported a failure to its user.
            if isClosed { return }
        }
        try await dispatch(call, method)
    }

    private func dispatch(_ call: IncomingCall, _ method: MethodName) async throws {
        func parameters<M: WireMethod>(_ method: M.Type) throws -> M.Parameters {
            try call.parameters(M.Parameters.self)
        }
        switch method {
        case .get: try await get(call, try parameters(Methods.Get.self))
        case .set: try await set(call, try parameters(Methods.Set.self))
        case .fetch: try await fetch(call, try parameters(Methods.Fetch.self))
        case .keep:
            try service.fulfillPromise(try parameters(Methods.Keep.self), of: self, descriptors: call.descriptors)
            reply(NoParameters())
        case .break:
            try service.promiseTickets.break(try parameters(Methods.Break.self))
            service.promisesBroke()
            reply(NoParameters())
        case .progress:
            try service.promiseTickets.noteProgress(of: try parameters(Methods.Progress.self).ticket)
            reply(NoParameters())
        case .clear: try await clear(try parameters(Methods.Clear.self))
        case .describe: try await describe(try parameters(Methods.Describe.self))
        case .match:
            let match = try parameters(Methods.Match.self)
            guard await seek(match.pasteboard) else { return }
            reply(try await service.match(match, for: self))
        case .count: reply(try service.count(try parameters(Methods.Count.self).pasteboard))
        case .getOwner:
            let name = try parameters(Methods.GetOwner.self).pasteboard
            guard await seek(name) else { return }
            reply(try await service.owner(name))
        case .list: reply(await service.list(withHidden: restriction == nil))
        case .status: reply(await service.status())
        case .settings: reply(service.effectiveSettings())
        case .create: reply(try await service.create(try parameters(Methods.Create.self), for: self))
        case .persist:
            try await service.persist(try parameters(Methods.Persist.self), for: self)
            reply(NoParameters())
        case .undo: reply(try await service.undo(.undo, try parameters(Methods.Undo.self), by: self))
        case .redo: reply(try await service.undo(.redo, try parameters(Methods.Redo.self), by: self))
        case .getUndoState:
            reply(try await service.undoState(try parameters(Methods.GetUndoState.self).pasteboard))
        case .listUndo:
            reply(try await service.listUndo(try parameters(Methods.ListUndo.self).pasteboard))
        case .history: try await history(call, try parameters(Methods.History.self))
        case .restore: reply(try await service.restore(try parameters(Methods.Restore.self), by: self))
        case .deleteEntries:
            reply(try await service.deleteEntries(try parameters(Methods.DeleteEntries.self)))
        case .pin:
            try await service.pin(try parameters(Methods.Pin.self))
            reply(NoParameters())
        case .clearHistory:
            reply(try await service.clearHistory(try parameters(Methods.ClearHistory.self)))
        case .importHistory: try await importHistory(call, try parameters(Methods.ImportHistory.self))
        case .pauseHistory:
            try await service.pauseHistory(try parameters(Methods.PauseHistory.self))
            reply(NoParameters())
        case .remove:
            try await service.remove(try parameters(Methods.Remove.self).pasteboard)
            reply(NoParameters())
        case .monitor: try await monitor(call, try parameters(Methods.Monitor.self))
        case .read: reply(try transfers.read(try parameters(Methods.Read.self)))
        case .begin: reply(try transfers.begin())
        case .append: reply(try transfers.append(try parameters(Methods.Append.self)))
        case .commit: reply(try transfers.commit(try parameters(Methods.Commit.self).handle))
        case .download: try download(call, try parameters(Methods.Download.self))
        case .upload: try upload(call, try parameters(Methods.Upload.self))
        case .release:
            try transfers.release(try parameters(Methods.Release.self).handle)
            reply(NoParameters())
        case .attach: try await attach(call, try parameters(Methods.Attach.self))
        case .declare:
            try declare(try parameters(Methods.Declare.self).types)
            reply(NoParameters())
        case .openLink: try await openLink(call, try parameters(Methods.OpenLink.self))
        case .joinLink:
            let join = try parameters(Methods.JoinLink.self)
            try self.join(try service.links.link(of: join.key), isRestricted: join.full != true)
            reply(NoParameters())
        case .reportLink:
            let report = try parameters(Methods.ReportLink.self)
            let link = try service.links.link(of: report.key)
            (link.isAttached, link.reason) = (report.attached, report.reason)
            reply(NoParameters())
        case .closeLink:
            try service.links.close(try parameters(Methods.CloseLink.self).name)
            reply(NoParameters())
        case .stop:
            let hasSuccessor = try parameters(Methods.Stop.self).successor == true
            reply(NoParameters())
            service.host?.leave(toSuccessor: hasSuccessor)
        }
    }

    /// Makes a pasteboard that only X clients have used so far. Returns false if the client is gone afterwards.
    private func seek(_ pasteboard: String) async -> Bool {
        await service.makePasteboardIfOwned(pasteboard)
        return !isClosed
    }

    // MARK: Calls with several steps

    private func get(_ call: IncomingCall, _ parameters: Methods.Get.Parameters) async throws {
        guard parameters.entry == nil else {
            return try await reply(to: parameters, with: try await service.getEntry(parameters, for: self))
        }
        guard await seek(parameters.pasteboard) else { return }
        let result = try await service.get(parameters, for: self, streams: call.more)
        try await reply(to: parameters, with: result)
    }

    private func describe(_ parameters: Methods.Describe.Parameters) async throws {
        guard parameters.entry == nil else { return reply(try await service.describeEntry(parameters, for: self)) }
        guard await seek(parameters.pasteboard) else { return }
        reply(try await service.describe(parameters, for: self))
    }

    private func clear(_ parameters: Methods.Clear.Parameters) async throws {
        try PasteboardName.checkNumber(of: parameters.pasteboards)
        for name in parameters.pasteboards {
            guard await seek(name) else { return }
        }
        reply(try await service.clear(parameters, for: self))
    }

    private func set(_ call: IncomingCall, _ parameters: Methods.Set.Parameters) async throws {
        let isPromising = parameters.items.contains { $0.representations.contains { $0.promise != nil } }
        // Without `more` a client reads one reply, and would never see the requests for its promises.
        if isPromising, !call.more { throw VarlinkError.expectedMore }
        let promises = PromiseSet(
            issueTicket: service.promiseTickets.issue, send: { [weak self] in self?.replyInPart($0) },
            finish: { [weak self] in self?.reply($0) })
        if isPromising { add(promises) }
        do {
            let counts = try await service.set(
                parameters, for: self, descriptors: call.descriptors, promises: promises)
            if isPromising { promises.start(counts: counts) } else { reply(Methods.Set.Reply(counts: counts)) }
        } catch {
            promises.abandon("the contents could not be written")
            throw error
        }
    }

    private func fetch(_ call: IncomingCall, _ parameters: Methods.Fetch.Parameters) async throws {
        guard call.more else { throw VarlinkError.expectedMore }
        let batches: [FetchBatches.Batch]
        if parameters.entry != nil {
            batches = try await service.fetchEntry(parameters, for: self)
        } else {
            guard await seek(parameters.pasteboard) else { return }
            batches = try await service.fetch(parameters, for: self)
        }
        for batch in batches.dropLast() { replyInPart(batch.reply, descriptors: batch.descriptors) }
        if let last = batches.last { reply(last.reply, descriptors: last.descriptors) }
    }

    private func history(_ call: IncomingCall, _ parameters: Methods.History.Parameters) async throws {
        guard call.more else { throw VarlinkError.expectedMore }
        reply(try await service.history(parameters, excludesLocalOnly: restriction != nil) { replyInPart($0) })
    }

    private func importHistory(
        _ call: IncomingCall, _ parameters: Methods.ImportHistory.Parameters
    ) async throws {
        guard call.more else { throw VarlinkError.expectedMore }
        let bytes = try Draft.bytes(parameters.entries, uploads: transfers, descriptors: call.descriptors)
        reply(try await service.importHistory(bytes) { [weak self] in self?.replyInPart($0) })
    }

    private func monitor(_ call: IncomingCall, _ parameters: Methods.Monitor.Parameters) async throws {
        // Without `more` a client reads one reply, and would never see the end of its watch.
        guard call.more else { throw VarlinkError.expectedMore }
        session.isWatching = true
        if link != nil { session.endsWithInput = true }
        try await service.monitor(parameters, isOnLink: link != nil) { [weak self] change in
            guard let self else { return false }
            return session.send(permitted(change))
        }
    }

    /// Opens a link, which ends with this call.
    private func openLink(_ call: IncomingCall, _ parameters: Methods.OpenLink.Parameters) async throws {
        guard call.more else { throw VarlinkError.expectedMore }
        let end = PendingValue<Void>()
        let link = try service.links.open(parameters, process: process) { end.deliver(()) }
        session.endsWithInput = true
        replyInPart(Methods.OpenLink.Reply(key: link.key))
        await end.get { end.deliver(()) }
        service.links.remove(link)
        reply(Methods.OpenLink.Reply(key: link.key, closed: true))
    }

    private func download(_ call: IncomingCall, _ parameters: Methods.Download.Parameters) throws(BridgeError) {
        guard call.isUpgrade else { throw .withoutUpgrade }
        let (file, range) = try transfers.bytes(of: parameters)
        session.reply(Methods.Download.Reply(length: range.count), followedBy: file, range)
    }

    private func upload(_ call: IncomingCall, _ parameters: Methods.Upload.Parameters) throws(BridgeError) {
        guard call.isUpgrade else { throw .withoutUpgrade }
        let tickets = restriction == nil ? service.promiseTickets : nil
        if let ticket = parameters.ticket { try tickets?.noteProgress(of: ticket) }
        let handle = try transfers.begin(length: parameters.length)
        // The connection retains these closures, so they must not retain the connection.
        connection.receiveBytes(
            parameters.length,
            take: { [transfers] bytes throws(BridgeError) in
                let writer = try transfers.append(bytes, to: handle)
                if let ticket = parameters.ticket { tickets?.noteUpload(bytes, to: writer, for: ticket) }
            },
            end: { [transfers, unowned connection] () throws(BridgeError) in
                _ = try transfers.commit(handle)
                connection.reply(Methods.Upload.Reply(handle: handle))
            })
    }

    private func attach(_ call: IncomingCall, _ parameters: Methods.Attach.Parameters) async throws {
        guard call.oneway else {
            try await service.attach(parameters)
            return reply(NoParameters())
        }
        // Neither the client nor its next calls wait for a oneway call.
        service.executor.start { [service] in try? await service.attach(parameters) }
        reply(NoParameters())
    }

    private func declare(_ types: [WireTypeDeclaration]) throws {
        let faults = types.flatMap { type in
            UniformType.declare(
                TypeDeclaration(
                    identifier: type.identifier, conformsTo: type.conformsTo, mimeTypes: type.mimeTypes,
                    filenameExtensions: type.extensions, targets: type.targets, description: type.description))
        }
        if !faults.isEmpty { throw BridgeError(.invalidType, faults.joined(separator: "; ")) }
    }
}

extension BridgeError {
    fileprivate static let withoutUpgrade = BridgeError(.invalidBytes, "raw bytes need a call with \"upgrade\"")
}
