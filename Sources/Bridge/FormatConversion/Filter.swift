import LinuxSystem
import Logging
import SystemPackage
package import UniformTypes

/// A program that converts its standard input, of one type, to its standard output, of another type.
package struct Filter: Hashable, Sendable {
    /// The input type. Types that conform to it are accepted too.
    let input: UniformType
    let output: UniformType
    /// The program, which is searched for in PATH, and its arguments. No shell is involved.
    let command: [String]
    /// True for the program's own conversion of a picture, whose messages do not quote the contents.
    package let isOfPictures: Bool
    /// The time limit for the program.
    package let deadline: Duration
    /// The maximum length of the output, in bytes.
    let limit: Int

    package init(
        input: UniformType, output: UniformType, command: [String], isOfPictures: Bool = false, deadline: Duration,
        limit: Int
    ) {
        self.input = input
        self.output = output
        self.command = command
        self.isOfPictures = isOfPictures
        self.deadline = deadline
        self.limit = limit
    }

    /// Runs the program, and waits for its end. If there was output on standard error, logs that fact but not the text.
    ///
    /// - Parameter environment: The environment of the program. The environment of this process is not read, since
    ///   another thread may be changing it.
    func run(
        on parts: [EncodedBytes], environment: [String: String], stopping: FileDescriptor, _ logger: Logger
    ) throws(ConversionFailure) -> EncodedBytes {
        guard let part = parts.first else { throw .impossible("the filter has no input") }
        let program = FilterProgram(command: command, environment: environment, deadline: deadline, limit: limit)
        let result = program.run(on: try part.file(), part.range, stop: stopping)
        if !result.standardError.isEmpty, !isOfPictures {
            // The text itself is not logged: it may quote the contents.
            let name = command.first ?? ""
            logger.notice(
                "the filter '\(name)' complains on standard error; run it by hand on such contents to see the message")
        }
        if let output = result.output { return EncodedBytes(output) }
        let reason = reason(for: result)
        logger.warning("\(reason)")
        switch result.failure {
        // The program runs once for a version: another run would end in the same way.
        case .status, .signal, .timedOut, .tooLong: throw .failed(reason)
        case .notStarted, .stopped, .noRoom, nil: throw .broken(reason)
        }
    }

    private func reason(for result: FilterProgram.Result) -> String {
        let failure = result.failure.map(Self.described) ?? "failed"
        guard isOfPictures else { return "the filter '\(command.first ?? "")' for \(output) \(failure)" }
        guard case .status = result.failure, !result.standardError.isEmpty else {
            return "the picture cannot be converted to \(output): the process \(failure)"
        }
        // The last line is the process's own. Libraries may have warned before.
        let lines = String(decoding: result.standardError, as: UTF8.self).split(separator: "\n")
        return "the picture cannot be converted to \(output): \(lines.last ?? "")"
    }

    private static func described(_ failure: FilterProgram.Failure) -> String {
        switch failure {
        case .notStarted(let error): "could not be started: \(error)"
        case .status(let status): "ended with status \(status)"
        case .signal(let signal): "was killed by signal \(signal)"
        case .timedOut: "did not exit in time"
        case .tooLong: "wrote more than it may"
        case .stopped: "was stopped because the bridge is ending"
        case .noRoom(let error): "wrote output that could not be stored: \(error)"
        }
    }
}
