import ArgumentParser

/// Which representation is written, and how: of a pasteboard by `get`, of an entry by `history show`.
struct RepresentationFlags: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("What to write, the first one that is there; repeatable.", valueName: "TYPE"))
    var type: [String] = []

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Write to a file, whose extension names the type if -t does not.", valueName: "FILE"),
        completion: .file())
    var output: String?

    @Option(help: ArgumentHelp("The item, counted from 0 (default: the first).", valueName: "N"))
    var item: Int?

    @Flag(help: "Only what is there, nothing made of it.")
    var exact = false

    @Flag(help: "End with a newline, if there is none.")
    var newline = false

    @Flag(help: "Leave out one newline at the end.")
    var trim = false

    @Flag(help: "Write bytes that are no text to a terminal.")
    var force = false

    func options(_ common: CommonFlags) -> GetOptions {
        var options = GetOptions()
        options.common = common.plain
        options.types = type
        options.output = output
        options.item = item
        options.exact = exact
        options.newline = newline
        options.trim = trim
        options.force = force
        return options
    }
}
