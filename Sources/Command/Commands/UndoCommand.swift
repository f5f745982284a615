import ArgumentParser
import BridgeClient
import CommandCore
import PasteboardModel
package import PasteboardWire

struct UndoCommand: PasteboardSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "undo", abstract: "Go back to earlier contents.",
        discussion: """
            This is a change like any other: the change count rises by one, and X11 programs paste the restored \
            contents. If there are fewer than N changes, nothing is undone, and the exit status is 1. Contents of \
            other programs that could not be captured are skipped, and messages on standard error name them.

            Each line of --list is N<TAB>PREVIEW<TAB>TYPE<TAB>CHANGE: 'undo N' goes back to these contents, and \
            CHANGE is the change that the last of the N steps undoes. On a terminal the columns are aligned.

              xpb undo
              xpb undo --list; xpb undo 3
            """)

    @OptionGroup var stepping: SteppingFlags
    @OptionGroup var pasteboards: PasteboardFlags
    @OptionGroup(title: CommonFlags.title) var common: CommonFlags

    func perform(in session: Session) throws {
        guard !stepping.list else { return try stepping.list(\.undo, words: "undone", in: session) }
        try stepping.perform(Methods.Undo.self, \.undoable, words: ("undid", "undone"), in: session)
    }
}

struct RedoCommand: PasteboardSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "redo", abstract: "Undo an undo.",
        discussion: """
            A new copy after an undo discards the changes that could be redone. If there are fewer than N changes, \
            nothing is redone, and the exit status is 1.

            Each line of --list is N<TAB>PREVIEW<TAB>TYPE<TAB>CHANGE: 'redo N' goes forward to these contents, and \
            CHANGE is the change that the last of the N steps redoes. On a terminal the columns are aligned.

              xpb redo
            """)

    @OptionGroup var stepping: SteppingFlags
    @OptionGroup var pasteboards: PasteboardFlags
    @OptionGroup(title: CommonFlags.title) var common: CommonFlags

    func perform(in session: Session) throws {
        guard !stepping.list else { return try stepping.list(\.redo, words: "redone", in: session) }
        try stepping.perform(Methods.Redo.self, \.redoable, words: ("redid", "redone"), in: session)
    }
}

/// The arguments of `undo` and `redo`.
struct SteppingFlags: ParsableArguments {
    @Flag(help: "List the contents that can be restored, nearest first, and change nothing.")
    var list = false

    @Argument(help: ArgumentHelp("How many changes (default: 1).", valueName: "N"))
    var number: Int?

    private var steps: Int { number ?? 1 }

    @Option(name: .customLong("if-count"), help: SourceFlags.ifCountHelp)
    var ifCount: Int?

    /// - Parameter words: The participle of the message.
    fileprivate func list(
        _ levels: KeyPath<Methods.ListUndo.Reply, [WireUndoLevel]>, words done: String, in session: Session
    ) throws {
        guard number == nil, ifCount == nil else {
            throw Failure.usage("--list changes nothing; leave out N and --if-count")
        }
        let pasteboard = try session.pasteboard()
        let reply = try session.connect().call(Methods.ListUndo.self, .init(pasteboard: pasteboard)).reply
        let list = reply[keyPath: levels]
        if session.common.json {
            try session.output.write(json: UndoListJSON(pasteboard: pasteboard, count: reply.count, changes: list))
        } else {
            // The previews contain MIME types.
            session.installTypes()
            let rows = list.enumerated().map { $1.row($0 + 1) }
            let lines = session.output.columns.map { Preview.aligned(rows, columns: $0).map { [$0] } }
            try session.output.write(rows: lines ?? rows)
        }
        if list.isEmpty {
            let reason = "there is nothing to be \(done) on the pasteboard \(PasteboardName.quoted(pasteboard))"
            throw Failure(.nothing, reason + Self.advice(on: pasteboard))
        }
    }

    /// Returns the addition to the message that there is nothing to undo or redo.
    private static func advice(on pasteboard: String) -> String {
        let isSystem = (try? PasteboardName(validating: pasteboard).isSystem) ?? true
        return isSystem ? "" : "; an app's own pasteboard has undo only if it was created with --persistent"
    }

    /// - Parameter words: The verb of the messages.
    fileprivate func perform<M: WireMethod>(
        _ method: M.Type, _ levels: KeyPath<WireUndoState, Int>, words: (past: String, done: String),
        in session: Session
    ) throws where M.Parameters == Methods.Steps, M.Reply == Methods.Stepped {
        guard steps > 0 else { throw Failure.usage("\(steps) changes cannot be \(words.done); N is at least 1") }
        let pasteboard = try session.pasteboard()
        let client = try session.connect()
        if steps > 1 {
            let state = try client.call(Methods.GetUndoState.self, .init(pasteboard: pasteboard)).reply.undo
            let possible = state[keyPath: levels]
            guard possible == 0 || possible >= steps else {
                throw Failure(
                    .nothing, "only \(possible.counting("change")) can be \(words.done); nothing was changed")
            }
        }
        let parameters = Methods.Steps(
            pasteboard: pasteboard, steps: steps, ifCount: ifCount, timeout: client.timeoutMilliseconds)
        let done: Methods.Stepped
        do throws(BridgeClientError) {
            done = try client.call(method, parameters, isLong: true).reply
        } catch {
            let failure = Failure(error)
            guard error.code == .empty else { throw failure }
            throw Failure(failure.status, failure.message + Self.advice(on: pasteboard))
        }
        session.console.detail(done.message(words.past))
        for message in done.passedMessages { session.console.say(message) }
        if session.common.json { try session.output.write(json: SteppedJSON(pasteboard, done)) }
        // Another program may have changed the pasteboard since its state was requested.
        guard done.steps == steps else {
            throw Failure(
                .nothing, "only \(done.steps) of \(steps) changes could be \(words.done)")
        }
    }
}

extension Methods.Stepped {
    /// The maximum number of messages about skipped contents.
    private static let maxMessages = 3

    /// Messages about skipped contents, latest first.
    var passedMessages: [String] {
        let passed = passed ?? []
        let messages = passed.reversed().prefix(Self.maxMessages).map { loss in
            "count \(loss.count)\(loss.program.map { " of \($0)" } ?? "") is skipped, since it was not captured: "
                + loss.reason
        }
        let rest = passed.count - messages.count
        return rest > 0 ? messages + ["\(rest) more changes were not captured"] : messages
    }

    /// Returns a message such as `undid Copy from Firefox`.
    package func message(_ past: String) -> String {
        switch (steps, action) {
        case (1, let action?): "\(past) \(action)"
        case (1, nil): "\(past) a change"
        case (let steps, let action?): "\(past) \(steps) changes, the last one \(action)"
        case (let steps, nil): "\(past) \(steps) changes"
        }
    }
}

extension WireUndoLevel {
    /// Returns the fields of a line of `--list`.
    fileprivate func row(_ number: Int) -> [String] {
        let preview = Preview()
        return [
            String(number), contents.map { preview.text($0) } ?? "", contents.map { preview.kind($0) } ?? "",
            Preview.oneLine(action ?? ""),
        ]
    }
}

/// The output of `--list` with `--json`.
private struct UndoListJSON: Encodable {
    let pasteboard: String
    let count: Int
    let changes: [WireUndoLevel]
}

/// The output of `undo` and `redo` with `--json`.
private struct SteppedJSON: Encodable {
    let pasteboard: String
    let count: Int
    let steps: Int
    let action: String?
    let passed: [WireLoss]?

    init(_ pasteboard: String, _ done: Methods.Stepped) {
        self.pasteboard = pasteboard
        count = done.count
        steps = done.steps
        action = done.action
        passed = done.passed
    }
}
