import PasteboardModel
import UniformTypes

/// The model under test, with operations performed as a bridge performs them.
struct ModelSubject {
    struct Held: Equatable {
        var contents = Contents()
        var options = ContentsOptions()
        var sources = 0
        var written: Int
    }

    typealias Registry = Pasteboards<Held, Int>

    static let limit = 9
    static let remembered = 3

    private(set) var registry = Registry(at: 0, limit: Self.limit, remembered: Self.remembered)
    private var undo: [PasteboardName: UndoStack<Held?>] = [:]
    /// The report of a change that a failed operation made.
    private(set) var brokenPromise: String?

    init() {
        for name in ModelOperation.systemNames.map(ModelOperation.name) {
            undo[name] = UndoStack(levels: 3, budget: 40) { held in
                held?.contents.items.flatMap(\.representations).reduce(0) { $0 + ($1.range?.count ?? 0) } ?? 0
            } isRestorable: { held in
                held.map { $0.contents.isRestorable(with: $0.options) } ?? true
            }
        }
    }

    mutating func apply(_ operation: ModelOperation, at time: Int) -> ModelOutcome {
        do {
            return try perform(operation, at: time)
        } catch let error as PasteboardsError {
            return .failed(Self.words(error))
        } catch let error as NoSuchItem {
            return .failed("item \(error.item) of \(error.count)")
        } catch {
            return .failed("\(error)")
        }
    }

    private static func words(_ error: PasteboardsError) -> String {
        switch error {
        case .noSuchPasteboard(let name): "absent \(name)"
        case .belongsToSystem(let name): "system \(name)"
        case .tooMany(let count): "full \(count)"
        case .visible(let name): "visible \(name)"
        case .hidden(let name): "hidden \(name)"
        case .countMismatch(let name, let count): "count of \(name) \(count)"
        }
    }

    private mutating func perform(_ operation: ModelOperation, at time: Int) throws -> ModelOutcome {
        switch operation {
        case .write(let name, let draft, let way, let behind, let action, let event):
            return try write(
                ModelOperation.name(name), draft, way, behind: behind, action: action, event: event, at: time)
        case .clear(let name):
            guard try registry.find(ModelOperation.name(name)).holder != .nobody else { return .nothing }
            return try change(ModelOperation.name(name), to: .nobody, at: time, action: "Clear", event: nil)
        case .foreign(let name, let window):
            return try change(
                ModelOperation.name(name), to: .foreign(.window(window)), at: time, action: nil, event: nil)
        case .adopt(let name, let window): try adopt(ModelOperation.name(name), window, at: time)
        case .revise(let name): try revise(ModelOperation.name(name), at: time)
        case .create(let name, let client, let lasting, let persistent, let hidden):
            let name = ModelOperation.name(name)
            return .made(
                try changing { registry throws(PasteboardsError) in
                    try registry.create(
                        name, for: client, lasting: lasting, persistent: persistent, hidden: hidden, at: time)
                })
        case .createUnique(let bits, let client): return try createUnique(bits, for: client, at: time)
        case .persist(let name, let isPersistent, let client):
            try changing { registry throws(PasteboardsError) in
                try registry.setPersistent(ModelOperation.name(name), isPersistent, for: client)
            }
        case .remove(let name): return try remove(ModelOperation.name(name))
        case .leave(let client): return .steps(registry.removeClient(client).map(Self.step))
        case .undo(let name): return try restore(ModelOperation.name(name), at: time) { $0.undo(from: $1) }
        case .redo(let name): return try restore(ModelOperation.name(name), at: time) { $0.redo(from: $1) }
        case .limits(let name, let levels, let budget):
            undo[ModelOperation.name(name)]?.levels = levels
            undo[ModelOperation.name(name)]?.budget = budget
        case .read(let name, let items): return try read(ModelOperation.name(name), items)
        }
        return .nothing
    }

    private mutating func write(
        _ name: PasteboardName, _ draft: ModelOperation.Draft, _ way: ModelOperation.Way, behind: Int?,
        action: String?, event: Int?, at time: Int
    ) throws -> ModelOutcome {
        if let behind { try registry.check(name, ifCount: (registry[name]?.count ?? 0) - behind) }
        let new = try written(draft, way, on: held(name) ?? Held(written: time), at: time)
        _ = try changing { registry throws(PasteboardsError) in try registry.createForWriting(name, at: time) }
        return try change(name, to: .client(new), at: time, action: action, event: event)
    }

    private mutating func adopt(_ name: PasteboardName, _ window: UInt32?, at time: Int) throws {
        try changing { registry throws(PasteboardsError) in
            try registry.setHolder(name, window.map { .foreign(.window($0)) } ?? .nobody, at: time)
        }
    }

    private mutating func revise(_ name: PasteboardName, at time: Int) throws {
        var revised = held(name) ?? Held(written: time)
        revised.options.localOnly.toggle()
        try changing { registry throws(PasteboardsError) in try registry.updateContents(name, revised) }
    }

    private mutating func createUnique(_ bits: Int, for client: Int, at time: Int) throws -> ModelOutcome {
        .name(
            try changing { registry throws(PasteboardsError) in
                try registry.createUnique(random: UInt128(bits), for: client, at: time).string
            })
    }

    private mutating func remove(_ name: PasteboardName) throws -> ModelOutcome {
        let removal = try changing { registry throws(PasteboardsError) in try registry.remove(name) }
        return .steps([Self.step(removal)])
    }

    private static func step(_ removal: Registry.Removal) -> ModelStep {
        ModelStep(name: removal.former.name, count: removal.count, isRemoval: true)
    }

    private func read(_ name: PasteboardName, _ items: [Int]?) throws -> ModelOutcome {
        let contents = held(name)?.contents ?? Contents()
        let numbers = try contents.numbers(inItemSet: items)
        let types = try contents.types(inItemSet: items).map { $0.map(\.identifier) }
        return .found(numbers, types)
    }

    private func held(_ name: PasteboardName) -> Held? {
        if case .client(let held)? = registry[name]?.holder { held } else { nil }
    }

    private func written(
        _ draft: ModelOperation.Draft, _ way: ModelOperation.Way, on present: Held, at time: Int
    ) throws -> Held {
        var sources = 0
        let items = draft.items.map { types in
            Item(
                representations: types.compactMap(UniformType.init).map { type in
                    defer { sources += 1 }
                    let range = draft.isPromised ? nil : sources..<sources * 3
                    return Representation(type: type, source: sources, range: range)
                })
        }
        let options = ContentsOptions(expires: draft.expires.map { .seconds($0) }, localOnly: draft.localOnly)
        let all = present.options.appending(options, elapsed: .seconds(time - present.written))
        switch way {
        case .replacing:
            return Held(contents: Contents(items: items), options: options, sources: sources, written: time)
        case .appending:
            return Held(
                contents: present.contents.appending(Contents(items: items), after: present.sources), options: all,
                sources: present.sources + sources, written: time)
        case .into(let item):
            let added = try present.contents.adding(
                items.flatMap(\.representations), into: item, after: present.sources)
            let (contents, used) = added.withoutUnusedSources()
            return Held(contents: contents, options: all, sources: used.count, written: time)
        }
    }

    private mutating func change(
        _ name: PasteboardName, to holder: Registry.Holder, at time: Int, action: String?, event: Int?
    ) throws -> ModelOutcome {
        let former = held(name)
        let count = try changing { registry throws(PasteboardsError) in
            try registry.change(name, to: holder, at: time)
        }
        undo[name]?.record(former, action: action, event: event)
        return .steps([ModelStep(name: name, count: count)])
    }

    private mutating func restore(
        _ name: PasteboardName, at time: Int, _ take: (inout UndoStack<Held?>, Held?) -> Held??
    ) throws -> ModelOutcome {
        guard var stack = undo[name], let value = take(&stack, held(name)) else { return .nothing }
        undo[name] = stack
        var holder = Registry.Holder.nobody
        if var value {
            value.written = time
            holder = .client(value)
        }
        return .steps([ModelStep(name: name, count: try registry.change(name, to: holder, at: time))])
    }

    /// Performs an operation of the model, and checks that it changed nothing if it failed.
    private mutating func changing<Value>(
        _ body: (inout Registry) throws(PasteboardsError) -> Value
    ) throws(PasteboardsError) -> Value {
        let before = registry
        do {
            return try body(&registry)
        } catch {
            if registry != before { brokenPromise = "the registry changed although it threw: \(error.message)" }
            throw error
        }
    }
}

// MARK: The state to compare

extension ModelSubject {
    func board(_ name: String) -> ModelBoard? {
        registry[ModelOperation.name(name)].map { entry in
            var board = ModelBoard(
                name: entry.name.string, count: entry.count, since: entry.since, isPersistent: entry.isPersistent,
                isHidden: entry.isHidden)
            if case .clients(let clients) = entry.lifetime { board.clients = clients.sorted() }
            switch entry.holder {
            case .nobody: break
            case .client(let held): board.held = Self.shown(held)
            case .foreign(.window(let window)): board.window = window
            case .foreign(.offer): preconditionFailure("no step makes a Wayland program the owner")
            }
            return board
        }
    }

    func undo(_ name: String) -> ModelUndo {
        guard let stack = undo[ModelOperation.name(name)] else { return ModelUndo() }
        return ModelUndo(
            undoable: stack.undoable.map { $0.value.map(Self.shown) },
            redoable: stack.redoable.map { $0.value.map(Self.shown) }, undoActions: stack.undoable.map(\.action),
            redoActions: stack.redoable.map(\.action))
    }

    private static func shown(_ held: Held) -> ModelBoard.Held {
        ModelBoard.Held(
            items: held.contents.items.map { item in
                item.representations.map { representation in
                    ModelBoard.Representation(
                        type: representation.type.identifier, source: representation.source,
                        length: representation.range?.count)
                }
            }, expires: held.options.expires.map { Int($0.components.seconds) }, localOnly: held.options.localOnly,
            sources: held.sources)
    }
}
