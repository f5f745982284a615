import ArgumentParser
import LinuxSystem
import Pasteboard
import PasteboardWire
import UniformTypes

/// Arguments of `xpb set` and `xpb add`.
struct SourceFlags: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The type of the next source; several give the same bytes several names.", valueName: "TYPE")
    )
    var type: [String] = []

    @Option(name: .shortAndLong, help: ArgumentHelp("A source: a file, or - for standard input.", valueName: "FILE"))
    var file: [String] = []

    @Option(parsing: .unconditionalSingleValue, help: ArgumentHelp("A source: this text.", valueName: "STRING"))
    var text: [String] = []

    @Option(parsing: .upToNextOption, help: ArgumentHelp("Sources: an item for each file, its URL.", valueName: "PATH"))
    var files: [String] = []

    @Flag(help: "Begin the next item.")
    var next: Int

    @Flag(name: [.customShort("n"), .long], help: "Leave out one newline at the end of each source.")
    var trim = false

    @Flag(help: "Offer text under the names given, and no derived ones.")
    var exact = false

    @Flag(help: "Write the first source to standard output, too.")
    var tee = false

    @Flag(name: .customLong("no-empty"), help: "Change nothing if the sources are empty.")
    var noEmpty = false

    @Option(
        name: .customLong("if-count"),
        help: ArgumentHelp("Change nothing unless the change count is N.", valueName: "N"))
    var ifCount: Int?

    @Argument(
        help: ArgumentHelp("A source: words, joined by spaces. Without any source, standard input.", valueName: "TEXT"))
    var words: [String] = []
}

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

/// `xpb add`.
struct AddCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add items to the contents, all in one change.")

    @OptionGroup var common: CommonFlags
    @OptionGroup var sources: SourceFlags

    func perform(in session: Session) throws {
        try SetCommand.perform(
            try SetOptions(common, sources, in: CommandLine.arguments.dropFirst(2)), appending: true, in: session)
    }
}
