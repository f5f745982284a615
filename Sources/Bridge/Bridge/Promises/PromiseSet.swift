package import BridgeState
package import PasteboardWire

/// The promises of one `Set`, and the call itself, which stays open as long as any of them may be asked for.
package final class PromiseSet {
    private let send: (Methods.Set.Reply) -> Void
    private let finish: (Methods.Set.Reply) -> Void
    private let issueTicket: (Promise) -> String
    private(set) var promises: [String: Promise] = [:]
    /// The counts in the first reply; nil before it. After it, the client is asked for the promises that readers want.
    private var counts: [Int]?
    private var wanted: [Promise] = []
    private var isFinished = false
    /// True if newer contents voided some of the promises.
    private var isReplaced = false

    /// - Parameters:
    ///   - issueTicket: Returns a ticket with which the client answers.
    ///   - send: Sends a reply that others follow.
    ///   - finish: Sends the last reply.
    package init(
        issueTicket: @escaping (Promise) -> String, send: @escaping (Methods.Set.Reply) -> Void,
        finish: @escaping (Methods.Set.Reply) -> Void
    ) {
        self.issueTicket = issueTicket
        self.send = send
        self.finish = finish
    }

    package func promise(named name: String) -> Promise {
        if let promise = promises[name] { return promise }
        let promise = Promise(name: name) { [unowned self] promise in
            wanted.append(promise)
            askForWanted()
        } onEnd: { [weak self] promise in
            self?.ended(promise)
        }
        promises[name] = promise
        return promise
    }

    /// Takes over a broken promise that has the name of one of these.
    func renew(_ broken: Promise) {
        guard broken.isBroken, promises[broken.name] != nil else { return }
        promises[broken.name] = broken
        broken.reopen { [unowned self] promise in
            wanted.append(promise)
            askForWanted()
        } onEnd: { [weak self] promise in
            self?.ended(promise)
        }
    }

    /// Sends the first reply: the contents are on the pasteboards.
    package func start(counts: [Int]) {
        self.counts = counts
        send(Methods.Set.Reply(counts: counts))
        askForWanted()
        for promise in promises.values { promise.finishPlacing() }
        finishIfDone()
    }

    /// True if the call has ended and no promise is open.
    package var isSettled: Bool { isFinished && !promises.values.contains(where: \.isOpen) }

    /// Breaks all promises: the contents were not written, or the client is gone.
    package func abandon(_ reason: String) {
        isFinished = true
        for promise in promises.values { promise.fail(reason) }
    }

    private func askForWanted() {
        guard let counts, !isFinished else { return }
        let now = wanted
        wanted = []
        for promise in now {
            send(
                Methods.Set.Reply(
                    counts: counts, wanted: WireWanted(promise: promise.name, ticket: issueTicket(promise))))
        }
    }

    private func ended(_ promise: Promise) {
        if promise.isVoid, promise.bytes == nil { isReplaced = true }
        finishIfDone()
    }

    private func finishIfDone() {
        guard let counts, !isFinished, promises.values.allSatisfy({ !$0.isOpen || $0.isVoid }) else { return }
        isFinished = true
        finish(Methods.Set.Reply(counts: counts, ended: isReplaced ? .replaced : .kept))
    }
}
