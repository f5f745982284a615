package import BridgeState
package import PasteboardWire

/// The promises of one `Set`, and the call itself, which stays open as long as any promise may be asked for.
package final class PromiseSet {
    private let send: (Methods.Set.Reply) -> Void
    private let finish: (Methods.Set.Reply) -> Void
    private let issueTicket: (Promise) -> String
    /// The promises by the names that the call gives them.
    private var promises: [String: Promise] = [:]
    /// Each promise that this call keeps. A renewed promise takes the name of another promise, which may be on other
    /// pasteboards.
    private var all: [Promise] = []
    /// The counts in the first reply; nil before that reply. Afterwards, the client is asked for the promises that
    /// readers want.
    private var counts: [Int]?
    private var wanted: [Promise] = []
    private var isFinished = false
    /// True if newer contents voided some of the promises.
    private var isReplaced = false

    /// - Parameters:
    ///   - issueTicket: Returns a ticket with which the client answers.
    ///   - send: Sends a reply that is not the last.
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
        let promise = Promise(name: name, ask: { [weak self] in Self.ask($0, of: self) }) { [weak self] promise in
            self?.ended(promise)
        }
        promises[name] = promise
        all.append(promise)
        return promise
    }

    /// Takes over a broken promise that has the name of a promise of this call.
    package func renew(_ broken: Promise) {
        guard !isFinished, broken.isBroken, promises[broken.name] != nil else { return }
        promises[broken.name] = broken
        all.append(broken)
        broken.reopen(by: self) { [weak self] in
            Self.ask($0, of: self)
        } onEnd: { [weak self] promise in
            self?.ended(promise)
        }
    }

    /// Asks the client for a promise. The call may have ended before all promises were placed.
    private static func ask(_ promise: Promise, of set: PromiseSet?) {
        guard let set, !set.isFinished else { return promise.fail("the program that promised these bytes has ended") }
        set.wanted.append(promise)
        set.askForWanted()
    }

    /// Sends the first reply: the contents are on the pasteboards.
    package func start(counts: [Int]) {
        self.counts = counts
        send(Methods.Set.Reply(counts: counts))
        askForWanted()
        for promise in all { promise.finishPlacing() }
        finishIfDone()
    }

    /// True if the call has ended and no promise is open.
    package var isSettled: Bool { isFinished && !all.contains(where: \.isOpen) }

    /// Breaks all promises: the contents were not written, or the client is gone.
    package func abandon(_ reason: String) {
        isFinished = true
        // Another call may have renewed a promise that this call broke.
        for promise in all where promise.keeper == nil || promise.keeper === self { promise.fail(reason) }
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
        guard let counts, !isFinished, all.allSatisfy({ !$0.isOpen || $0.isVoid }) else { return }
        isFinished = true
        finish(Methods.Set.Reply(counts: counts, ended: isReplaced ? .replaced : .kept))
    }
}
