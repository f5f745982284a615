import FoundationEssentials
import PasteboardWire
import Synchronization

/// The promises of one call, kept or void together with it.
///
/// The connection of the call says which are wanted. It is open for as long as this task runs, and its end breaks what
/// is left.
final class PromiseSet: Sendable {
    let pasteboard: String
    /// By the names that the bridge asks for them by. Each is taken out when it is asked for.
    private let promises: Mutex<[String: Promise]>
    private let formerOwner: (@Sendable () -> Void)?
    /// Done when the bridge wants no more.
    let end = Completion<Void>()
    /// Whether a provider threw, or the bridge ended. What newer contents made void nobody can want any more.
    private let isBroken = Mutex(false)

    init(pasteboard: String, _ promises: [String: Promise], formerOwner: (@Sendable () -> Void)?) {
        self.pasteboard = pasteboard
        self.promises = Mutex(promises)
        self.formerOwner = formerOwner
    }

    /// Whether all that could be wanted were given.
    var isKept: Bool { end.isDone && !isBroken.withLock { $0 } }

    /// Answers the bridge until it wants no more.
    ///
    /// - Parameter stream: Behind its first reply.
    func keep(_ stream: ReplyStream, by client: Client) {
        client.promises.add(self)
        Task.detached { [self] in
            await serve(stream, client)
        }
    }

    /// It ends when the bridge wants no more and all it asked for was answered: who had begun to read when newer contents
    /// came still gets what was promised.
    private func serve(_ stream: ReplyStream, _ client: Client) async {
        await withDiscardingTaskGroup { group in
            defer {
                client.promises.remove(self)
                end.complete(.success(()))
            }
            do {
                while true {
                    let reply = try await stream.next().decode(Methods.Set.self)
                    if let wanted = reply.wanted {
                        let promise = promises.withLock { $0.removeValue(forKey: wanted.promise) }
                        group.addTask { [self] in await answer(wanted, promise, client) }
                    }
                    switch reply.ended {
                    case .kept: return
                    case .replaced: return formerOwner?() ?? ()
                    case nil: break
                    }
                }
            } catch {
                // The bridge ended, or what it says makes no sense: it asks for no more, and wants no answer.
                isBroken.withLock { $0 = true }
                group.cancelAll()
                formerOwner?()
            }
        }
    }

    private func answer(_ wanted: WireWanted, _ promise: Promise?, _ client: Client) async {
        do {
            guard let promise else { throw PasteboardError(code: .promiseBroken, message: "it was asked for before") }
            try await Self.keep(wanted.ticket, try await promise.provider()).run(by: client)
        } catch {
            if !Task.isCancelled { isBroken.withLock { $0 = true } }
            // Where the bridge is gone there is nobody to tell.
            _ = try? await Self.break(wanted.ticket, "\(error)").run(by: client)
        }
    }

    private static func keep(_ ticket: String, _ data: Data) -> Operation<Void> {
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
