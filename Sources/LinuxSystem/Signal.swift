import Glibc

/// The signals a program of ours takes part in. See signal(7).
package enum Signal: Int32, Sendable, CaseIterable {
    /// The corresponding C constant is `SIGHUP`.
    case hangup = 1
    /// The corresponding C constant is `SIGINT`.
    case interrupt = 2
    /// The corresponding C constant is `SIGQUIT`.
    case quit = 3
    /// The corresponding C constant is `SIGKILL`.
    case kill = 9
    /// The corresponding C constant is `SIGPIPE`.
    case brokenPipe = 13
    /// The corresponding C constant is `SIGTERM`.
    case terminate = 15
    /// The corresponding C constant is `SIGCHLD`.
    case childEnded = 17
    /// A file, one in memory too, would grow beyond RLIMIT_FSIZE. The corresponding C constant is `SIGXFSZ`.
    case fileTooLarge = 25

    /// Has the whole process ignore a signal. An ignored signal stays so in programs it starts, except through
    /// ``ChildProcess``.
    package static func ignore(_ signal: Signal) {
        _ = Glibc.signal(signal.rawValue, SIG_IGN)
    }
}
