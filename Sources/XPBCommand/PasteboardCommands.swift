import ArgumentParser
import BridgeClient
import PasteboardModel
import PasteboardWire

/// `xpb list`.
struct ListCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the pasteboards: name, selection, count, items, owner, persistent or session.")

    @OptionGroup var common: CommonFlags

    @Flag(name: .customShort("0"), help: "End each with NUL.")
    var endsWithNUL = false

    func perform(in session: Session) throws {
        guard session.common.pasteboards.isEmpty else {
            throw Failure.usage("list is about all pasteboards; leave -p out")
        }
        let boards = try session.connect().call(Methods.List.self, .init()).reply.boards
        if session.common.json {
            try session.output.write(json: ListJSON(pasteboards: boards))
        } else {
            try session.output.write(rows: boards.map(Self.row), endingWithNUL: endsWithNUL)
        }
    }

    static func row(_ board: WireBoard) -> [String] {
        [
            board.name, board.selection, String(board.count), String(board.items), owner(board.owner),
            board.persistent ? "persistent" : "session",
        ]
    }

    private static func owner(_ owner: WireOwner) -> String {
        switch owner.kind {
        case .none: "none"
        case .client, .window: owner.program ?? owner.window.map { "0x" + String($0, radix: 16) } ?? owner.kind.rawValue
        }
    }
}

/// What `list --json` writes.
private struct ListJSON: Encodable {
    let pasteboards: [WireBoard]
}

/// `xpb create`.
struct CreateCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make a pasteboard of your own, and write its name.",
        discussion: """
            It lasts until it is removed or the bridge ends, with --persistent as long as the system's own. One that is \
            there stays as it is.
            """)

    @OptionGroup var common: CommonFlags

    @Flag(help: "By a new name that nobody has.")
    var unique = false

    @Flag(help: "Keep it and its contents when the bridge ends.")
    var persistent = false

    @Argument(help: ArgumentHelp("Such as com.example.scratch.", valueName: "NAME"))
    var name: String?

    func perform(in session: Session) throws {
        let parameters = Methods.Create.Parameters(
            pasteboard: try wantedName(session), persistent: persistent ? true : nil, lasting: true)
        let reply = try session.connect().call(Methods.Create.self, parameters).reply
        session.console.detail(reply.created ? "\(reply.pasteboard) was made" : "\(reply.pasteboard) was there")
        if session.common.json {
            try session.output.write(json: reply)
        } else {
            try session.output.write(reply.pasteboard + "\n")
        }
    }

    /// Nil for a unique one.
    private func wantedName(_ session: Session) throws(Failure) -> String? {
        let given = [name].compactMap(\.self) + session.common.pasteboards
        guard given.count <= 1 else { throw .usage("one pasteboard is made at a time; name one") }
        switch (given.first, unique) {
        case (let name?, false): return try Session.name(name).string
        case (nil, true): return nil
        case (.some, true): throw .usage("--unique makes the name up; leave it or NAME out")
        case (nil, false): throw .usage("no name was given; name it like com.example.scratch, or let --unique do it")
        }
    }
}

/// `xpb remove`.
struct RemoveCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove pasteboards of your own, and what is on them.")

    @OptionGroup var common: CommonFlags

    @Argument(help: ArgumentHelp("Such as com.example.scratch.", valueName: "NAME"))
    var names: [String] = []

    func perform(in session: Session) throws {
        // All of them before the first is removed: a slip in one name removes none.
        var wanted: [String] = []
        for given in names + session.common.pasteboards {
            let name = try Session.name(given)
            guard !name.isSystem else {
                throw Failure(
                    .refused, "\(name) is the system's and cannot be removed; 'xpb clear -p \(name)' empties it")
            }
            if !wanted.contains(name.string) { wanted.append(name.string) }
        }
        guard !wanted.isEmpty else {
            throw Failure.usage("no pasteboard is named; 'xpb list' shows those there are")
        }
        let client = try session.connect()
        var removed: [String] = []
        let result = Result { () throws(Failure) in
            try session.forEach(wanted) { name in
                _ = try client.call(Methods.Remove.self, .init(pasteboard: name))
                removed.append(name)
            }
        }
        if session.common.json { try session.output.write(json: RemoveJSON(removed: removed)) }
        try result.get()
    }
}

/// What `remove --json` writes.
private struct RemoveJSON: Encodable {
    let removed: [String]
}

/// `xpb clear`.
struct ClearCommand: Subcommand {
    static let configuration = CommandConfiguration(commandName: "clear", abstract: "Empty pasteboards.")

    @OptionGroup var common: CommonFlags

    @Option(
        name: .customLong("if-count"),
        help: ArgumentHelp("Change nothing unless the change count is N.", valueName: "N"))
    var ifCount: Int?

    func perform(in session: Session) throws {
        let pasteboards = try session.pasteboards()
        let client = try session.connect()
        let parameters = Methods.Clear.Parameters(
            pasteboards: pasteboards, ifCount: ifCount, timeout: client.timeoutMilliseconds)
        let counts = try client.call(Methods.Clear.self, parameters, isLong: true).reply.counts
        if session.common.json { try session.output.write(json: CountsJSON(pasteboards, counts)) }
    }
}

/// `xpb owner`.
struct OwnerCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "owner", abstract: "Tell who owns the contents: window, process, program, and since when.")

    @OptionGroup var common: CommonFlags

    func perform(in session: Session) throws {
        let pasteboard = try session.pasteboard()
        let owner = try session.connect().call(Methods.GetOwner.self, .init(pasteboard: pasteboard)).reply.owner
        guard owner.kind != .none else { throw Failure(.nothing, "nobody owns the pasteboard \(pasteboard)") }
        if session.common.json {
            try session.output.write(json: OwnerJSON(pasteboard: pasteboard, owner: owner))
        } else {
            try session.output.write(keys: [
                ("owner", owner.kind.rawValue), ("window", owner.window.map { "0x" + String($0, radix: 16) }),
                ("process", owner.process.map(String.init)), ("program", owner.program),
                ("ended", owner.ended.map(WireOwner.text)),
                ("since", owner.since.map(Moment.text)),
            ])
        }
    }
}

/// What `owner --json` writes.
private struct OwnerJSON: Encodable {
    let pasteboard: String
    let owner: WireOwner
}
