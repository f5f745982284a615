import TestSupport

/// The result of a paste.
enum Verdict: CustomStringConvertible, Sendable {
    /// The pasted contents equal the copied contents.
    case same
    /// The reader reports that there is nothing of this kind.
    case absent(String)
    /// The pasted contents differ.
    case different(String)
    /// The reader failed.
    case broken(String)

    /// Returns true if both are the same case, whatever their text.
    func isLike(_ other: Verdict) -> Bool {
        switch (self, other) {
        case (.same, .same), (.absent, .absent), (.different, .different), (.broken, .broken): true
        default: false
        }
    }

    var description: String {
        switch self {
        case .same: "the pasted contents equal the copied contents"
        case .absent(let words), .different(let words), .broken(let words): words
        }
    }
}

extension Sandbox {
    /// Returns the result of a paste by a toolkit's program into the file `out`.
    func verdict(on kind: Kind, pastedBy toolkit: Toolkit) async throws -> Verdict {
        try await verdict(on: kind, try await pasting(toolkit, kind.form, into: "out"), absent: 3, isToolkits: true)
    }

    /// Returns the result of a paste by a command that writes to its standard output.
    /// - Parameter absent: The status with which the command reports that there is nothing of this kind.
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

/// The reason why a cell of the matrix is a dash. The test is not meant to find such a limit.
///
/// The test of such a cell passes only while the paste fails in the expected way.
enum KnownLimit: CaseIterable, Sendable {
    case tkCutsCharacters

    /// The text of the footnote.
    var reason: String {
        switch self {
        case .tkCutsCharacters:
            "Tk sends chunks of 4,000 bytes, and corrupts a character of four bytes at the end of a chunk. The"
                + " same happens if xclip is the reader."
        }
    }

    /// The expected result of a paste in such a cell.
    var verdict: Verdict {
        switch self {
        case .tkCutsCharacters: .different(reason)
        }
    }

    /// The same paste between other programs, without xpb; nil if the limit is not a toolkit's.
    var control: (@Sendable (Sandbox) async throws -> Verdict)? {
        switch self {
        case .tkCutsCharacters:
            { sandbox in
                try await sandbox.owning(.tk, [("text", "in")]) { _ in
                    try await sandbox.verdict(
                        on: .fourByteText, pastedBy: "xclip", "-o", "-selection", "clipboard", "-t", "UTF8_STRING")
                }
            }
        }
    }
}

extension Cell {
    /// The reason why this cell is a dash; nil if it is expected to work.
    var limit: KnownLimit? {
        switch (direction, toolkit, kind) {
        case (.copies, .tk, .fourByteText): .tkCutsCharacters
        default: nil
        }
    }

    /// The expected result of the paste.
    var expected: Verdict { limit?.verdict ?? (kind == .absent ? .absent("there is nothing of that kind") : .same) }
}
