import LinuxSystem
import Logging
import PasteboardModel
import PasteboardStore
import PasteboardWire

/// Going back to earlier contents and forth again: `Undo` and `Redo`.
extension Service {
    enum Direction {
        case back, forth
    }

    /// One step of the count, however many contents are passed over.
    func travel(
        _ direction: Direction, _ parameters: Methods.Steps, by client: ClientSession,
        _ finish: @escaping (Answer<Methods.Stepped>) -> Void
    ) {
        do throws(BridgeError) {
            guard !isLeaving else { throw .leaving }
            let steps = parameters.steps ?? 1
            guard steps > 0 else { throw BridgeError(.refused, "\(steps) is no number of steps; give 1 or more") }
            let board = try board(named: parameters.pasteboard)
            board.turns.take { [self] done in
                travel(direction, steps, on: board, parameters, by: client) { result in
                    done()
                    finish(result.map { ($0, []) })
                }
            }
        } catch {
            finish(.failure(error))
        }
    }

    private func travel(
        _ direction: Direction, _ steps: Int, on board: PasteboardState, _ parameters: Methods.Steps, by client: ClientSession,
        _ finish: @escaping (Result<Methods.Stepped, BridgeError>) -> Void
    ) {
        do throws(BridgeError) {
            try BridgeError.told { () throws(PasteboardsError) in
                try table.value.check(board.name, ifCount: parameters.ifCount)
            }
            let (stack, target, count, action) = try Self.travel(direction, steps, on: board)
            contents(of: target) { [self] result in
                let draft: Draft
                switch result {
                case .failure(let error): return finish(.failure(error))
                case .success(nil):
                    // What is lost is passed over from now on.
                    target.deleted()
                    board.undo.removeAll { $0 === target }
                    return travel(direction, steps, on: board, parameters, by: client, finish)
                case .success(let found?): draft = found
                }
                let version = version(of: draft, by: client.writer, as: .travel(stack), kept: target)
                write(version, to: board, within: CallTimeout.of(parameters.timeout)) { result in
                    finish(result.map { Methods.Stepped(count: $0, steps: count, action: action) })
                }
            }
        } catch {
            finish(.failure(error))
        }
    }

    /// Where so many steps lead to, fewer where there are no more.
    private static func travel(
        _ direction: Direction, _ steps: Int, on board: PasteboardState
    ) throws(BridgeError) -> (stack: UndoStack<RestorableContents>, target: RestorableContents, steps: Int, action: String?) {
        var stack = board.undo
        var present = board.kept ?? .nothing
        var action: String?
        var count = 0
        while count < steps {
            let name = direction == .back ? stack.undoAction : stack.redoAction
            guard let next = direction == .back ? stack.undo(from: present) : stack.redo(from: present) else { break }
            (present, action) = (next, name)
            count += 1
        }
        guard count > 0 else {
            let what = direction == .back ? "undone" : "redone"
            throw BridgeError(.empty, "there is nothing to be \(what) on the pasteboard '\(board.name)'")
        }
        return (stack, present, count, action)
    }

    /// Earlier contents, from memory or from the store; nil where they are lost.
    private func contents(of kept: RestorableContents, _ finish: @escaping (Result<Draft?, BridgeError>) -> Void) {
        if let draft = kept.draft { return finish(.success(draft)) }
        guard let entry = kept.entry else { return finish(.success(nil)) }
        store.ask { store throws(StoreFailure) in
            try store.contents(of: entry)
        } _: { result in
            finish(result.map { $0.map { Draft($0) } }.mapError { BridgeError($0) })
        }
    }
}

extension Draft {
    /// As the store has them.
    init(_ stored: StoredContents, expiry: ContinuousClock.Instant? = nil) {
        self.init(
            stored.contents, blobs: stored.files.map { .file($0) }, expiry: expiry,
            options: ContentsOptions(localOnly: stored.isLocalOnly))
    }
}
