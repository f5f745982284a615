import ArgumentParser
import BridgeClient
import PasteboardModel
import PasteboardWire

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
