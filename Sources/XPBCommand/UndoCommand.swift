import ArgumentParser
import BridgeClient
import PasteboardWire

/// `xpb undo`.
struct UndoCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "undo", abstract: "Go back to earlier contents.",
        discussion: """
            A change like any other: the change count rises by one, and X11 programs paste what is there by then. Where \
            there are fewer than N changes, those are undone, and the exit status is 1, as where there is none.
            """)

    @OptionGroup var common: CommonFlags
    @OptionGroup var stepping: SteppingFlags

    func perform(in session: Session) throws {
        try stepping.perform(Methods.Undo.self, words: ("undid", "undone"), in: session)
    }
}

/// `xpb redo`.
struct RedoCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "redo", abstract: "Go to the contents again that undo left.",
        discussion: """
            A new copy after an undo leaves nothing to redo, which is status 1. Where there are fewer than N changes, \
            those are made again, with status 1.
            """)

    @OptionGroup var common: CommonFlags
    @OptionGroup var stepping: SteppingFlags

    func perform(in session: Session) throws {
        try stepping.perform(Methods.Redo.self, words: ("redid", "redone"), in: session)
    }
}

/// What both take.
struct SteppingFlags: ParsableArguments {
    @Argument(help: ArgumentHelp("How many changes.", valueName: "N"))
    var steps = 1

    @Option(
        name: .customLong("if-count"),
        help: ArgumentHelp("Change nothing unless the change count is N.", valueName: "N"))
    var ifCount: Int?

    /// - Parameter told: What the messages call it.
    fileprivate func perform<M: WireMethod>(
        _ method: M.Type, words: (past: String, done: String), in session: Session
    ) throws where M.Parameters == Methods.Steps, M.Reply == Methods.Stepped {
        guard steps > 0 else { throw Failure.usage("\(steps) changes cannot be \(words.done); N is 1 at least") }
        let pasteboard = try session.pasteboard()
        let client = try session.connect()
        let parameters = Methods.Steps(
            pasteboard: pasteboard, steps: steps, ifCount: ifCount, timeout: client.timeoutMilliseconds)
        let done = try client.call(method, parameters, isLong: true).reply
        session.console.detail(Self.message(words.past, done))
        if session.common.json { try session.output.write(json: SteppedJSON(pasteboard, done)) }
        // What is done in part does not look like success.
        guard done.steps == steps else {
            throw Failure(
                .nothing, "only \(done.steps) of \(steps) changes could be \(words.done); there are no more")
        }
    }

    /// `undid Copy from Firefox`.
    static func message(_ past: String, _ done: Methods.Stepped) -> String {
        switch (done.steps, done.action) {
        case (1, let action?): "\(past) \(action)"
        case (1, nil): "\(past) a change"
        case (let steps, let action?): "\(past) \(steps) changes, the last one \(action)"
        case (let steps, nil): "\(past) \(steps) changes"
        }
    }
}

/// What they write with `--json`.
private struct SteppedJSON: Encodable {
    let pasteboard: String
    let count: Int
    let steps: Int
    let action: String?

    init(_ pasteboard: String, _ done: Methods.Stepped) {
        self.pasteboard = pasteboard
        count = done.count
        steps = done.steps
        action = done.action
    }
}
