/// How `xpb` ends.
struct ExitStatus: RawRepresentable, Equatable, Sendable {
    /// Any other than the known ones is that of a command that was run.
    let rawValue: Int32

    static let done = ExitStatus(rawValue: 0)
    /// Nothing is there, or none of the types asked for.
    static let nothing = ExitStatus(rawValue: 1)
    static let usage = ExitStatus(rawValue: 2)
    /// The owner did not answer in time.
    static let silent = ExitStatus(rawValue: 3)
    /// No display or no bridge.
    static let unavailable = ExitStatus(rawValue: 4)
    /// The transfer broke or is incomplete, or what was done could not be stored.
    static let broken = ExitStatus(rawValue: 5)
    /// By a count that does not match, by policy or by a limit.
    static let refused = ExitStatus(rawValue: 6)
    /// Nobody reads standard output any more: what a shell sees of a program that SIGPIPE ended.
    static let brokenPipe = ExitStatus(rawValue: 141)
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
