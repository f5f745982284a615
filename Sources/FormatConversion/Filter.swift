import LinuxSystem
package import Logging
package import SystemPackage
package import UniformTypes

/// A program that makes one type of another: bytes on its standard input, bytes on its standard output.
package struct Filter: Hashable, Sendable {
    /// What it takes is this or conforms to it.
    package let input: UniformType
    package let output: UniformType
    /// The program, looked for in PATH, and its arguments. No shell is involved.
    package let command: [String]
    /// How long it may take, from its start to its end.
    package let deadline: Duration
    /// The most it may write, in bytes.
    package let limit: Int

    package init(input: UniformType, output: UniformType, command: [String], deadline: Duration, limit: Int) {
        self.input = input
        self.output = output
        self.command = command
        self.deadline = deadline
        self.limit = limit
    }

    /// Runs the program on a thread that may wait for it. That it says something on its standard error is logged.
    ///
    /// - Parameter environment: What the program gets. It is no business of this thread to look into the process's own,
    ///   which another one may be changing.
    package func run(
        on materials: [EncodedBytes], environment: [String: String], stopping: FileDescriptor, _ logger: Logger
    ) throws(ConversionFailure) -> EncodedBytes {
        guard let material = materials.first else { throw .impossible("nothing is there to be filtered") }
        let program = FilterProgram(command: command, environment: environment, deadline: deadline, limit: limit)
        let result = program.run(on: try material.file(), material.range, stop: stopping)
        let name = command.first ?? ""
        if !result.complaint.isEmpty {
            // Not what it says, which may well be of what it was given.
            logger.notice(
                "the filter '\(name)' complains on standard error; run it by hand on such contents to see of what")
        }
        if let output = result.output { return EncodedBytes(output) }
        let reason = "the filter '\(name)' for \(output) \(result.failure.map(Self.described) ?? "failed")"
        logger.warning("\(reason)")
        switch result.failure {
        // It runs once for a version, and would end in the same way.
        case .status, .signal, .late, .tooLong: throw .failed(reason)
        case .notStarted, .stopped, .noRoom, nil: throw .broken(reason)
        }
    }

    private static func described(_ failure: FilterProgram.Failure) -> String {
        switch failure {
        case .notStarted(let error): "could not be started: \(error)"
        case .status(let status): "ended with status \(status)"
        case .signal(let signal): "was ended by signal \(signal)"
        case .late: "did not end in time"
        case .tooLong: "wrote more than it may"
        case .stopped: "was ended with the bridge"
        case .noRoom(let error): "left no room for its output: \(error)"
        }
    }
}
