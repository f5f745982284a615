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

    var duration: Duration { .milliseconds(milliseconds) }
}
