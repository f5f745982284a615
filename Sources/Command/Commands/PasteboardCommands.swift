import ArgumentParser
import BridgeClient
import CommandCore
import LinuxSystem
import PasteboardModel
package import PasteboardWire
import UniformTypes

struct ListCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the pasteboards.",
        discussion: """
            Each line is NAME<TAB>SELECTION<TAB>COUNT<TAB>ITEMS<TAB>OWNER<TAB>LIFETIME. The lifetime is \
            'persistent', or 'session' for a pasteboard that ends with the bridge. The selection of a hidden \
            pasteboard is '-'. On a terminal, the columns are aligned below a header.

              xpb list
            """)

    @Flag(name: .customShort("0"), help: "End each line with NUL instead of a newline.")
    var endsWithNUL = false

    @OptionGroup(title: CommonFlags.title) var common: CommonFlags

    func perform(in session: Session) throws {
        let boards = try session.connect().call(Methods.List.self, .init()).reply.boards
        if session.common.json {
            try session.output.write(json: ["pasteboards": boards])
        } else {
            let header = ["NAME", "SELECTION", "COUNT", "ITEMS", "OWNER", "LIFETIME"]
            try session.output.write(table: boards.map(\.row), header: header, endingWithNUL: endsWithNUL)
        }
    }
}

extension WireBoard {
    /// The fields that `list` writes.
    package var row: [String] {
        [
            name, hidden == true ? "-" : selection, String(count), String(items), owner.name,
            persistent ? "persistent" : "session",
        ]
    }
}

extension WireOwner {
    fileprivate var name: String {
        switch kind {
        case .none: "none"
        case .client, .window: program ?? window.map { "0x" + String($0, radix: 16) } ?? kind.rawValue
        case .wayland: "a Wayland program"
        }
    }
}

struct CreateCommand: PasteboardSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create a pasteboard of your own, and write its name.",
        discussion: """
            The pasteboard lasts until it is removed or the bridge ends; with --persistent it outlives the bridge. An \
            existing pasteboard is not changed.

              xpb create com.example.scratch
              p=$(xpb create --unique); xpb set -p $p hello
            """)

    @Flag(help: "Choose a new, unique name.")
    var unique = false

    @Flag(help: "Keep the pasteboard and its contents when the bridge ends; not with --hidden.")
    var persistent = false

    @Flag(help: "Hide the pasteboard from X11 programs: only xpb and programs that use its library see it.")
    var hidden = false

    @Argument(help: ArgumentHelp("The name, such as com.example.scratch.", valueName: "NAME"))
    var name: String?

    @OptionGroup var pasteboards: PasteboardFlags
    @OptionGroup(title: CommonFlags.title) var common: CommonFlags

    func perform(in session: Session) throws {
        if hidden, persistent {
            throw Failure.usage("--persistent and --hidden exclude each other")
        }
        let parameters = Methods.Create.Parameters(
            pasteboard: try wantedName(session), persistent: persistent ? true : nil, lasting: true,
            hidden: hidden ? true : nil)
        let reply = try session.connect().call(Methods.Create.self, parameters).reply
        session.console.detail("\(reply.pasteboard) \(reply.created ? "was created" : "already existed")")
        if session.common.json {
            try session.output.write(json: reply)
        } else {
            try session.output.write(reply.pasteboard + "\n")
        }
    }

    /// Returns the requested name; nil for a unique name.
    private func wantedName(_ session: Session) throws(Failure) -> String? {
        let given = [name].compactMap(\.self) + pasteboards.names
        guard given.count <= 1 else { throw .usage("one pasteboard is created at a time; name one") }
        switch (given.first, unique) {
        case (let name?, false): return try Session.name(name).string
        case (nil, true): return nil
        case (.some, true): throw .usage("--unique and NAME exclude each other")
        case (nil, false): throw .usage("no name was given; use one such as com.example.scratch, or --unique")
        }
    }
}

struct RemoveCommand: PasteboardSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove pasteboards of your own, with their contents.",
        discussion: """
              xpb remove com.example.scratch
            """)

    @Argument(
        help: ArgumentHelp("The names, such as com.example.scratch.", valueName: "NAME"),
        completion: .removablePasteboards)
    var names: [String] = []

    @OptionGroup var pasteboards: PasteboardFlags
    @OptionGroup(title: CommonFlags.title) var common: CommonFlags

    func perform(in session: Session) throws {
        // All names are checked first, so that nothing is removed if one is wrong.
        let wanted = try (names + pasteboards.names).map { given throws(Failure) -> String in
            let name = try Session.name(given)
            guard !name.isSystem else {
                throw Failure(
                    .refused, "\(name) is a system pasteboard and cannot be removed; 'xpb clear -p \(name)' empties it")
            }
            return name.string
        }.uniqued()
        guard !wanted.isEmpty else {
            throw Failure.usage("no pasteboard was named; 'xpb list' lists them")
        }
        let client = try session.connect()
        var removed: [String] = []
        let result = Result { () throws(Failure) in
            try session.forEach(wanted) { name in
                _ = try client.call(Methods.Remove.self, .init(pasteboard: name))
                removed.append(name)
            }
        }
        if session.common.json { try session.output.write(json: ["removed": removed]) }
        try result.get()
    }
}

struct ClearCommand: PasteboardSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "clear", abstract: "Empty a pasteboard, or several.",
        discussion: """
              xpb clear
              xpb clear -p general -p find
            """)

    @Option(name: .customLong("if-count"), help: SourceFlags.ifCountHelp)
    var ifCount: Int?

    @OptionGroup var pasteboards: PasteboardFlags
    @OptionGroup(title: CommonFlags.title) var common: CommonFlags

    func perform(in session: Session) throws {
        let pasteboards = try session.pasteboards()
        let client = try session.connect()
        let parameters = Methods.Clear.Parameters(
            pasteboards: pasteboards, ifCount: ifCount, timeout: client.timeoutMilliseconds)
        let counts = try client.call(Methods.Clear.self, parameters, isLong: true).reply.counts
        if session.common.json { try session.output.write(counts: counts, of: pasteboards) }
    }
}

struct OwnerCommand: PasteboardSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "owner", abstract: "Show the owner of the contents.",
        discussion: """
            Writes 'key: value' lines: owner, window, process, program, and since when. Contents that the bridge took \
            over from a program have the owner 'bridge', and a line 'for' with that program. Contents that came from \
            another machine have a line 'over link' with its name.

              xpb owner
              xpb owner -p find --json
            """)

    @OptionGroup var pasteboards: PasteboardFlags
    @OptionGroup(title: CommonFlags.title) var common: CommonFlags

    func perform(in session: Session) throws {
        let pasteboard = try session.pasteboard()
        let owner = try session.connect().call(Methods.GetOwner.self, .init(pasteboard: pasteboard)).reply.owner
        guard owner.kind != .none else { throw Failure(.nothing, "the pasteboard \(pasteboard) has no owner") }
        if session.common.json {
            try session.output.write(json: OwnerJSON(pasteboard: pasteboard, owner: owner))
        } else {
            try session.output.write(keys: owner.lines)
        }
    }
}

extension WireOwner {
    /// The lines that `owner` writes.
    fileprivate var lines: [(String, String?)] {
        var lines: [(String, String?)] = []
        if let heldBy {
            let bridge = ProcessName.whole(of: Int32(clamping: heldBy))
            lines += [("owner", "bridge"), ("process", String(heldBy)), ("program", bridge), ("for", formerOwner)]
        } else {
            let window = window.map { "0x" + String($0, radix: 16) }
            lines += [("owner", kind.rawValue), ("window", window), ("process", process.map { String($0) })]
            lines += [("program", program), ("ended", ended.map { WireOwner.text(ended: $0) })]
            // The process is that of the link.
            lines.append(("over link", link))
        }
        return lines + [("since", since.map { Moment.text($0) })]
    }

    /// The program from which the bridge took over the contents; nil if it is unknown.
    fileprivate var formerOwner: String? {
        guard let process, process > 0 else { return program }
        return program.map { "\($0) (process \(process))" } ?? "process \(process)"
    }
}

private struct OwnerJSON: Encodable {
    let pasteboard: String
    let owner: WireOwner
}
