import ArgumentParser
import BridgeClient
import LinuxSystem
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
        if let asked = session.asked() {
            _ = try asked.client.reply(to: Methods.Set.self, isLong: true)
            return
        }
        let pasteboards = try session.pasteboards()
        if options.items.joined().contains(where: \.isFileWithoutType) { session.lookTypesUp() }
        if options.concealed { ThisProcess.forbidDumping() }
        let loader = SourceLoader(console: session.console, read: session.read)
        // What is borrowed is stored, or it is refused: then the file is read.
        let borrows =
            pasteboards.count == 1 && !appending && !options.concealed && !options.memory && !options.tee
        var loaded = try loader.load(options, borrows: borrows)
        if options.noEmpty, loaded.isEmpty {
            throw Failure(.nothing, "the sources are empty, and --no-empty was given; nothing was changed")
        }
        func parameters() -> Methods.Set.Parameters {
            Methods.Set.Parameters(
                pasteboards: pasteboards, items: loaded.items, append: appending ? true : nil, into: options.item,
                ifCount: options.ifCount, options: options.wire, timeout: session.timeout.milliseconds)
        }
        let result = Result {
            if let file = loaded.blobs.first?.file, !loaded.commands.isEmpty {
                return try Keeper.start(KeeperJob(parameters(), loaded, options), with: file, in: session)
            }
            let client = try session.connect()
            do {
                return try write(loaded, parameters(), by: client)
            } catch let error as BridgeClientError where error.code == .transferBroken && loaded.isBorrowed {
                loaded = try loader.load(options)
                return try write(loaded, parameters(), by: client)
            }
        }
        // What comes down the pipe goes on, whatever becomes of the copy.
        if options.tee, let first = loaded.blobs.first { try session.output.write(first, loaded.firstSource) }
        let counts = try result.get()
        session.console.detail("count \(counts.map(String.init).joined(separator: " "))")
        if session.common.json, !options.tee { try session.output.write(json: CountsJSON(pasteboards, counts)) }
    }

    private static func write(
        _ loaded: LoadedSources, _ parameters: Methods.Set.Parameters, by client: BridgeClient
    ) throws -> [Int] {
        let descriptors = try loaded.blobs.map { try $0.passed(0..<$0.length).descriptor }
        return try client.call(Methods.Set.self, parameters, descriptors: descriptors, isLong: true).reply.counts
    }
}

extension WireOptions {
    /// Nil where there are none.
    init?(_ expires: Lifetime?, localOnly: Bool, concealed: Bool = false, once: Bool, memory: Bool) {
        guard expires != nil || localOnly || concealed || once || memory else { return nil }
        func flag(_ isSet: Bool) -> Bool? { isSet ? true : nil }
        self.init(
            expires: expires?.milliseconds, localOnly: flag(localOnly), once: flag(once), concealed: flag(concealed),
            memory: flag(memory))
    }
}
