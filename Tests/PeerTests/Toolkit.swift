import TestSupport
import Testing

/// A toolkit whose programs copy and paste.
enum Toolkit: String, CaseIterable, Sendable, CustomStringConvertible {
    case gtk3 = "GTK 3"
    case qt5 = "Qt 5"
    case tk = "Tk"

    var description: String { rawValue }

    /// The program of Tests/Fixtures/Toolkits; toolkit.py tells its command line.
    var program: String {
        switch self {
        case .gtk3: Binaries.fixture("Toolkits/gtk3.py")
        case .qt5: Binaries.fixture("Toolkits/qt5.py")
        case .tk: Binaries.fixture("Toolkits/tk.py")
        }
    }
}

extension Sandbox {
    /// Runs `body` while a program of the toolkit owns CLIPBOARD.
    /// - Parameter contents: What it copies: each kind as the program calls it, and the file in the folder.
    func owning<Result: Sendable>(
        _ toolkit: Toolkit, _ contents: [(form: String, file: String)], _ body: (Running) async throws -> Result
    ) async throws -> Result {
        let command = [toolkit.program, "own"] + contents.flatMap { [$0.form, path($0.file)] }
        return try await running(command) { program in
            let word = try await program.line()
            try #require(word == "owned", "\(toolkit) says “\(word)”")
            return try await body(program)
        }.result
    }

    /// Has a program of the toolkit paste into a file of the folder: status 0, or 3 where the toolkit gives nothing of that
    /// kind.
    func pasting(_ toolkit: Toolkit, _ form: String, into file: String) async throws -> Outcome {
        try await run([toolkit.program, "read", form, path(file)])
    }

    /// Runs `xpb`, with patience, and requires success.
    @discardableResult
    func require(_ command: String, _ arguments: String...) async throws -> Outcome {
        let outcome = try await run(["\(Binaries.folder)/xpb", command, "--timeout", "60"] + arguments)
        try #require(outcome.status == 0, "\(outcome)")
        return outcome
    }
}
