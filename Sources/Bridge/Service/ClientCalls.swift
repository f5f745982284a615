import PasteboardWire

/// Which method of the service answers which call of the wire.
extension ClientSession {
    /// What does not ask who owns a pasteboard, and so needs not wait for the display.
    private static let answeredAtOnce: Set = [
        Methods.Status.fullName, Methods.Stop.fullName, Methods.Attach.fullName, Methods.Begin.fullName,
        Methods.Append.fullName, Methods.Commit.fullName, Methods.Read.fullName, Methods.Release.fullName,
        Methods.Declare.fullName,
    ]

    /// Answers a call, or begins to.
    func dispatch(_ call: IncomingCall) {
        do {
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
        case Methods.Get.name: cancel = service.get(try parameters(Methods.Get.self), for: self) { self.answer($0) }
        case Methods.Set.name:
            cancel = service.set(
                try parameters(Methods.Set.self), for: self, descriptors: call.descriptors
            ) { self.answer($0) }
        case Methods.Clear.name: cancel = service.clear(try parameters(Methods.Clear.self)) { self.answer($0) }
        case Methods.Describe.name:
            cancel = service.describe(try parameters(Methods.Describe.self)) { self.answer($0) }
        case Methods.Count.name: service.count(try parameters(Methods.Count.self).pasteboard) { answer($0) }
        case Methods.GetOwner.name:
            service.owner(try parameters(Methods.GetOwner.self).pasteboard) { self.answer($0) }
        case Methods.List.name: answer(.reply(service.list()))
        case Methods.Status.name: answer(.reply(service.status()))
        case Methods.Monitor.name: try monitor(call, try parameters(Methods.Monitor.self))
        case Methods.Read.name: answer(.reply(try transfers.read(try parameters(Methods.Read.self))))
        case Methods.Begin.name: answer(.reply(try transfers.begin()))
        case Methods.Append.name: answer(.reply(try transfers.append(try parameters(Methods.Append.self))))
        case Methods.Commit.name: answer(.reply(try transfers.commit(try parameters(Methods.Commit.self).handle)))
        case Methods.Release.name:
            try transfers.release(try parameters(Methods.Release.self).handle)
            answer(.reply(NoParameters()))
        case Methods.Attach.name: service.attach(try parameters(Methods.Attach.self)) { self.answer($0) }
        case Methods.Declare.name: answer(service.declare(try parameters(Methods.Declare.self).types))
        case Methods.Stop.name:
            answer(.reply(NoParameters()))
            service.onStop()
        default: throw ServiceInterface.unknown(call.method)
        }
    }

    private func monitor(_ call: IncomingCall, _ parameters: Methods.Monitor.Parameters) throws {
        // Without `more` a client takes one reply, and would never be told of an end.
        guard call.more else { throw VarlinkError.expectedMore }
        cancel = service.monitor(parameters) {
            self.stream($0)
        } _: {
            self.answer(Answer<NoParameters>.failure($0))
        }
    }
}
