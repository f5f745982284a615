import TestSupport
import Testing

/// One way of one kind of contents between xpb and a toolkit.
struct Cell: Hashable, Sendable, CustomTestStringConvertible {
    enum Direction: CaseIterable, Sendable {
        /// The toolkit copies, xpb pastes.
        case copies
        /// xpb copies, the toolkit pastes.
        case pastes
    }

    let toolkit: Toolkit
    let direction: Direction
    let kind: Kind

    static let all = Toolkit.allCases.flatMap { toolkit in
        Direction.allCases.flatMap { direction in
            Kind.allCases.map { Cell(toolkit: toolkit, direction: direction, kind: $0) }
        }
    }

    var testDescription: String {
        switch direction {
        case .copies: "\(toolkit) copies \(kind.phrase), xpb pastes"
        case .pastes: "xpb copies \(kind.phrase), \(toolkit) pastes"
        }
    }

    /// Copies, pastes, and tells what became of it.
    func transfer(in sandbox: Sandbox) async throws -> Verdict {
        try await sandbox.prepare(kind)
        switch direction {
        case .copies:
            let form = kind == .absent ? "text" : kind.form
            return try await sandbox.owning(toolkit, [(form, "in")]) { _ in
                try await sandbox.verdict(on: kind, pastedBy: "xpb", "get", "--timeout", "60", "-t", kind.type)
            }
        case .pastes:
            try await sandbox.xpbCopies(kind)
            return try await sandbox.verdict(on: kind, pastedBy: toolkit)
        }
    }
}
