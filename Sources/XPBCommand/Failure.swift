/// How `xpb` ends.
enum ExitStatus: Int32, Sendable {
    case done = 0
    /// Nothing is there, or none of the types asked for.
    case nothing = 1
    case usage = 2
    /// The owner did not answer in time.
    case silent = 3
    /// No display or no bridge.
    case unavailable = 4
    /// The transfer broke or is incomplete.
    case broken = 5
    /// By a count that does not match, by policy or by a limit.
    case refused = 6
    /// Nobody reads standard output any more: what a shell sees of a program that SIGPIPE ended.
    case brokenPipe = 141
}

/// Why a command did not do what it was asked.
struct Failure: Error, Equatable {
    let status: ExitStatus
    /// Without a full stop, with the next step. Empty where there is nothing to say.
    let message: String

    init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    static func usage(_ message: String) -> Failure { Failure(.usage, message) }
}
