import LinuxSystem
import PasteboardWire

/// The promises of one `Set`, and the call itself, which stays open for as long as any may be asked for.
final class PromiseSet {
    private let send: (Methods.Set.Reply) -> Void
    private let finish: (Methods.Set.Reply) -> Void
    private let issue: (Promise) -> String
    private(set) var promises: [String: Promise] = [:]
    /// Set with the first reply. What is wanted before is asked for after it.
    private var counts: [Int]?
    private var wanted: [Promise] = []
    private var isFinished = false
    /// Whether newer contents made some of them void.
    private var isReplaced = false

    /// - Parameters:
    ///   - issue: Gives a ticket, with which the client answers.
    ///   - send: Sends a reply after which others follow.
    ///   - finish: Sends the last one.
    init(
        issue: @escaping (Promise) -> String, send: @escaping (Methods.Set.Reply) -> Void,
        finish: @escaping (Methods.Set.Reply) -> Void
    ) {
        self.issue = issue
        self.send = send
        self.finish = finish
    }

    /// The promise of that name.
    func promise(named name: String) -> Promise {
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

    /// The contents are on the pasteboards.
    func begin(counts: [Int]) {
        self.counts = counts
        send(Methods.Set.Reply(counts: counts))
        askForWanted()
        for promise in promises.values { promise.placedEverywhere() }
        finishIfDone()
    }

    /// Whether nothing is outstanding.
    var isSettled: Bool { isFinished && !promises.values.contains(where: \.isOpen) }

    /// Nobody will keep them: the contents were not written, or the client is gone.
    func abandon(_ reason: String) {
        isFinished = true
        for promise in promises.values { promise.break(reason) }
    }

    private func askForWanted() {
        guard let counts, !isFinished else { return }
        let now = wanted
        wanted = []
        for promise in now {
            send(
                Methods.Set.Reply(
                    counts: counts, wanted: WireWanted(promise: promise.name, ticket: issue(promise))))
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
