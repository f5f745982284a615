package import Subprocess

/// How a program ended, and what it wrote.
package struct Outcome: Sendable, CustomStringConvertible {
    /// What was run, for the messages of failing tests.
    package let command: [String]
    /// The exit status; 128 and the signal's number where a signal ended it, as a shell says it.
    package let status: Int32
    /// Standard output, at most 64 MiB.
    package let output: [UInt8]
    /// Standard error, at most 1 MiB.
    package let error: String

    /// The output as text, without the newline at its end.
    package var text: String {
        let whole = String(decoding: output, as: UTF8.self)
        return whole.hasSuffix("\n") ? String(whole.dropLast()) : whole
    }

    /// The lines of the output.
    package var lines: [String] {
        text.isEmpty ? [] : text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The output as one integer, the form of `count` and `wait`.
    package var number: Int? { Int(text) }

    package var description: String {
        let shown = output.count <= 400 ? String(decoding: output, as: UTF8.self) : "\(output.count) bytes"
        return "\(command.joined(separator: " ")) → status \(status), output “\(shown)”, error “\(error)”"
    }
}

extension TerminationStatus {
    /// The status as a shell says it: 128 and the signal's number for a program that a signal ended.
    package var shellStatus: Int32 {
        switch self {
        case .exited(let code): code
        case .signaled(let signal): 128 + signal
        }
    }
}
