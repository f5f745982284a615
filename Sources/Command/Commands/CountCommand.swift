package import ArgumentParser
import BridgeClient
package import CommandCore
import PasteboardWire

package struct CountCommand: PasteboardSubcommand {
    package static let configuration = CommandConfiguration(
        commandName: "count", abstract: "Write the change count, which rises with every change.",
        discussion: """
              xpb count
              xpb count -p general -p find
            """)

    @OptionGroup package var pasteboards: PasteboardFlags
    @OptionGroup(title: CommonFlags.title) package var common: CommonFlags

    package init() {}

    package func perform(in session: Session) throws { try Self.perform(in: session) }

    package static func perform(in session: Session) throws {
        let pasteboards = try session.pasteboards()
        let client = try session.connect()
        let counts = try pasteboards.map { name in
            try client.call(Methods.Count.self, .init(pasteboard: name)).reply.count
        }
        if session.common.json {
            try session.output.write(counts: counts, of: pasteboards)
        } else {
            try session.output.write(counts.map { "\($0)\n" }.joined())
        }
    }
}

struct WaitCommand: PasteboardSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "wait",
        abstract:
            "Wait until the change count passes N, and write it. Without a change within --timeout, the status is 3.",
        discussion: "  n=$(xpb count); xdotool key ctrl+c; xpb wait --since $n --timeout 2 && xpb get")

    @Option(help: ArgumentHelp("The change count to pass (default: the present count).", valueName: "N"))
    var since: Int?

    @OptionGroup var pasteboards: PasteboardFlags
    @OptionGroup(title: CommonFlags.title) var common: CommonFlags

    func perform(in session: Session) throws {
        let deadline = ContinuousClock.now + session.timeout.duration
        let pasteboard = try session.pasteboard()
        let client = try session.connect()
        // The count is passed in the call, so that changes before the next bridge's answer are included.
        let known = try since ?? client.call(Methods.Count.self, .init(pasteboard: pasteboard)).reply.count
        let parameters = Methods.Monitor.Parameters(
            pasteboards: [pasteboard], since: known, timeout: client.timeoutMilliseconds)
        var passed: Int?
        _ = try session.monitor(parameters, by: client, until: deadline) { change in
            if change.count > known { passed = change.count }
            return passed == nil
        }
        guard let passed else {
            let bound = since.map { " past \($0)" } ?? ""
            throw Failure(
                .silent,
                "the change count of \(pasteboard) did not rise\(bound) in time; wait longer with --timeout")
        }
        if session.common.json {
            try session.output.write(json: WaitJSON(pasteboard: pasteboard, count: passed))
        } else {
            try session.output.write("\(passed)\n")
        }
    }
}

private struct WaitJSON: Encodable {
    let pasteboard: String
    let count: Int
}
