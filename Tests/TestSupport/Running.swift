import Glibc
package import Subprocess
import SystemPackage

/// A running program, with access to its output line by line, its standard input and its signals.
package final class Running {
    package typealias Process = Execution<CustomWriteInput, SequenceOutput, DiscardedOutput>

    /// The program ended, or its output was unexpected.
    package struct Unexpected: Error, CustomStringConvertible {
        package let description: String
    }

    private let process: Process
    private let name: String
    private var lines: SubprocessOutputSequence.StringSequence<UTF8>.AsyncIterator

    init(_ process: Process, name: String) {
        self.process = process
        self.name = name
        lines = process.standardOutput.strings().makeAsyncIterator()
    }

    /// The process id.
    package var processID: Int32 { process.processIdentifier.value }

    /// Returns the next line of standard output, without the newline.
    /// - Throws: ``Unexpected`` if the program ends without another line.
    package func line() async throws -> String {
        guard let line = try await lines.next(isolation: nil) else {
            throw Unexpected(description: "\(name) ended instead of printing another line")
        }
        return line.hasSuffix("\n") ? String(line.dropLast()) : line
    }

    /// Writes a line to standard input.
    package func send(_ line: String) async throws { try await write(line + "\n") }

    /// Writes text to standard input.
    package func write(_ text: String) async throws {
        _ = try await process.standardInputWriter.write(text)
    }

    /// Stops the process (SIGSTOP).
    package func suspend() throws { try process.send(signal: .suspend) }

    /// Continues the process (SIGCONT).
    package func resume() throws { try process.send(signal: .resume) }

    /// Asks the process to exit (SIGTERM).
    package func terminate() throws { try process.send(signal: .terminate) }

    /// Kills the process (SIGKILL), and waits until it has ended.
    package func kill() async throws {
        try process.send(signal: .kill)
        await ProcessTable.awaitEnd(of: processID)
    }

    /// Closes standard input, and reads the rest of the output.
    package func finish() async throws {
        try await process.standardInputWriter.finish()
        while try await lines.next(isolation: nil) != nil {}
    }
}

/// Keeps the process of the tests alive when a program ends before it has read its input, as in a cancelled test: a
/// write to a pipe without a reader sends SIGPIPE. The handler does nothing. execve(2) resets handlers but not
/// `SIG_IGN`, so programs start with the default.
private let survivesClosedPipes: Void = { _ = signal(SIGPIPE) { _ in } }()

/// Runs a program during `body`, and kills it afterwards if it is still running.
///
/// Standard error is discarded: a program that goes into the background, as xclip does, would keep it open.
/// - Returns: The result of `body`, and the status as in a shell: 137 if the program was killed.
package func running<Result: Sendable>(
    _ command: [String], environment: [String: String], _ body: (Running) async throws -> Result
) async throws -> (result: Result, status: Int32) {
    survivesClosedPipes
    let outcome = try await Subprocess.run(
        executable(command),
        arguments: Arguments(Array(command.dropFirst())),
        environment: Environment(environment),
        input: .inputWriter,
        output: .sequence,
        error: .discarded
    ) { process in
        // SIGKILL also ends a stopped process. The error for a process that has already ended is ignored.
        defer { try? process.send(signal: .kill) }
        return try await body(Running(process, name: command.joined(separator: " ")))
    }
    return (outcome.closureResult, outcome.terminationStatus.shellStatus)
}

/// Runs a program to completion.
///
/// There is no timeout: suites that run programs have a `.timeLimit`, which cancels the test and thus ends the program.
/// - Parameters:
///   - command: The program, as a name or path, and its arguments.
///   - environment: The complete environment.
///   - folder: The working directory; by default the working directory of the test.
///   - input: The bytes that the program reads from standard input, through a pipe.
package func run(
    _ command: [String], environment: [String: String], in folder: String? = nil, input: [UInt8] = []
) async throws -> Outcome {
    survivesClosedPipes
    let result = try await Subprocess.run(
        executable(command),
        arguments: Arguments(Array(command.dropFirst())),
        environment: Environment(environment),
        workingDirectory: folder.map { FilePath($0) },
        input: .inputWriter,
        output: .bytes(limit: 64 << 20),
        error: .string(limit: 1 << 20)
    ) { process in
        // A program may end without reading its input. With `.array(input)`, version 1.0.2 of the library would then
        // end this process: the library does not close the pipe after a failed write, and its own check for open pipes
        // fails.
        _ = try? await process.standardInputWriter.write(input)
        try? await process.standardInputWriter.finish()
    }
    return Outcome(
        command: command, status: result.terminationStatus.shellStatus, output: result.standardOutput,
        error: result.standardError)
}

/// Returns the program of a command: a path if it contains a slash, otherwise a name to be looked up in `PATH`.
func executable(_ command: [String]) -> Executable {
    let name = command.first ?? ""
    return name.contains("/") ? .path(FilePath(name)) : .name(name)
}

extension Environment {
    /// Creates an environment of exactly these variables.
    init(_ variables: [String: String]) {
        self = .custom(variables.map { Array("\($0.key)=\($0.value)\0".utf8) })
    }
}

/// The exit status and output of a program.
package struct Outcome: Sendable, CustomStringConvertible {
    /// The command, for the messages of failing tests.
    package let command: [String]
    /// The exit status; 128 plus the signal's number if a signal ended the program, as in a shell.
    package let status: Int32
    /// The standard output, at most 64 MiB.
    package let output: [UInt8]
    /// The standard error, at most 1 MiB.
    package let error: String

    /// The output as text, without its final newline.
    package var text: String {
        let whole = String(decoding: output, as: UTF8.self)
        return whole.hasSuffix("\n") ? String(whole.dropLast()) : whole
    }

    /// The lines of the output.
    package var lines: [String] {
        text.isEmpty ? [] : text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The output as an integer, such as the output of `count` and `wait`.
    package var number: Int? { Int(text) }

    package var description: String {
        let shown = output.count <= 400 ? String(decoding: output, as: UTF8.self) : "\(output.count) bytes"
        return "\(command.joined(separator: " ")) → status \(status), output “\(shown)”, error “\(error)”"
    }
}

extension TerminationStatus {
    /// The status as in a shell: 128 plus the signal's number if a signal ended the program.
    package var shellStatus: Int32 {
        switch self {
        case .exited(let code): code
        case .signaled(let signal): 128 + signal
        }
    }
}
