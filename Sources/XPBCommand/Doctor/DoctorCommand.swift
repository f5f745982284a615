import ArgumentParser
import LinuxSystem

/// `xpb doctor`.
struct DoctorCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Find what is wrong, and say what to do about it. Starts no bridge.",
        discussion: """
            Looks at the display, the session, the bridge, who owns the pasteboards, other clipboard managers, the \
            store, the settings, the limits and the log. Writes FINDING<TAB>CHECK<TAB>SENTENCE lines, the worst first: a \
            'fault' does not work, a 'warning' does not work as it should, a 'note' is nothing wrong, and may explain \
            what surprises. With --verbose, what is 'ok' as well.

            Each that is asked may be silent for --timeout seconds (default: 3). The exit status is 0 where nothing is \
            wrong, notes or not, and 1 where there is a fault or a warning.
            """)

    @OptionGroup var common: CommonFlags

    func perform(in session: Session) throws {
        guard session.common.pasteboards.isEmpty else {
            throw Failure.usage("doctor is about all pasteboards; leave -p out")
        }
        // An X server that refuses us may have closed its end already.
        Signal.ignore(.brokenPipe)
        let timeout = (session.common.timeout ?? Seconds(3)).duration
        let examination = Examination(
            environment: session.environment, option: session.common.display, timeout: timeout)
        let findings = Check.run(on: examination)
        let isHealthy = !findings.contains(where: \.isWrong)
        if session.common.json {
            try session.output.write(json: DoctorJSON(findings: findings, healthy: isHealthy))
        } else if !session.common.quiet {
            try session.output.write(rows: Self.rows(findings, verbose: session.common.verbose))
        }
        if !isHealthy { throw Failure(.nothing, "") }
    }

    /// What the user is shown.
    static func rows(_ findings: [Finding], verbose: Bool) -> [[String]] {
        let shown = verbose ? findings : findings.filter { $0.weight != .ok }
        let isWrong = findings.contains(where: \.isWrong)
        return shown.map(\.row) + (isWrong || verbose ? [] : [["ok", "all", "nothing is wrong"]])
    }
}

/// What `doctor --json` writes.
private struct DoctorJSON: Encodable {
    let findings: [Finding]
    let healthy: Bool
}
