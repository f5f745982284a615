import ArgumentParser
import BridgeClient
import LinuxSystem
import PasteboardWire

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

/// What the checks look at. What takes time is looked at once, when the first check wants it. Nothing is changed by it:
/// no bridge is started, and none is told anything.
final class Examination {
    let environment: [String: String]
    /// Instead of DISPLAY.
    let option: String?
    /// How long each of those asked may be silent.
    let timeout: Duration
    let user = PeerCredentials.own.user

    private(set) lazy var display = DisplayState(option: option, environment: environment, timeout: timeout)
    private(set) lazy var folder = Result { () throws(RendezvousError) in
        try Rendezvous.existing(environment: environment)
    }
    private(set) lazy var bridge = BridgeState.look(in: self)

    init(environment: [String: String], option: String? = nil, timeout: Duration) {
        self.environment = environment
        self.option = option
        self.timeout = timeout
    }

    /// A variable that is set to something.
    func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// The state of a bridge that answers.
    var status: Methods.Status.Reply? {
        if case .answering(let answering) = bridge { answering.status } else { nil }
    }
}

/// One thing that `xpb doctor` looks at.
struct Check: Sendable {
    let name: String
    /// Nothing where it has nothing to look at.
    let look: @Sendable (Examination) -> [Finding]

    init(_ name: String, _ look: @escaping @Sendable (Examination) -> [Finding]) {
        self.name = name
        self.look = look
    }

    /// The order in which what is equally bad is told: each may explain those that follow.
    static let all = [
        folder, display, session, program, bridge, owners, manager, store, settings, limits, log,
    ]

    /// What all of them find, the worst first.
    static func run(_ checks: [Check] = all, on examination: Examination) -> [Finding] {
        let findings = checks.flatMap { check in
            check.look(examination).map { finding in
                var finding = finding
                finding.check = check.name
                return finding
            }
        }
        return Finding.Weight.allCases.flatMap { weight in findings.filter { $0.weight == weight } }
    }
}

/// What a check of `xpb doctor` found.
struct Finding: Equatable, Encodable, Sendable {
    /// The worst first.
    enum Weight: String, Comparable, CaseIterable, Encodable, Sendable {
        /// Something does not work.
        case fault
        /// Something works, and not as it should.
        case warning
        /// Nothing is wrong, and it may explain what surprises.
        case note
        case ok

        static func < (one: Weight, other: Weight) -> Bool { one.rank < other.rank }

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// The name of the check.
    var check = ""
    let weight: Weight
    /// A sentence without a full stop.
    let message: String
    /// What to do next.
    let advice: String?

    private enum CodingKeys: String, CodingKey {
        case check, weight = "finding", message, advice
    }

    private init(_ weight: Weight, _ message: String, _ advice: String?) {
        self.weight = weight
        self.message = message
        self.advice = advice
    }

    static func fault(_ message: String, advice: String) -> Finding { Finding(.fault, message, advice) }

    static func warning(_ message: String, advice: String) -> Finding { Finding(.warning, message, advice) }

    static func note(_ message: String, advice: String? = nil) -> Finding { Finding(.note, message, advice) }

    static func ok(_ message: String) -> Finding { Finding(.ok, message, nil) }

    /// Whether something is to be mended.
    var isWrong: Bool { weight <= .warning }

    var row: [String] { [weight.rawValue, check, message + (advice.map { "; \($0)" } ?? "")] }
}
