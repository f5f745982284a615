import ArgumentParser
import FastPath
import LinuxSystem

/// The options that every command takes.
struct CommonOptions: Equatable, Sendable {
    var pasteboards: [String] = []
    var display: String?
    var timeout: Seconds?
    var json = false
    var quiet = false
    var verbose = false
}

extension CommonOptions {
    init(_ line: FastLine) {
        self.init(pasteboards: [LosslessText.string(of: line.pasteboard)], quiet: line.quiet)
    }
}

/// The same options as the argument library reads them.
struct CommonFlags: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The pasteboard: general (default), find, secondary, or an app's own such as com.example.scratch.",
            valueName: "NAME"))
    var pasteboard: [String] = []

    @Option(help: ArgumentHelp("The X display to use instead of DISPLAY.", valueName: "DISPLAY"))
    var display: String?

    // Unconditional, so that a value beginning with a dash is reported as negative and not as missing.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How long to wait for a program that does not answer, in seconds (default: 5).", valueName: "SECONDS"),
        transform: Seconds.parse)
    var timeout: Seconds?

    @Flag(help: "Write one JSON object.")
    var json = false

    @Flag(name: .shortAndLong, help: "Write no messages; the exit status says what happened.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Report what is done.")
    var verbose = false

    var options: CommonOptions {
        CommonOptions(
            pasteboards: pasteboard, display: display, timeout: timeout, json: json, quiet: quiet, verbose: verbose)
    }
}
