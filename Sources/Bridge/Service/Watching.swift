import PasteboardModel
import PasteboardWire
import SelectionProtocol
import UniformTypes

/// Watching: `Monitor`.
extension Service {
    func monitor(
        _ parameters: Methods.Monitor.Parameters, _ send: @escaping (Methods.Monitor.Reply) -> Void,
        _ fail: @escaping (BridgeError) -> Void
    ) -> Cancel? {
        do throws(BridgeError) {
            var boards: [Board] = []
            for name in parameters.pasteboards {
                let board = try boardToWrite(named: name)
                if !boards.contains(where: { $0 === board }) { boards.append(board) }
            }
            guard !boards.isEmpty else { throw BridgeError(.invalidName, "no pasteboard is named") }
            // An owner's types are waited for shorter than bytes would be: a line that comes late is a line missed.
            let monitor = Monitor(
                boards: boards, wantsTypes: parameters.types ?? false,
                patience: Patience.of(parameters.timeout ?? 1_000), send: send)
            monitors.append(monitor)
            for board in boards {
                let isLate = parameters.since.map { board.count > $0 } ?? false
                if isLate || parameters.initial ?? false { step(board, for: [monitor]) }
            }
            return { [unowned self] in monitors.removeAll { $0 === monitor } }
        } catch {
            fail(error)
            return nil
        }
    }

    /// A pasteboard changed: every monitor of it is told, in order, each step once.
    func stepped(_ board: Board) {
        let interested = monitors.filter { $0.watches(board) }
        guard !interested.isEmpty else { return }
        step(board, for: interested)
    }

    private func step(_ board: Board, for monitors: [Monitor]) {
        let count = board.count
        let known = knownTypes(of: board)
        for monitor in monitors {
            monitor.append(board, owner: owner(of: board), types: monitor.wantsTypes ? known : [])
        }
        let asking = monitors.filter(\.wantsTypes)
        guard known == nil, !asking.isEmpty else { return }
        // Asked once for all who watch; a newer change makes the question idle, and its answer comes empty.
        let patience = asking.map(\.patience).min() ?? Patience.usual
        let reader = ForeignReader(link: link, selection: board.selection, silence: patience)
        reader.types { result in
            let types = (try? result.get())?.map(\.type.identifier) ?? []
            for monitor in asking { monitor.resolve(board, count: count, types: board.count == count ? types : []) }
        }
    }

    /// The types where they are known without asking anybody.
    private func knownTypes(of board: Board) -> [String]? {
        switch board.holder {
        case .nobody: []
        case .client(let version): version.contents.types.map(\.identifier)
        case .foreign: nil
        }
    }
}

/// One call of `Monitor`: the steps it has not been told yet, in their order.
final class Monitor {
    private struct Step {
        let board: Board
        var reply: Methods.Monitor.Reply
        /// Whether the types are known, or nobody waits for them any more.
        var isComplete: Bool
    }

    let wantsTypes: Bool
    /// How long an owner may take to tell its types.
    let patience: Duration
    private let boards: [Board]
    private let send: (Methods.Monitor.Reply) -> Void
    private var steps: [Step] = []

    init(
        boards: [Board], wantsTypes: Bool, patience: Duration, send: @escaping (Methods.Monitor.Reply) -> Void
    ) {
        self.boards = boards
        self.wantsTypes = wantsTypes
        self.patience = patience
        self.send = send
    }

    func watches(_ board: Board) -> Bool { boards.contains { $0 === board } }

    /// The next step. Without types it waits for ``resolve(_:count:types:)``; the types of an earlier step of the same
    /// pasteboard cannot be asked for any more.
    func append(_ board: Board, owner: WireOwner, types: [String]?) {
        for index in steps.indices where steps[index].board === board { steps[index].isComplete = true }
        let reply = Methods.Monitor.Reply(
            pasteboard: board.name.string, count: board.count, owner: owner, types: types ?? [])
        steps.append(Step(board: board, reply: reply, isComplete: types != nil))
        flush()
    }

    func resolve(_ board: Board, count: Int, types: [String]) {
        for index in steps.indices where steps[index].board === board && steps[index].reply.count == count {
            steps[index].reply.types = types
            steps[index].isComplete = true
        }
        flush()
    }

    private func flush() {
        while let first = steps.first, first.isComplete {
            steps.removeFirst()
            send(first.reply)
        }
    }
}
