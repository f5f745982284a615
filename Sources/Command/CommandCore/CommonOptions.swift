package import ArgumentParser
package import FastPath
import LinuxSystem

/// A command that runs in a session. Most commands use a bridge.
package protocol Subcommand: ParsableCommand {
    var common: CommonFlags { get }
    /// The values of the options that all commands take.
    var commonOptions: CommonOptions { get }
    func perform(in session: Session) throws
}

extension Subcommand {
    package var commonOptions: CommonOptions { common.options() }
}

/// A command that acts on the pasteboards of `-p`.
package protocol PasteboardSubcommand: Subcommand {
    var pasteboards: PasteboardFlags { get }
}

extension PasteboardSubcommand {
    package var commonOptions: CommonOptions { common.options(on: pasteboards.names) }
}

/// The options that every command takes, and `-p`, as plain values.
package struct CommonOptions: Equatable, Sendable {
    package var pasteboards: [String] = []
    package var display: String?
    package var timeout: Seconds?
    package var json = false
    package var quiet = false
    package var verbose = false

    package init(pasteboards: [String] = [], quiet: Bool = false) {
        self.pasteboards = pasteboards
        self.quiet = quiet
    }

    package init(_ line: FastLine) {
        self.init(pasteboards: [LosslessText.string(of: line.pasteboard)], quiet: line.quiet)
    }
}

/// The option that names pasteboards.
package struct PasteboardFlags: ParsableArguments {
    @Option(
        name: [.customShort("p"), .customLong("pasteboard")],
        help: ArgumentHelp(
            "The pasteboard: general (default), find, secondary, or an app's own such as com.example.scratch.",
            valueName: "NAME"), completion: .pasteboards)
    package var names: [String] = []

    package init() {}
}

/// The options that every command takes, as the argument library reads them.
package struct CommonFlags: ParsableArguments {
    /// The title of these options in the help.
    package static let title = "Common options"

    @Option(help: ArgumentHelp("The X display to use instead of DISPLAY.", valueName: "DISPLAY"))
    package var display: String?

    // Parsed unconditionally, so that a value beginning with a dash is reported as negative, not as missing.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How long to wait for a program that does not answer, in seconds (default: 5; doctor: 3).",
            valueName: "SECONDS"),
        transform: Seconds.parse)
    package var timeout: Seconds?

    @Flag(help: "Write one JSON object.")
    package var json = false

    @Flag(
        name: .shortAndLong,
        help: "Suppress messages other than usage errors; the exit status shows the outcome.")
    package var quiet = false

    @Flag(name: .shortAndLong, help: "Report each action.")
    package var verbose = false

    package init() {}

    package func options(on pasteboards: [String] = []) -> CommonOptions {
        var options = CommonOptions(pasteboards: pasteboards, quiet: quiet)
        options.display = display
        options.timeout = timeout
        options.json = json
        options.verbose = verbose
        return options
    }
}

/// A number of seconds on the command line, with decimals, up to 1,000,000 (eleven days).
package struct Seconds: Equatable, Sendable, ExpressibleByArgument {
    /// The milliseconds, rounded up.
    package let milliseconds: Int

    package init(_ seconds: Int) {
        milliseconds = seconds * 1000
    }

    package init?(argument: String) {
        guard let value = Double(argument), value >= 0, value <= 1_000_000 else { return nil }
        milliseconds = Int((value * 1000).rounded(.up))
    }

    /// Parses an argument, and throws an error that says what is wrong with it.
    package static func parse(_ argument: String) throws -> Seconds {
        if let seconds = Seconds(argument: argument) { return seconds }
        guard let value = Double(argument), !value.isNaN else {
            throw ValidationError("not a number of seconds, such as 0.5")
        }
        throw ValidationError(value < 0 ? "a time cannot be negative" : "at most 1000000 seconds")
    }

    package var duration: Duration { .milliseconds(milliseconds) }
}

/// The lifetime of contents: a number with decimals and a unit, `s`, `m`, `h` or `d`; without a unit, seconds. The
/// lifetime is above 0 and at most 10,000 days.
package struct Lifetime: Equatable, Sendable {
    /// The milliseconds, rounded up.
    package let milliseconds: Int

    private static let units: [Character: Double] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
    private static let maxSeconds = 10_000 * 86_400.0

    /// Parses an argument, and throws an error that says what is wrong with it.
    package static func parse(_ argument: String) throws -> Lifetime {
        guard let lifetime = Lifetime(argument: argument) else {
            throw ValidationError("not a time such as 45s, 1.5m, 2h or 7d, above 0 and up to 10000d")
        }
        return lifetime
    }

    package init?(argument: String) {
        let unit = argument.last.flatMap { Self.units[$0] }
        let number = unit == nil ? argument[...] : argument.dropLast()
        // Only plain numbers are valid: without a sign, an exponent or "inf".
        guard number.first?.isASCIIDigitOrPoint == true, number.allSatisfy(\.isASCIIDigitOrPoint),
            let value = Double(number)
        else { return nil }
        let seconds = value * (unit ?? 1)
        guard seconds > 0, seconds <= Self.maxSeconds else { return nil }
        milliseconds = Int((seconds * 1000).rounded(.up))
    }
}

extension Character {
    fileprivate var isASCIIDigitOrPoint: Bool {
        asciiValue.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".") } ?? false
    }
}
