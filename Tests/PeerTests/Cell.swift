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

    /// Copies, pastes, and tells what is wrong with what came; nil where nothing is.
    func transfer(in sandbox: Sandbox) async throws -> String? {
        try await sandbox.prepare(kind)
        switch direction {
        case .copies:
            let form = kind == .absent ? "text" : kind.form
            return try await sandbox.owning(toolkit, [(form, "in")]) { _ in
                let pasted = try await sandbox.shell("exec xpb get --timeout 60 -t \"$1\" >out", kind.type)
                return try await difference(pasted, in: sandbox)
            }
        case .pastes:
            try await sandbox.xpbCopies(kind)
            return try await difference(sandbox.pasting(toolkit, kind.form, into: "out"), in: sandbox)
        }
    }

    private func difference(_ pasted: Outcome, in sandbox: Sandbox) async throws -> String? {
        // Both sides tell by status 1 that there is nothing of that kind.
        if kind == .absent { return pasted.status == 1 ? nil : "\(pasted)" }
        guard pasted.status == 0 else { return "\(pasted)" }
        return try await sandbox.differenceOfPasted(kind, isToolkits: direction == .pastes)
    }
}
