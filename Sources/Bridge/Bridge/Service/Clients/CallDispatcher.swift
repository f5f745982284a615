import EventLoop
import PasteboardModel
import PasteboardWire
import UniformTypes

/// The dispatch of each call of the wire to the function of the service that answers it.
extension ClientSession {
    /// Calls that do not depend on the owners of selections, and so need not wait for the display.
    private static let immediateMethods: Set = [
        Methods.Status.fullName, Methods.Stop.fullName, Methods.Attach.fullName, Methods.Begin.fullName,
        Methods.Append.fullName, Methods.Commit.fullName, Methods.Read.fullName, Methods.Release.fullName,
        Methods.Upload.fullName, Methods.Download.fullName, Methods.Declare.fullName, Methods.Keep.fullName,
        Methods.Break.fullName, Methods.Progress.fullName, Methods.Settings.fullName, Methods.OpenLink.fullName,
        Methods.JoinLink.fullName, Methods.ReportLink.fullName, Methods.CloseLink.fullName,
    ]

    /// Calls that a bridge refuses once it leaves: they are made to the next one.
    private static let newWriteMethods: Set = [
        Methods.Set.fullName, Methods.Clear.fullName, Methods.Undo.fullName, Methods.Redo.fullName,
        Methods.Restore.fullName, Methods.Create.fullName,
    ]

    /// Calls that may change something, and that the end of the bridge waits for.
    static func isCompleted(_ method: String) -> Bool {
        !immediateMethods.contains(method) && !cancellableMethods.contains(method)
    }

    /// Calls that are cancelled when their client's connection ends. The others are completed.
    static let cancellableMethods: Set = [
        Methods.Get.fullName, Methods.Fetch.fullName, Methods.Describe.fullName, Methods.Monitor.fullName,
        Methods.Match.fullName, Methods.GetUndoState.fullName, Methods.ListUndo.fullName, Methods.OpenLink.fullName,
    ]

    func perform(_ call: IncomingCall) async throws {
        try transfers.checkPassed(call.descriptors)
        try restriction?.admit(call, to: service.registry)
        if ServiceInterface.answer(call, on: connection, version: ProgramVersion.number) { return }
        if !Self.immediateMethods.contains(call.method) {
            // The display may be gone already, and would be awaited.
            if service.isLeaving, Self.newWriteMethods.contains(call.method) { throw BridgeError.leaving }
            service.refreshSettings()
            try await service.awaitCurrentOwners()
            // A client that is gone meanwhile has reported that to its user.
            if isClosed { return }
        }
        let prefix = ServiceInterface.name + "."
        guard call.method.hasPrefix(prefix) else { throw ServiceInterface.unknown(call.method) }
        try await perform(call, String(call.method.dropFirst(prefix.count)))
    }

    private func perform(_ call: IncomingCall, _ method: String) async throws {
        func parameters<M: WireMethod>(_ method: M.Type) throws -> M.Parameters {
            try call.parameters(M.Parameters.self)
        }
        switch method {
        case Methods.Get.name: try await get(call, try parameters(Methods.Get.self))
        case Methods.Set.name: try await set(call, try parameters(Methods.Set.self))
        case Methods.Fetch.name: try await fetch(call, try parameters(Methods.Fetch.self))
        case Methods.Keep.name:
            try service.fulfillPromise(try parameters(Methods.Keep.self), of: self, descriptors: call.descriptors)
            answer(NoParameters())
        case Methods.Break.name:
            try service.promiseTickets.break(try parameters(Methods.Break.self))
            service.promisesBroke()
            answer(NoParameters())
        case Methods.Progress.name:
            try service.promiseTickets.noteProgress(of: try parameters(Methods.Progress.self).ticket)
            answer(NoParameters())
        case Methods.Clear.name: try await clear(try parameters(Methods.Clear.self))
        case Methods.Describe.name: try await describe(try parameters(Methods.Describe.self))
        case Methods.Match.name:
            let match = try parameters(Methods.Match.self)
            guard await seek(match.pasteboard) else { return }
            answer(try await service.match(match, for: self))
        case Methods.Count.name: answer(try service.count(try parameters(Methods.Count.self).pasteboard))
        case Methods.GetOwner.name:
            let name = try parameters(Methods.GetOwner.self).pasteboard
            guard await seek(name) else { return }
            answer(try await service.owner(name))
        case Methods.List.name: answer(await service.list(withHidden: restriction == nil))
        case Methods.Status.name: answer(await service.status())
        case Methods.Settings.name: answer(service.effectiveSettings())
        case Methods.Create.name: answer(try await service.create(try parameters(Methods.Create.self), for: self))
        case Methods.Persist.name:
            try await service.persist(try parameters(Methods.Persist.self), for: self)
            answer(NoParameters())
        case Methods.Undo.name: answer(try await service.undo(.undo, try parameters(Methods.Undo.self), by: self))
        case Methods.Redo.name: answer(try await service.undo(.redo, try parameters(Methods.Redo.self), by: self))
        case Methods.GetUndoState.name:
            answer(try await service.undoState(try parameters(Methods.GetUndoState.self).pasteboard))
        case Methods.ListUndo.name:
            answer(try await service.listUndo(try parameters(Methods.ListUndo.self).pasteboard))
        case Methods.History.name: try await history(call, try parameters(Methods.History.self))
        case Methods.Restore.name: answer(try await service.restore(try parameters(Methods.Restore.self), by: self))
        case Methods.DeleteEntries.name:
            answer(try await service.deleteEntries(try parameters(Methods.DeleteEntries.self)))
        case Methods.Pin.name:
            try await service.pin(try parameters(Methods.Pin.self))
            answer(NoParameters())
        case Methods.ClearHistory.name:
            answer(try await service.clearHistory(try parameters(Methods.ClearHistory.self)))
        case Methods.PauseHistory.name:
            try await service.pauseHistory(try parameters(Methods.PauseHistory.self))
            answer(NoParameters())
        case Methods.Remove.name:
            try await service.remove(try parameters(Methods.Remove.self).pasteboard)
            answer(NoParameters())
        case Methods.Monitor.name: try await monitor(call, try parameters(Methods.Monitor.self))
        case Methods.Read.name: answer(try transfers.read(try parameters(Methods.Read.self)))
        case Methods.Begin.name: answer(try transfers.begin())
        case Methods.Append.name: answer(try transfers.append(try parameters(Methods.Append.self)))
        case Methods.Commit.name: answer(try transfers.commit(try parameters(Methods.Commit.self).handle))
        case Methods.Download.name: try download(call, try parameters(Methods.Download.self))
        case Methods.Upload.name: try upload(call, try parameters(Methods.Upload.self))
        case Methods.Release.name:
            try transfers.release(try parameters(Methods.Release.self).handle)
            answer(NoParameters())
        case Methods.Attach.name: try await attach(call, try parameters(Methods.Attach.self))
        case Methods.Declare.name:
            try declare(try parameters(Methods.Declare.self).types)
            answer(NoParameters())
        case Methods.OpenLink.name: try await openLink(call, try parameters(Methods.OpenLink.self))
        case Methods.JoinLink.name:
            let join = try parameters(Methods.JoinLink.self)
            try self.join(try service.links.link(of: join.key), isRestricted: join.full != true)
            answer(NoParameters())
        case Methods.ReportLink.name:
            let report = try parameters(Methods.ReportLink.self)
            let link = try service.links.link(of: report.key)
            (link.isAttached, link.reason) = (report.attached, report.reason)
            answer(NoParameters())
        case Methods.CloseLink.name:
            try service.links.close(try parameters(Methods.CloseLink.self).name)
            answer(NoParameters())
        case Methods.Stop.name:
            let hasSuccessor = try parameters(Methods.Stop.self).successor == true
            answer(NoParameters())
            service.host?.leave(toSuccessor: hasSuccessor)
        default: throw ServiceInterface.unknown(call.method)
        }
    }

    /// Makes a pasteboard that only X clients use so far. Returns false if the client is gone meanwhile.
    private func seek(_ pasteboard: String) async -> Bool {
        await service.makePasteboardIfOwned(pasteboard)
        return !isClosed
    }

    // MARK: Calls with several steps

    private func get(_ call: IncomingCall, _ parameters: Methods.Get.Parameters) async throws {
        guard parameters.entry == nil else {
            return answer(try await service.getEntry(parameters, for: self))
        }
        guard await seek(parameters.pasteboard) else { return }
        switch try await service.get(parameters, for: self, streams: call.more) {
        case .whole(let reply): answer(reply)
        case .stream(let reply, let bytes): try await stream(reply, bytes)
        }
    }

    /// Passes a pipe, and reports its end.
    private func stream(_ reply: Methods.Get.Reply, _ bytes: ReaderStream) async throws {
        stream(reply, descriptors: [bytes.takeReadingEnd()].compactMap(\.self))
        var last = reply
        last.bytes = WireBytes(offset: 0, length: try await bytes.length())
        answer(last)
    }

    private func describe(_ parameters: Methods.Describe.Parameters) async throws {
        guard parameters.entry == nil else { return answer(try await service.describeEntry(parameters, for: self)) }
        guard await seek(parameters.pasteboard) else { return }
        answer(try await service.describe(parameters, for: self))
    }

    private func clear(_ parameters: Methods.Clear.Parameters) async throws {
        try PasteboardName.checkNumber(of: parameters.pasteboards)
        for name in parameters.pasteboards {
            guard await seek(name) else { return }
        }
        answer(try await service.clear(parameters))
    }

    private func set(_ call: IncomingCall, _ parameters: Methods.Set.Parameters) async throws {
        let isPromising = parameters.items.contains { $0.representations.contains { $0.promise != nil } }
        // Without `more` a client reads one reply, and would never see the requests for its promises.
        if isPromising, !call.more { throw VarlinkError.expectedMore }
        let promises = PromiseSet(
            issueTicket: service.promiseTickets.issue, send: { [weak self] in self?.stream($0) },
            finish: { [weak self] in self?.answer($0) })
        if isPromising { add(promises) }
        do {
            let counts = try await service.set(
                parameters, for: self, descriptors: call.descriptors, promises: promises)
            if isPromising { promises.start(counts: counts) } else { answer(Methods.Set.Reply(counts: counts)) }
        } catch {
            promises.abandon("the contents could not be written")
            throw error
        }
    }

    private func fetch(_ call: IncomingCall, _ parameters: Methods.Fetch.Parameters) async throws {
        guard call.more else { throw VarlinkError.expectedMore }
        let replies: [Answer<Methods.Fetch.Reply>]
        if parameters.entry != nil {
            replies = try await service.fetchEntry(parameters, for: self)
        } else {
            guard await seek(parameters.pasteboard) else { return }
            replies = try await service.fetch(parameters, for: self)
        }
        for reply in replies.dropLast() { stream(reply.reply, descriptors: reply.descriptors) }
        if let last = replies.last { answer(last) }
    }

    private func history(_ call: IncomingCall, _ parameters: Methods.History.Parameters) async throws {
        guard call.more else { throw VarlinkError.expectedMore }
        answer(try await service.history(parameters, excludesLocalOnly: restriction != nil) { stream($0) })
    }

    private func monitor(_ call: IncomingCall, _ parameters: Methods.Monitor.Parameters) async throws {
        // Without `more` a client reads one reply, and would never see the end of its watch.
        guard call.more else { throw VarlinkError.expectedMore }
        isWatching = true
        if link != nil { endsWithInput = true }
        try await service.monitor(parameters, isOnLink: link != nil) { [weak self] in
            self?.send($0) ?? false
        }
    }

    /// Opens a link, which ends with this call.
    private func openLink(_ call: IncomingCall, _ parameters: Methods.OpenLink.Parameters) async throws {
        guard call.more else { throw VarlinkError.expectedMore }
        let end = PendingValue<Void>()
        let link = try service.links.open(parameters, process: process) { end.deliver(()) }
        endsWithInput = true
        stream(Methods.OpenLink.Reply(key: link.key))
        await end.get { end.deliver(()) }
        service.links.remove(link)
        answer(Methods.OpenLink.Reply(key: link.key, closed: true))
    }

    private func download(_ call: IncomingCall, _ parameters: Methods.Download.Parameters) throws(BridgeError) {
        guard call.isUpgrade else { throw .withoutUpgrade }
        let (file, range) = try transfers.bytes(of: parameters)
        answer(Methods.Download.Reply(length: range.count), followedBy: file, range)
    }

    private func upload(_ call: IncomingCall, _ parameters: Methods.Upload.Parameters) throws(BridgeError) {
        guard call.isUpgrade else { throw .withoutUpgrade }
        let tickets = restriction == nil ? service.promiseTickets : nil
        if let ticket = parameters.ticket { try tickets?.noteProgress(of: ticket) }
        let handle = try transfers.begin(length: parameters.length)
        // The connection holds the functions, so they must not hold it.
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
            return answer(NoParameters())
        }
        // Nobody waits for a oneway call, and neither do the calls after it.
        service.executor.start { [service] in try? await service.attach(parameters) }
        answer(NoParameters())
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
