import PasteboardModel

/// The model's rules, implemented as simply as possible: lists that are searched from the beginning, and numbers that
/// are computed again each time.
struct ModelReference {
    private(set) var boards: [ModelBoard] = []
    private var written: [(name: String, time: Int)] = []
    private var gone: [(name: String, count: Int)] = []
    private var floor = 0
    private var lines: [(name: String, line: Line)] = []

    struct Failure: Error {
        let words: String
    }

    init() {
        for name in ModelOperation.systemNames {
            boards.append(ModelBoard(name: name, count: 0, since: 0, isPersistent: true))
            lines.append((name, Line()))
        }
    }

    mutating func apply(_ operation: ModelOperation, at time: Int) -> ModelOutcome {
        let before = self
        do throws(Failure) {
            return try perform(operation, time)
        } catch {
            self = before
            return .failed(error.words)
        }
    }

    func board(_ name: String) -> ModelBoard? { boards.first { $0.name == name } }

    func undo(_ name: String) -> ModelUndo {
        guard let line = lines.first(where: { $0.name == name })?.line else { return ModelUndo() }
        let (past, future) = (line.moments[..<line.gap], line.moments[line.gap...].reversed())
        return ModelUndo(
            undoable: past.map(\.held), redoable: future.map(\.held), undoActions: past.map(\.action),
            redoActions: future.map(\.action))
    }

    private func place(_ name: String) throws(Failure) -> Int {
        for index in boards.indices where boards[index].name == name { return index }
        throw Failure(words: "absent \(name)")
    }

    private mutating func perform(_ operation: ModelOperation, _ time: Int) throws(Failure) -> ModelOutcome {
        switch operation {
        case .write(let name, let draft, let way, let behind, let action, let event):
            try checkCount(name, behind: behind)
            let present = board(name)?.held ?? ModelBoard.Held()
            let new = try written(draft, way, on: present, age: time - (writtenTime(name) ?? time))
            if board(name) == nil { try make(name, clients: nil, isPersistent: false, time) }
            return try change(name, held: new, window: nil, time, action, event)
        case .clear(let name):
            let board = boards[try place(name)]
            if board.held == nil && board.window == nil { return .nothing }
            return try change(name, held: nil, window: nil, time, "Clear", nil)
        case .foreign(let name, let window): return try change(name, held: nil, window: window, time, nil, nil)
        case .adopt(let name, let window):
            let index = try place(name)
            boards[index].held = nil
            boards[index].window = window
            boards[index].since = time
            return .nothing
        case .revise(let name):
            let index = try place(name)
            if let held = boards[index].held { boards[index].held?.localOnly = !held.localOnly }
            return .nothing
        case .create(let name, let client, let lasting, let persistent, let hidden):
            return try create(name, for: client, lasting: lasting, persistent: persistent, hidden: hidden, time)
        case .createUnique(let bits, let client): return try createUnique(bits, for: client, time)
        case .persist(let name, let isPersistent, let client): return try persist(name, isPersistent, for: client)
        case .remove(let name):
            _ = try place(name)
            if ModelOperation.systemNames.contains(name) { throw Failure(words: "system \(name)") }
            return .steps([remove(name)])
        case .leave(let client): return .steps(try removeClient(client))
        case .undo(let name): return try restore(name, time) { $0.back($1) }
        case .redo(let name): return try restore(name, time) { $0.forth($1) }
        case .limits(let name, let levels, let budget):
            setLimits(of: name, levels: levels, budget: budget)
            return .nothing
        case .read(let name, let items): return try read(board(name)?.held?.items ?? [], items)
        }
    }

    private func checkCount(_ name: String, behind: Int?) throws(Failure) {
        guard let behind else { return }
        let board = boards[try place(name)]
        if behind != 0 { throw Failure(words: "count of \(name) \(board.count)") }
    }

    private func writtenTime(_ name: String) -> Int? { written.last { $0.name == name }?.time }

    // MARK: Pasteboards

    private mutating func create(
        _ name: String, for client: Int, lasting: Bool, persistent: Bool, hidden: Bool, _ time: Int
    ) throws(Failure) -> ModelOutcome {
        let isHidden = board(name)?.isHidden ?? hidden
        if isHidden && persistent { throw Failure(words: "hidden \(name)") }
        if board(name) == nil {
            try make(name, clients: lasting ? nil : [client], isPersistent: persistent, isHidden: hidden, time)
            return .made(true)
        }
        if hidden && !isHidden { throw Failure(words: "visible \(name)") }
        let index = try place(name)
        if lasting { boards[index].clients = nil }
        if let clients = boards[index].clients, !clients.contains(client) {
            boards[index].clients = (clients + [client]).sorted()
        }
        if persistent { boards[index].isPersistent = true }
        return .made(false)
    }

    private mutating func createUnique(_ bits: Int, for client: Int, _ time: Int) throws(Failure) -> ModelOutcome {
        var bits = bits
        func isTaken(_ name: String) -> Bool { board(name) != nil || gone.contains { $0.name == name } }
        while isTaken(ModelOperation.uniqueName(bits)) { bits += 1 }
        try make(ModelOperation.uniqueName(bits), clients: [client], isPersistent: false, time)
        return .name(ModelOperation.uniqueName(bits))
    }

    private mutating func persist(
        _ name: String, _ isPersistent: Bool, for client: Int
    ) throws(Failure) -> ModelOutcome {
        let index = try place(name)
        if ModelOperation.systemNames.contains(name) {
            if isPersistent { return .nothing }
            throw Failure(words: "system \(name)")
        }
        if isPersistent, boards[index].isHidden { throw Failure(words: "hidden \(name)") }
        boards[index].isPersistent = isPersistent
        if !isPersistent, boards[index].clients == [] { boards[index].clients = [client] }
        return .nothing
    }

    private mutating func removeClient(_ client: Int) throws(Failure) -> [ModelStep] {
        var steps: [ModelStep] = []
        for name in boards.map(\.name).sorted() {
            let index = try place(name)
            guard let clients = boards[index].clients, clients.contains(client) else { continue }
            boards[index].clients = clients.filter { $0 != client }
            if clients == [client] && !boards[index].isPersistent { steps.append(remove(name)) }
        }
        return steps
    }

    private mutating func make(
        _ name: String, clients: [Int]?, isPersistent: Bool, isHidden: Bool = false, _ time: Int
    ) throws(Failure) {
        if boards.count >= ModelSubject.limit { throw Failure(words: "full \(boards.count)") }
        let count = gone.first { $0.name == name }?.count ?? floor
        gone.removeAll { $0.name == name }
        boards.append(
            ModelBoard(
                name: name, count: count, since: time, isPersistent: isPersistent, isHidden: isHidden, clients: clients)
        )
    }

    private mutating func remove(_ name: String) -> ModelStep {
        let count = (board(name)?.count ?? 0) + 1
        boards.removeAll { $0.name == name }
        gone.append((name, count))
        if gone.count > ModelSubject.remembered {
            floor = max(floor, gone[0].count)
            gone.removeFirst()
        }
        return ModelStep(name: ModelOperation.name(name), count: count, isRemoval: true)
    }

    private mutating func change(
        _ name: String, held: ModelBoard.Held?, window: UInt32?, _ time: Int, _ action: String?, _ event: Int?
    ) throws(Failure) -> ModelOutcome {
        let former = boards[try place(name)].held
        for index in lines.indices where lines[index].name == name { lines[index].line.change(former, action, event) }
        return .steps([try put(name, held, window, time)])
    }

    private mutating func put(
        _ name: String, _ held: ModelBoard.Held?, _ window: UInt32?, _ time: Int
    ) throws(Failure) -> ModelStep {
        let index = try place(name)
        boards[index].held = held
        boards[index].window = window
        boards[index].since = time
        boards[index].count += 1
        written.removeAll { $0.name == name }
        written.append((name, time))
        return ModelStep(name: ModelOperation.name(name), count: boards[index].count)
    }

    private mutating func setLimits(of name: String, levels: Int, budget: Int) {
        for index in lines.indices where lines[index].name == name {
            lines[index].line.levels = levels
            lines[index].line.shorten()
            lines[index].line.budget = budget
            lines[index].line.shorten()
        }
    }

    private mutating func restore(
        _ name: String, _ time: Int, _ take: (inout Line, ModelBoard.Held?) -> ModelBoard.Held??
    ) throws(Failure) -> ModelOutcome {
        for index in lines.indices where lines[index].name == name {
            guard let held = take(&lines[index].line, board(name)?.held) else { return .nothing }
            return .steps([try put(name, held, nil, time)])
        }
        return .nothing
    }
}
