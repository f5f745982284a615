import PasteboardModel
import UniformTypes

/// The model, with operations carried out on it as a bridge would.
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
    /// What an operation of the model changed although it failed.
    private(set) var brokenPromise: String?

    init() {
        for name in ModelOperation.systemNames.map(ModelOperation.name) {
            undo[name] = UndoStack(levels: 3, budget: 40) { held in
                held?.contents.items.flatMap(\.representations).reduce(0) { $0 + ($1.range?.count ?? 0) } ?? 0
            } mayBeKept: { held in
                held.map { $0.contents.mayBeKept(with: $0.options) } ?? true
            }
        }
    }

    mutating func apply(_ operation: ModelOperation, at time: Int) -> ModelOutcome {
        do {
            return try carryOut(operation, at: time)
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
        case .countMismatch(let name, let count): "count of \(name) \(count)"
        }
    }

    private mutating func carryOut(_ operation: ModelOperation, at time: Int) throws -> ModelOutcome {
        switch operation {
        case .write(let string, let draft, let way, let behind, let action, let event):
            let name = ModelOperation.name(string)
            if let behind { try registry.check(name, ifCount: (registry[name]?.count ?? 0) - behind) }
            let new = try written(draft, way, on: held(name) ?? Held(written: time), at: time)
            _ = try changing { registry throws(PasteboardsError) in try registry.makeForWriting(name, at: time) }
            return try change(name, to: .client(new), at: time, action: action, event: event)
        case .clear(let string):
            let name = ModelOperation.name(string)
            guard try registry.find(name).holder != .nobody else { return .nothing }
            return try change(name, to: .nobody, at: time, action: "Clear", event: nil)
        case .foreign(let string, let window):
            return try change(ModelOperation.name(string), to: .foreign(window), at: time, action: nil, event: nil)
        case .adopt(let string, let window):
            try changing { registry throws(PasteboardsError) in
                try registry.adopt(
                    ModelOperation.name(string), window.map { .foreign($0) } ?? .nobody, at: time)
            }
            return .nothing
        case .revise(let string):
            let name = ModelOperation.name(string)
            var revised = held(name) ?? Held(written: time)
            revised.options.localOnly.toggle()
            try changing { registry throws(PasteboardsError) in try registry.revise(name, revised) }
            return .nothing
        case .create(let string, let client, let lasting, let persistent):
            return .made(
                try changing { registry throws(PasteboardsError) in
                    try registry.create(
                        ModelOperation.name(string), for: client, lasting: lasting, persistent: persistent, at: time)
                })
        case .createUnique(let bits, let client):
            return .name(
                try changing { registry throws(PasteboardsError) in
                    try registry.createUnique(random: UInt128(bits), for: client, at: time).string
                })
        case .persist(let string, let isPersistent, let client):
            try changing { registry throws(PasteboardsError) in
                try registry.setPersistent(ModelOperation.name(string), isPersistent, for: client)
            }
            return .nothing
        case .remove(let string):
            let removal = try changing { registry throws(PasteboardsError) in
                try registry.remove(ModelOperation.name(string))
            }
            return .steps([removal.step])
        case .leave(let client): return .steps(registry.clientLeft(client).map(\.step))
        case .undo(let string): return try restore(ModelOperation.name(string), at: time) { $0.undo(from: $1) }
        case .redo(let string): return try restore(ModelOperation.name(string), at: time) { $0.redo(from: $1) }
        case .limits(let string, let levels, let budget):
            undo[ModelOperation.name(string)]?.levels = levels
            undo[ModelOperation.name(string)]?.budget = budget
            return .nothing
        case .read(let string, let wanted, let items):
            let contents = held(ModelOperation.name(string))?.contents ?? Contents()
            let queries = wanted.compactMap(TypeQuery.parse)
            let found = try contents.places(answering: queries, inItemSet: items)
            let set = contents.itemSet(withTypes: queries)
            let isThere = try contents.contains(types: queries, inItemSet: items)
            return .found(found.map { $0.map { [$0.item, $0.representation] } } + [set, isThere ? [] : nil])
        }
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
        let step = try changing { registry throws(PasteboardsError) in
            try registry.change(name, to: holder, at: time)
        }
        undo[name]?.record(former, action: action, event: event)
        return .steps([step])
    }

    private mutating func restore(
        _ name: PasteboardName, at time: Int, _ take: (inout UndoStack<Held?>, Held?) -> Held??
    ) throws -> ModelOutcome {
        guard var stack = undo[name], let value = take(&stack, held(name)) else { return .nothing }
        undo[name] = stack
        guard var value else { return .steps([try registry.change(name, to: .nobody, at: time)]) }
        value.written = time
        return .steps([try registry.change(name, to: .client(value), at: time)])
    }

    /// Carries out an operation of the model, and looks whether it did nothing when it failed.
    private mutating func changing<Value>(
        _ body: (inout Registry) throws(PasteboardsError) -> Value
    ) throws(PasteboardsError) -> Value {
        let before = registry
        do {
            return try body(&registry)
        } catch {
            if registry != before { brokenPromise = "the registry changed although: \(error.message)" }
            throw error
        }
    }
}

// MARK: What is shown

extension ModelSubject {
    func board(_ name: String) -> ModelBoard? {
        registry[ModelOperation.name(name)].map { entry in
            var board = ModelBoard(
                name: entry.name.string, count: entry.count, since: entry.since, isPersistent: entry.isPersistent)
            if case .clients(let clients) = entry.lifetime { board.clients = clients.sorted() }
            switch entry.holder {
            case .nobody: break
            case .client(let held): board.held = Self.shown(held)
            case .foreign(let window): board.window = window
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
                item.representations.map { form in
                    ModelBoard.Form(type: form.type.identifier, source: form.source, length: form.range?.count)
                }
            }, expires: held.options.expires.map { Int($0.components.seconds) }, localOnly: held.options.localOnly,
            sources: held.sources)
    }
}
