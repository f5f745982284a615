package import Subprocess

/// A program under way: its lines as they come, its standard input, its signals.
package final class Running {
    package typealias Process = Execution<CustomWriteInput, SequenceOutput, DiscardedOutput>

    /// The program said something else than was awaited, or ended.
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

    /// The id of the process.
    package var processID: Int32 { process.processIdentifier.value }

    /// The next line of its standard output, without its end.
    /// - Throws: ``Unexpected`` when it ends without one.
    package func line() async throws -> String {
        guard let line = try await lines.next(isolation: nil) else {
            throw Unexpected(description: "\(name) ended where a line was awaited")
        }
        return line.hasSuffix("\n") ? String(line.dropLast()) : line
    }

    /// Writes a line to its standard input.
    package func send(_ line: String) async throws { try await write(line + "\n") }

    /// Writes to its standard input.
    package func write(_ text: String) async throws {
        _ = try await process.standardInputWriter.write(text)
    }

    /// Stops it where it stands (SIGSTOP).
    package func suspend() throws { try process.send(signal: .suspend) }

    /// Lets it go on (SIGCONT).
    package func resume() throws { try process.send(signal: .resume) }

    /// Asks it to end (SIGTERM).
    package func terminate() throws { try process.send(signal: .terminate) }

    /// Kills it (SIGKILL), and awaits its end.
    package func kill() async throws {
        try process.send(signal: .kill)
        await ProcessTable.awaitEnd(of: processID)
    }

    /// Closes its standard input and reads its output to the end.
    package func finish() async throws {
        try await process.standardInputWriter.finish()
        while try await lines.next(isolation: nil) != nil {}
    }
}

/// Runs a program while `body` runs, and kills it afterwards if it is still there.
///
/// Its standard error is discarded: a program that goes into the background, as xclip does, would keep it open.
/// - Returns: What `body` returned, and the status as a shell says it: 137 where it was killed.
package func running<Result: Sendable>(
    _ command: [String], environment: [String: String], _ body: (Running) async throws -> Result
) async throws -> (result: Result, status: Int32) {
    let outcome = try await Subprocess.run(
        executable(command),
        arguments: Arguments(Array(command.dropFirst())),
        environment: Environment(environment),
        input: .inputWriter,
        output: .sequence,
        error: .discarded
    ) { process in
        // A stopped process obeys SIGKILL as well; one that has ended is an error of no interest.
        defer { try? process.send(signal: .kill) }
        return try await body(Running(process, name: command.joined(separator: " ")))
    }
    return (outcome.closureResult, outcome.terminationStatus.shellStatus)
}
