import FoundationEssentials
import PasteboardWire
import Synchronization

/// Bytes that are made on demand. A promise is identified by its object identity.
final class Promise: Sendable {
    let provider: @Sendable () async throws -> Data

    init(_ provider: @escaping @Sendable () async throws -> Data) {
        self.provider = provider
    }
}

/// The promises of one call.
///
/// The bridge requests the promised bytes on the call's connection. The connection stays open as long as the task that
/// serves it is running. Closing the connection breaks the remaining promises.
final class PromiseSet: Sendable {
    let pasteboard: String
    /// The promises by the names under which the bridge requests them. A promise is removed when it is requested.
    private let promises: Mutex<[String: Promise]>
    private let formerOwner: (@Sendable () -> Void)?
    /// The completion of the bridge's requests.
    let end = Completion<Void>()
    /// True if a provider threw, or the bridge ended. Promises that newer contents made void do not count.
    private let isBroken = Mutex(false)

    init(pasteboard: String, _ promises: [String: Promise], formerOwner: (@Sendable () -> Void)?) {
        self.pasteboard = pasteboard
        self.promises = Mutex(promises)
        self.formerOwner = formerOwner
    }

    /// True if every promise was fulfilled or became void.
    var isFulfilled: Bool { end.isDone && !isBroken.withLock { $0 } }

    /// Starts answering the bridge. `stream` is the stream of the call; its first reply, which has no request, may have
    /// been read.
    func serve(_ stream: ReplyStream, by client: Client) {
        client.promises.add(self)
        Task.detached(executorPreference: WorkExecutor.shared) { [self] in
            await serve(stream, client)
        }
    }

    /// Answers the bridge until its requests have ended and all are answered: a reader that began before newer contents
    /// came still receives the promised bytes.
    private func serve(_ stream: ReplyStream, _ client: Client) async {
        await withDiscardingTaskGroup { group in
            defer {
                client.promises.remove(self)
                end.complete(.success(()))
            }
            do {
                let end = try await requests(of: stream) { wanted, promise in
                    group.addTask { [self] in await answer(wanted, promise, client) }
                }
                if end == .replaced { formerOwner?() }
            } catch {
                // The bridge ended, or sent a malformed reply. No reader waits for the promises any longer.
                isBroken.withLock { $0 = true }
                group.cancelAll()
                formerOwner?()
            }
        }
    }

    /// Passes each request of the bridge, with its promise, to `answer`, and returns the reason why the requests ended.
    private func requests(
        of stream: ReplyStream, _ answer: (WireWanted, Promise?) -> Void
    ) async throws -> Methods.Set.Reply.Ending {
        while true {
            let reply = try await stream.next().decode(Methods.Set.self)
            if let wanted = reply.wanted {
                answer(wanted, promises.withLock { $0.removeValue(forKey: wanted.promise) })
            }
            if let end = reply.ended { return end }
        }
    }

    private func answer(_ wanted: WireWanted, _ promise: Promise?, _ client: Client) async {
        do {
            guard let promise else {
                throw PasteboardError(code: .promiseBroken, message: "the promise was requested before")
            }
            try await Self.fulfill(wanted.ticket, try await promise.provider()).run(by: client)
        } catch {
            if !Task.isCancelled { isBroken.withLock { $0 = true } }
            // This fails if the bridge has ended, and then no reader needs the answer.
            _ = try? await Self.break(wanted.ticket, "\(error)").run(by: client)
        }
    }

    private static func fulfill(_ ticket: String, _ data: Data) -> Operation<Void> {
        Operation(Methods.Keep.self, .urgentWrite) { _ in
            var builder = Payload.Builder(concealed: false)
            let bytes = try builder.append(data)
            return .init(parameters: .init(ticket: ticket, bytes: bytes), payload: try builder.payload())
        } values: { _ in
        }
    }

    private static func `break`(_ ticket: String, _ message: String) -> Operation<Void> {
        Operation(Methods.Break.self, .urgentWrite) { _ in
            .init(ticket: ticket, message: message)
        } value: { _, _ in
        }
    }
}

/// The sets of promises that a client has not fulfilled yet.
final class PromiseRegister: Sendable {
    private let sets = Mutex<[ObjectIdentifier: PromiseSet]>([:])

    var all: [PromiseSet] { sets.withLock { Array($0.values) } }

    func add(_ set: PromiseSet) {
        sets.withLock { $0[ObjectIdentifier(set)] = set }
    }

    func remove(_ set: PromiseSet) {
        sets.withLock { $0[ObjectIdentifier(set)] = nil }
    }
}

extension Client {
    /// Fulfills all outstanding promises, as far as time allows.
    ///
    /// The client reads the promised contents itself, like any other reader, so the bridge still requests each promise
    /// once. This is not a paste, so contents with the option `once` stay.
    ///
    /// - Returns: true if all promises were fulfilled or became void.
    func keepPromises(within time: Duration) async -> Bool {
        let sets = promises.all
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in await read(sets) }
            group.addTask { try? await Task.sleep(for: time) }
            await group.next()
            group.cancelAll()
        }
        return sets.allSatisfy(\.isFulfilled)
    }

    private func read(_ sets: [PromiseSet]) async {
        await withDiscardingTaskGroup { readers in
            for set in sets { readers.addTask { [self] in await read(set) } }
        }
    }

    private func read(_ set: PromiseSet) async {
        guard let pasteboard = try? Pasteboard(name: set.pasteboard) else { return }
        _ = try? await pasteboard.representations(ofTypes: nil, inItemSet: nil, watching: true).run(by: self)
        try? await set.end.value(isAbandoned: false)
    }
}
