import TestSupport
import Testing

extension Documentation {
    /// Tests of the terminal sessions in the documents. A session is a fenced block of the language `console`, and runs
    /// in its own shell and sandbox.
    @Suite("Terminal sessions") struct SessionTests {
        /// A command of a session, and the lines shown below it.
        private struct Step {
            let command: String
            var output: [String] = []
        }

        private static func steps(of session: Block) throws -> [Step] {
            var steps: [Step] = []
            for line in session.lines {
                if line.hasPrefix("$ ") {
                    steps.append(Step(command: String(line.dropFirst(2))))
                } else {
                    try #require(!steps.isEmpty, "\(session) begins without a command")
                    steps[steps.count - 1].output.append(line)
                }
            }
            return steps
        }

        /// Returns the lines of a command's output, with the ages of history entries set to 0.
        private static func lines(_ output: [UInt8]) -> [String] {
            var lines = String(decoding: output, as: UTF8.self).replacing(/\t\d+s\t/, with: "\t0s\t")
                .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            if lines.last == "" { lines.removeLast() }
            return lines
        }

        @Test(
            "Each command prints the lines shown below it",
            arguments: ["README.md", "Documents/Manual.md", "Documents/Settings.md"])
        func output(file: String) async throws {
            let sessions = Block.all(in: file, try Tree.lines(file)).filter { $0.language == "console" }
            #expect(!sessions.isEmpty)
            for session in sessions {
                let steps = try Self.steps(of: session)
                // The output goes to files, since xclip's background process keeps its standard output open.
                let script = steps.enumerated().map { "{ \($1.command)\n} >\"$TMPDIR/output.\($0)\" 2>&1" }
                try await Sandbox.with { sandbox in
                    _ = try await sandbox.run(["/bin/bash", "-c", script.joined(separator: "\n")])
                    for (index, step) in steps.enumerated() {
                        let output = Self.lines(try sandbox.read("output.\(index)"))
                        #expect(output == step.output, "\(session): \(step.command)")
                    }
                }
            }
        }
    }
}
