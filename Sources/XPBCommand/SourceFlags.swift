import ArgumentParser

/// Arguments of `xpb set` and `xpb add`.
struct SourceFlags: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The type of the next source; several give the same bytes several names.", valueName: "TYPE")
    )
    var type: [String] = []

    @Option(
        name: .shortAndLong, help: ArgumentHelp("A source: a file, or - for standard input.", valueName: "FILE"),
        completion: .file())
    var file: [String] = []

    @Option(parsing: .unconditionalSingleValue, help: ArgumentHelp("A source: this text.", valueName: "STRING"))
    var text: [String] = []

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "A source: what this command writes, which sh runs when it is first pasted, in this folder.",
            valueName: "COMMAND"))
    var command: [String] = []

    @Option(
        parsing: .upToNextOption, help: ArgumentHelp("Sources: an item for each file, its URL.", valueName: "PATH"),
        completion: .file())
    var files: [String] = []

    @Flag(help: "The files of --files are to be moved by who pastes them.")
    var cut = false

    @Flag(help: "Begin the next item.")
    var next: Int

    @Flag(name: [.customShort("n"), .long], help: "Leave out one newline at the end of each source.")
    var trim = false

    @Flag(help: "Offer text under the names given, and no derived ones.")
    var exact = false

    @Flag(help: "Write the first source to standard output, too.")
    var tee = false

    @Flag(name: .customLong("no-empty"), help: "Change nothing if the sources are empty; not with -c.")
    var noEmpty = false

    @Option(
        name: .customLong("if-count"),
        help: ArgumentHelp("Change nothing unless the change count is N.", valueName: "N"))
    var ifCount: Int?

    @Option(help: Self.expiresHelp)
    var expires: Lifetime?

    @Flag(name: .customLong("local-only"), help: Self.localOnlyHelp)
    var localOnly = false

    @Flag(
        help: """
            A secret: never stored or swapped, hidden from histories, at most 65,536 bytes; from standard input or -f.
            """)
    var concealed = false

    @Flag(help: Self.onceHelp)
    var once = false

    @Flag(help: Self.memoryHelp)
    var memory = false

    @Argument(
        help: ArgumentHelp("A source: words, joined by spaces. Without any source, standard input.", valueName: "TEXT"))
    var words: [String] = []

    static var expiresHelp: ArgumentHelp {
        ArgumentHelp(
            "Let the contents go after a time, such as 45s, 1.5m, 2h or 7d; a plain number is seconds.",
            valueName: "TIME")
    }

    static var onceHelp: ArgumentHelp {
        "Let the contents go once something that is no clipboard manager has pasted them."
    }

    static var memoryHelp: ArgumentHelp { "Keep nothing on disk: the contents end with the bridge." }

    static var localOnlyHelp: ArgumentHelp { "Offer the contents on no display of another machine." }
}
