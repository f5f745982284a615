import TestSupport

/// What became of a paste.
enum Verdict: CustomStringConvertible, Sendable {
    /// What was copied came.
    case same
    /// The reader says that nothing of that kind is there.
    case absent(String)
    /// Something else came.
    case different(String)
    /// The reader did not come to an end as it should.
    case broken(String)

    /// Whether it is that, whatever is said of it.
    func isLike(_ other: Verdict) -> Bool {
        switch (self, other) {
        case (.same, .same), (.absent, .absent), (.different, .different), (.broken, .broken): true
        default: false
        }
    }

    var description: String {
        switch self {
        case .same: "what was copied came"
        case .absent(let words), .different(let words), .broken(let words): words
        }
    }
}

extension Sandbox {
    /// What became of a paste by a toolkit's program into the file `out`.
    func verdict(on kind: Kind, pastedBy toolkit: Toolkit) async throws -> Verdict {
        try await verdict(on: kind, try await pasting(toolkit, kind.form, into: "out"), absent: 3, isToolkits: true)
    }

    /// What became of a paste by a command that writes to its standard output.
    /// - Parameter absent: The status by which it says that nothing of that kind is there.
    func verdict(on kind: Kind, pastedBy command: String..., absent: Int32 = 1) async throws -> Verdict {
        let pasted = try await run(["/bin/sh", "-c", "exec \"$@\" >out", "sh"] + command)
        return try await verdict(on: kind, pasted, absent: absent, isToolkits: false)
    }

    private func verdict(
        on kind: Kind, _ pasted: Outcome, absent: Int32, isToolkits: Bool
    ) async throws -> Verdict {
        switch pasted.status {
        case 0: try await differenceOfPasted(kind, isToolkits: isToolkits).map { .different($0) } ?? .same
        case absent: .absent("\(pasted)")
        default: .broken("\(pasted)")
        }
    }
}
