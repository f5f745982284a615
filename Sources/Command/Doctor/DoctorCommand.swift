package import ArgumentParser
import BridgeClient
package import CommandCore
import LinuxSystem
import PasteboardWire

/// `xpb doctor`.
package struct DoctorCommand: Subcommand {
    package static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Find faults, and show the next step for each. Starts no bridge.",
        discussion: """
            Checks the runtime folder, the display, the session, the programs xpb and xpbd, the bridge, the owners \
            of the pasteboards, lost contents, other clipboard managers, the store, the links, the settings, the \
            limits and the log.

            Each line is FINDING<TAB>CHECK<TAB>SENTENCE, worst first. 'fault' means that something does not work, \
            'warning' that it does not work properly, and 'note' explains a possible surprise. With --verbose, 'ok' \
            lines are written too.

            Each program has --timeout seconds to answer (default: 3). The exit status is 1 if there is \
            a fault or a warning, else 0.

              xpb doctor
              xpb doctor --verbose
            """)

    @OptionGroup(title: CommonFlags.title) package var common: CommonFlags

    package init() {}

    package func perform(in session: Session) throws {
        // An X server that refuses the connection may already have closed its end.
        Signal.ignore(.brokenPipe)
        let timeout = (session.common.timeout ?? Seconds(3)).duration
        let examination = Examination(
            environment: session.environment, option: session.common.display, timeout: timeout)
        let findings = Check.run(on: examination)
        let isHealthy = !findings.contains(where: \.isWrong)
        if session.common.json {
            try session.output.write(json: DoctorJSON(findings: findings, healthy: isHealthy))
        } else if !session.common.quiet {
            try session.output.write(rows: Finding.rows(findings, verbose: session.common.verbose))
        }
        if !isHealthy { throw Failure(.nothing, "") }
    }
}

/// The output of `doctor --json`.
private struct DoctorJSON: Encodable {
    let findings: [Finding]
    let healthy: Bool
}

/// The facts that the checks share, each determined once, when a check first needs it. Nothing is changed: no bridge is
/// started, and no state is sent to one.
package final class Examination {
    let environment: [String: String]
    /// The display that --display names instead of DISPLAY.
    let option: String?
    /// The time that each program has to answer.
    let timeout: Duration
    let user = PeerCredentials.own.user

    private(set) lazy var display = DisplayState(option: option, environment: environment, timeout: timeout)
    /// The Wayland display of the session; nil if the wanted X display is not its Xwayland.
    var wayland: WaylandName? {
        display.wanted == nil || display.server?.isXwayland == true ? WaylandName(environment: environment) : nil
    }
    private(set) lazy var folder = Result { () throws(RuntimeDirectoryError) in
        try RuntimeDirectory.existing(environment: environment)
    }
    private(set) lazy var bridge = FoundBridge.find(in: self)

    package init(environment: [String: String], option: String? = nil, timeout: Duration) {
        self.environment = environment
        self.option = option
        self.timeout = timeout
    }

    /// Returns the value of a variable; nil if it is not set, or empty.
    func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// The status of the bridge; nil if no bridge answers.
    var status: Methods.Status.Reply? {
        if case .answering(let answering) = bridge { answering.status } else { nil }
    }

    /// True if the bridge answers from outside this container.
    var isBridgeOutside: Bool {
        if case .answering(let answering) = bridge { BridgeClient.isOutside(answering.connection) } else { false }
    }

    /// The errors in the settings that the bridge has read; empty if no bridge answers.
    var settingsFaults: [String] {
        guard case .answering(let answering) = bridge else { return [] }
        return (try? answering.connection.call(Methods.Settings.self, .init(), idleTimeout: timeout).reply.faults) ?? []
    }
}

/// One of the checks of `xpb doctor`.
package struct Check: Sendable {
    let name: String
    /// Returns the findings; none if the check does not apply.
    package let look: @Sendable (Examination) -> [Finding]

    package init(_ name: String, _ look: @escaping @Sendable (Examination) -> [Finding]) {
        self.name = name
        self.look = look
    }

    /// All checks. Findings of equal weight are in this order: each check may explain later ones.
    static let all = [
        folder, display, session, program, copies, bridge, owners, abandoned, losses, manager, senders, store, links,
        settings,
        limits, log,
    ]

    /// Runs the checks and returns their findings, worst first.
    package static func run(_ checks: [Check] = all, on examination: Examination) -> [Finding] {
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

/// A finding of `xpb doctor`.
package struct Finding: Equatable, Encodable, Sendable {
    /// The weight of a finding, worst first.
    package enum Weight: String, CaseIterable, Encodable, Sendable {
        /// Something does not work.
        case fault
        /// Something does not work as it should.
        case warning
        /// Nothing is wrong, but the fact may explain unexpected behavior.
        case note
        case ok
    }

    /// The name of the check.
    var check = ""
    package let weight: Weight
    /// A sentence without a full stop.
    package let message: String
    /// The next step.
    package let advice: String?

    private enum CodingKeys: String, CodingKey {
        case check, weight = "finding", message, advice
    }

    private init(_ weight: Weight, _ message: String, _ advice: String?) {
        self.weight = weight
        self.message = message
        self.advice = advice
    }

    package static func fault(_ message: String, advice: String) -> Finding { Finding(.fault, message, advice) }

    package static func warning(_ message: String, advice: String) -> Finding { Finding(.warning, message, advice) }

    package static func note(_ message: String, advice: String? = nil) -> Finding { Finding(.note, message, advice) }

    package static func ok(_ message: String) -> Finding { Finding(.ok, message, nil) }

    /// True if something must be repaired.
    package var isWrong: Bool { weight == .fault || weight == .warning }

    /// Returns the rows to show.
    package static func rows(_ findings: [Finding], verbose: Bool) -> [[String]] {
        let shown = verbose ? findings : findings.filter { $0.weight != .ok }
        let isWrong = findings.contains(where: \.isWrong)
        return shown.map(\.row) + (isWrong || verbose ? [] : [["ok", "all", "nothing is wrong"]])
    }

    private var row: [String] { [weight.rawValue, check, message + (advice.map { "; \($0)" } ?? "")] }
}
