import ArgumentParser
import BridgeClient
import PasteboardModel
import PasteboardWire

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
