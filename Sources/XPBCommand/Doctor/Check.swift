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
