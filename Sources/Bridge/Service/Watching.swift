import EventLoop
import PasteboardModel
import PasteboardWire
import SelectionProtocol
import UniformTypes

/// Watching: `Monitor`.
extension Service {
    func monitor(
        _ parameters: Methods.Monitor.Parameters, _ send: @escaping (Methods.Monitor.Reply) -> Bool,
        _ fail: @escaping (BridgeError) -> Void
    ) -> Cancel? {
        do throws(BridgeError) {
            let boards = try boardsToWrite(try Self.names(parameters.pasteboards))
            // An owner's types are waited for shorter than bytes would be: a line that comes late is a line missed.
            let monitor = Monitor(
                boards: boards, wantsTypes: parameters.types ?? false,
                patience: CallTimeout.of(parameters.timeout ?? 1_000), send: send)
            monitors.append(monitor)
            for board in boards {
                let isLate = parameters.since.map { board.count > $0 } ?? false
                if isLate || parameters.initial ?? false {
                    announce(board, to: [monitor])
                } else if monitor.wantsTypes {
                    learnTypes(of: board, for: monitor)
                }
            }
            if monitor.isEnded { return nil }
            return { [unowned self] in monitors.removeAll { $0 === monitor } }
        } catch {
            fail(error)
            return nil
        }
    }

    /// A pasteboard changed: every monitor of it is told, in order, each step once.
    func stepped(_ board: PasteboardState) {
        announce(board, to: monitors.filter { $0.watches(board) })
    }

    /// A pasteboard is gone: those who watch it are told.
    func told(removed board: PasteboardState) {
        announce(board, to: monitors.filter { $0.watches(board) }, isGone: true)
    }

    /// What is there when a watch begins, so that the first step can tell what came and went with it.
    private func learnTypes(of board: PasteboardState, for monitor: Monitor) {
        if let known = knownTypes(of: board) { return monitor.learn(known, of: board) }
        let count = board.count
        ForeignReader(link: link, selection: board.selection, silence: monitor.patience).types { result in
            guard let offered = try? result.get(), board.count == count else { return }
            monitor.learn(offered.map(\.type), of: board)
        }
    }

    /// Tells a step, once those before it are told. Telling one client may show that another is gone, and with it a
    /// pasteboard: that is a step, too, and comes behind this one.
    private func announce(_ board: PasteboardState, to monitors: [Monitor], isGone: Bool = false) {
        guard !monitors.isEmpty else { return }
        announcements.append(
            Announcement(
                board: board, count: board.count, owner: owner(of: board), types: isGone ? [] : knownTypes(of: board),
                isGone: isGone, monitors: monitors))
        guard !isAnnouncing else { return }
        isAnnouncing = true
        while let announcement = announcements.next() { tell(announcement) }
        isAnnouncing = false
    }

    private func tell(_ step: Announcement) {
        let (board, count) = (step.board, step.count)
        for monitor in step.monitors {
            monitor.append(
                board, count: count, owner: step.owner, types: monitor.wantsTypes ? step.types : [],
                isGone: step.isGone)
        }
        if step.monitors.contains(where: \.isEnded) { monitors.removeAll(where: \.isEnded) }
        let asking = step.monitors.filter(\.wantsTypes)
        guard step.types == nil, !asking.isEmpty else { return }
        // Asked once for all who watch; a newer change makes the question idle, and its answer comes empty.
        let patience = asking.map(\.patience).min() ?? CallTimeout.usual
        let reader = ForeignReader(link: link, selection: board.selection, silence: patience)
        var types: [UniformType]?
        var owner: WireOwner?
        func resolve() {
            guard let types, let owner else { return }
            let present = board.count == count ? types : nil
            for monitor in asking { monitor.resolve(board, count: count, types: present, owner: owner) }
        }
        reader.types { result in
            types = board.count == count ? (try? result.get())?.map(\.type) : nil
            guard types == nil else { return resolve() }
            for monitor in asking { monitor.resolve(board, count: count, types: nil) }
        }
        // The X server tells who it is while the owner makes its list.
        identified(step.owner) {
            owner = $0
            resolve()
        }
    }

    /// The types where they are known without asking anybody.
    private func knownTypes(of board: PasteboardState) -> [UniformType]? {
        switch board.holder {
        case .nobody: []
        case .client(let version): version.contents.types
        case .foreign: nil
        }
    }
}

/// A step as it was, and who is to be told.
struct Announcement {
    let board: PasteboardState
    let count: Int
    let owner: WireOwner
    /// Nil where the owner has to be asked.
    let types: [UniformType]?
    let isGone: Bool
    let monitors: [Monitor]
}

/// One call of `Monitor`: the steps it has not been told yet, in their order.
final class Monitor {
    private struct Step {
        let name: PasteboardName
        var reply: Methods.Monitor.Reply
        var types: [UniformType]
        /// Whether the types were told by the owner: one that was too slow, or has been replaced, told none.
        var isTold = true
        /// Whether the types are known, or nobody waits for them any more.
        var isComplete: Bool
    }

    let wantsTypes: Bool
    /// How long an owner may take to tell its types.
    let patience: Duration
    private let names: Set<PasteboardName>
    /// Returns whether it goes on.
    private let send: (Methods.Monitor.Reply) -> Bool
    /// Its client was too slow, and was told so, or is gone.
    private(set) var isEnded = false
    private var steps = Backlog<Step>()
    /// So many steps wait for the types of one before them. With more that one goes without: an owner may keep silent for
    /// as long as the call says.
    private static let mostWaiting = 256
    /// The types that each pasteboard had last, as far as they are known.
    private var types: [PasteboardName: [UniformType]] = [:]

    init(
        boards: [PasteboardState], wantsTypes: Bool, patience: Duration, send: @escaping (Methods.Monitor.Reply) -> Bool
    ) {
        names = Set(boards.map(\.name))
        self.wantsTypes = wantsTypes
        self.patience = patience
        self.send = send
    }

    func watches(_ board: PasteboardState) -> Bool { names.contains(board.name) }

    /// The next step. Without types it waits for ``resolve(_:count:types:)``; the types of an earlier step of the same
    /// pasteboard cannot be asked for any more.
    func append(_ board: PasteboardState, count: Int, owner: WireOwner, types: [UniformType]?, isGone: Bool = false) {
        if isEnded { return }
        for index in steps.indices where steps[index].name == board.name && !steps[index].isComplete {
            steps[index].isTold = false
            steps[index].isComplete = true
        }
        let reply = Methods.Monitor.Reply(
            pasteboard: board.name.string, count: count, owner: owner, types: [],
            gone: isGone ? true : nil)
        steps.append(Step(name: board.name, reply: reply, types: types ?? [], isComplete: types != nil))
        let oldest = steps.startIndex
        if steps.count > Self.mostWaiting, !steps[oldest].isComplete {
            steps[oldest].isTold = false
            steps[oldest].isComplete = true
        }
        flush()
    }

    /// - Parameter types: Nil where the owner does not tell.
    func resolve(_ board: PasteboardState, count: Int, types: [UniformType]?, owner: WireOwner? = nil) {
        for index in steps.indices
        where steps[index].name == board.name && steps[index].reply.count == count && !steps[index].isComplete {
            steps[index].types = types ?? []
            steps[index].isTold = types != nil
            if let owner { steps[index].reply.owner = owner }
            steps[index].isComplete = true
        }
        flush()
    }

    private func flush() {
        while let first = steps.first, first.isComplete {
            _ = steps.next()
            guard send(wantsTypes ? compared(first) : first.reply) else {
                isEnded = true
                steps = Backlog()
                return
            }
        }
    }

    /// The types of a pasteboard before the first step that is told.
    func learn(_ types: [UniformType], of board: PasteboardState) {
        guard self.types[board.name] == nil, !steps.contains(where: { $0.name == board.name }) else { return }
        self.types[board.name] = types
    }

    /// The step with the types that came and went with it.
    private func compared(_ step: Step) -> Methods.Monitor.Reply {
        var reply = step.reply
        reply.types = step.types.map(\.identifier)
        guard step.isTold else { return reply }
        let change = TypeChange(from: types.updateValue(step.types, forKey: step.name) ?? [], to: step.types)
        reply.added = change.added.map(\.identifier)
        reply.removed = change.removed.map(\.identifier)
        return reply
    }
}
