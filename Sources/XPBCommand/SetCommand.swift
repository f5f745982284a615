import ArgumentParser
import LinuxSystem
import Pasteboard
import PasteboardWire

/// `xpb set`.
struct SetCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Replace the contents, all of it in one change.",
        discussion: """
            -c promises what a command will write: it runs when the bytes are first pasted, and its output is kept. A \
            small process waits for that, in this folder and with this environment, until the contents are replaced; \
            a command that runs by then still comes to its end, for who has asked for its output.
            """, aliases: ["copy"])

    @OptionGroup var common: CommonFlags
    @OptionGroup var sources: SourceFlags

    func perform(in session: Session) throws {
        try Self.perform(
            try SetOptions(common, sources, in: ThisProcess.arguments().dropFirst()), appending: false, in: session)
    }

    static func perform(_ options: SetOptions, appending: Bool, in session: Session) throws {
        let pasteboards = try session.pasteboards()
        if options.items.joined().contains(where: \.isFileWithoutType) { session.lookTypesUp() }
        let loaded = try SourceLoader(console: session.console).load(options)
        if options.noEmpty, loaded.isEmpty {
            throw Failure(.nothing, "the sources are empty, and --no-empty was given; nothing was changed")
        }
        let parameters = Methods.Set.Parameters(
            pasteboards: pasteboards, items: loaded.items, append: appending ? true : nil, into: options.item,
            ifCount: options.ifCount, options: WireOptions(options.expires, localOnly: options.localOnly),
            timeout: session.timeout.milliseconds)
        let result = Result {
            guard loaded.commands.isEmpty else {
                return try Keeper.start(KeeperJob(parameters, loaded, options), with: loaded.file, in: session)
            }
            return try session.connect().call(Methods.Set.self, parameters, descriptors: [loaded.file.descriptor])
                .reply.counts
        }
        // What comes down the pipe goes on, whatever becomes of the copy.
        if options.tee { try session.output.write(loaded.file, loaded.firstSource) }
        let counts = try result.get()
        session.console.detail("count \(counts.map(String.init).joined(separator: " "))")
        if session.common.json, !options.tee { try session.output.write(json: CountsJSON(pasteboards, counts)) }
    }
}

extension WireOptions {
    /// Nil where there are none.
    init?(_ expires: Lifetime?, localOnly: Bool) {
        guard expires != nil || localOnly else { return nil }
        self.init(expires: expires?.milliseconds, localOnly: localOnly ? true : nil)
    }
}
