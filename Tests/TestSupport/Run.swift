import Subprocess
import SystemPackage

/// Runs a program to its end.
///
/// It has no deadline of its own: suites that run programs carry `.timeLimit`, which cancels the test and so ends
/// the program.
/// - Parameters:
///   - command: The program, by name or by path, and its arguments.
///   - environment: Its whole environment.
///   - folder: Its working directory; the test's own by default.
///   - input: What it reads from standard input, through a pipe.
package func run(
    _ command: [String], environment: [String: String], in folder: String? = nil, input: [UInt8] = []
) async throws -> Outcome {
    let result = try await Subprocess.run(
        executable(command),
        arguments: Arguments(Array(command.dropFirst())),
        environment: Environment(environment),
        workingDirectory: folder.map { FilePath($0) },
        input: .array(input),
        output: .bytes(limit: 64 << 20),
        error: .string(limit: 1 << 20))
    return Outcome(
        command: command, status: result.terminationStatus.shellStatus, output: result.standardOutput,
        error: result.standardError)
}

/// The program of a command: a path where there is a slash, else a name to be looked up in `PATH`.
func executable(_ command: [String]) -> Executable {
    let name = command.first ?? ""
    return name.contains("/") ? .path(FilePath(name)) : .name(name)
}

extension Environment {
    /// An environment of exactly these variables.
    init(_ variables: [String: String]) {
        self = .custom(variables.map { Array("\($0.key)=\($0.value)\0".utf8) })
    }
}
