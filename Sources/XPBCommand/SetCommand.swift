import ArgumentParser
import LinuxSystem
import Pasteboard
import PasteboardWire

/// `xpb set`.
struct SetCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Replace the contents, all of it in one change.", aliases: ["copy"])

    @OptionGroup var common: CommonFlags
    @OptionGroup var sources: SourceFlags

    func perform(in session: Session) throws {
        try Self.perform(
            try SetOptions(common, sources, in: CommandLine.arguments.dropFirst(2)), appending: false, in: session)
    }

    static func perform(_ options: SetOptions, appending: Bool, in session: Session) throws {
        let pasteboards = try session.pasteboards()
        if options.items.joined().contains(where: \.isFileWithoutType) { session.lookTypesUp() }
        let loaded = try SourceLoader(console: session.console).load(options)
        if options.noEmpty, loaded.isEmpty {
            throw Failure(.nothing, "the sources are empty, and --no-empty was given; nothing was changed")
        }
        let result = Result {
            let client = try session.connect()
            let parameters = Methods.Set.Parameters(
                pasteboards: pasteboards, items: loaded.items, append: appending ? true : nil, ifCount: options.ifCount,
                timeout: client.timeoutMilliseconds)
            return try client.call(Methods.Set.self, parameters, descriptors: [loaded.file.descriptor]).reply.counts
        }
        // What comes down the pipe goes on, whatever becomes of the copy.
        if options.tee { try session.output.write(loaded.file, loaded.firstSource) }
        let counts = try result.get()
        session.console.detail("count \(counts.map(String.init).joined(separator: " "))")
        if session.common.json, !options.tee { try session.output.write(json: CountsJSON(pasteboards, counts)) }
    }
}
