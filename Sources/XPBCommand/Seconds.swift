import ArgumentParser

/// A time on the command line: seconds, with decimals, up to some eleven days.
struct Seconds: Equatable, Sendable, ExpressibleByArgument {
    /// Rounded up.
    let milliseconds: Int

    init(_ seconds: Int) {
        milliseconds = seconds * 1000
    }

    init?(argument: String) {
        guard let value = Double(argument), value >= 0, value <= 1_000_000 else { return nil }
        milliseconds = Int((value * 1000).rounded(.up))
    }

    /// The same, with a word on what is wrong.
    static func parse(_ argument: String) throws -> Seconds {
        if let seconds = Seconds(argument: argument) { return seconds }
        guard let value = Double(argument), !value.isNaN else {
            throw ValidationError("it is to be a number of seconds, such as 0.5")
        }
        throw ValidationError(value < 0 ? "a time cannot be negative" : "it is to be 1000000 seconds at most")
    }

    var duration: Duration { .milliseconds(milliseconds) }
}
