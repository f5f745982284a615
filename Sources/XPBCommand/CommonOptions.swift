import ArgumentParser

/// What every command takes.
struct CommonOptions: Equatable, Sendable {
    var pasteboards: [String] = []
    var display: String?
    var timeout: Seconds?
    var json = false
    var quiet = false
    var verbose = false

    static let forms = [
        OptionForm("pasteboard", "p", .value), OptionForm("display", nil, .value), OptionForm("timeout", nil, .value),
        OptionForm("json"), OptionForm("quiet", "q"), OptionForm("verbose", "v"),
    ]

    /// - Returns: Whether the option is one of these and its value can be.
    mutating func take(_ name: String, _ value: String?) -> Bool {
        switch (name, value) {
        case ("pasteboard", let value?): pasteboards.append(value)
        case ("display", let value?): display = value
        case ("timeout", let value?):
            guard let seconds = Seconds(argument: value) else { return false }
            timeout = seconds
        case ("json", nil): json = true
        case ("quiet", nil): quiet = true
        case ("verbose", nil): verbose = true
        default: return false
        }
        return true
    }
}

/// The same, as the argument library reads them.
struct CommonFlags: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: "The pasteboard: general (default), find, secondary, or an app's own such as com.example.scratch.")
    var pasteboard: [String] = []

    @Option(help: "The X display, instead of DISPLAY.")
    var display: String?

    // Whatever it looks like: what begins with a dash is told to be negative, not to be missing.
    @Option(
        parsing: .unconditional, help: "How long to wait for somebody silent, in seconds (default: 5).",
        transform: Seconds.reading)
    var timeout: Seconds?

    @Flag(help: "Write one JSON object.")
    var json = false

    @Flag(name: .shortAndLong, help: "No messages, only the exit status.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Say what is done.")
    var verbose = false

    var plain: CommonOptions {
        CommonOptions(
            pasteboards: pasteboard, display: display, timeout: timeout, json: json, quiet: quiet, verbose: verbose)
    }
}
