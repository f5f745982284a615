import BridgeClient
package import CommandCore
import FoundationEssentials
import Glibc
package import LinuxSystem
package import PasteboardWire
import SystemPackage

/// The helper process of `xpb set -c COMMAND`: it holds the promises, and ends when the contents are replaced and the
/// commands already running have finished.
///
/// The helper process runs this program in a session of its own. It keeps only the caller's folder, environment and
/// umask, receives its job and the other sources as memory files, and reports the result of the change through a pipe.
package enum PromiseHelper {
    /// The only argument of the process.
    package static let argument = "_promise"

    private static let jobNumber: Int32 = 3
    private static let sourcesNumber: Int32 = 4
    private static let reportNumber: Int32 = 5

    // MARK: The caller

    /// Starts the process, and waits until the change is made. Returns the change counts.
    package static func start(_ job: PromiseJob, with sources: MemoryFile, in session: Session) throws(Failure) -> [Int]
    {
        let report: [UInt8]
        do {
            let file = try MemoryFile.containing(job.encoded)
            let (output, writing) = try Descriptor.pipe()
            try spawn(file, sources, writing, session.environment)
            // The process has its own copy of this end, so the pipe closes when the process ends.
            _ = consume writing
            // The process closes the pipe after the report.
            report = try output.fileDescriptor.readToEnd()
        } catch {
            throw Failure(.refused, "the process that holds the promise cannot be started: \(error)")
        }
        guard let report = PromiseReport(report) else {
            throw Failure(.broken, "the process that holds the promise ended before the change was made; try again")
        }
        if let status = report.status { throw Failure(ExitStatus(rawValue: status), report.message ?? "") }
        return report.counts ?? []
    }

    /// Starts the process.
    private static func spawn(
        _ job: MemoryFile, _ sources: MemoryFile, _ writing: Descriptor, _ environment: [String: String]
    ) throws(Errno) {
        let program = try ThisProcess.executablePath()
        try ChildProcess.spawnDetached(
            executable: program, arguments: [program, argument], environment: environment,
            passing: [
                (job.descriptor.fileDescriptor, jobNumber), (sources.descriptor.fileDescriptor, sourcesNumber),
                (writing.fileDescriptor, reportNumber),
            ], keepsWorkingDirectory: true)
    }

    // MARK: The process

    /// - Parameter arguments: The arguments after ``argument``.
    package static func run(_ arguments: some Sequence<String>) -> ExitStatus {
        guard Array(arguments).isEmpty, let (job, sources, report) = inherited() else {
            Console(isQuiet: false, isVerbose: false).say("\(argument) is internal: xpb runs it to hold a promise")
            return .usage
        }
        Signal.ignore(.brokenPipe)
        do {
            try provide(job, sources, report)
            return .done
        } catch {
            report.send(PromiseReport(failure: Failure(reporting: error)))
            return .broken
        }
    }

    /// Returns the caller's job; nil if this process was not started by ``start(_:with:in:)``.
    private static func inherited() -> (PromiseJob, MemoryFile, PendingReport)? {
        let numbers = [jobNumber, sourcesNumber, reportNumber]
        guard numbers.allSatisfy({ fcntl($0, F_GETFD) >= 0 }) else { return nil }
        let passed = numbers.map { Descriptor(adopting: FileDescriptor(rawValue: $0)) }
        guard let file = try? MemoryFile(adopting: passed[0]), let sources = try? MemoryFile(adopting: passed[1]),
            let bytes = try? file.bytes(in: 0..<file.length), let job = try? PromiseJob(encoded: bytes)
        else { return nil }
        return (job, sources, PendingReport(passed[2]))
    }

    private static func provide(_ job: PromiseJob, _ sources: MemoryFile, _ report: PendingReport) throws {
        let client = try BridgeClient.connect(
            display: job.display, environment: ThisProcess.environment(),
            timeout: .milliseconds(job.parameters.timeout ?? 5_000))
        let promises = try PromiseProvider(job)
        defer { promises.stop() }
        let hasSources = job.parameters.items.flatMap(\.representations).contains { $0.bytes != nil }
        try client.stream(
            Methods.Set.self, job.parameters, descriptors: hasSources ? [sources.descriptor] : [],
            timeoutFor: .firstReply
        ) { reply, _ in
            report.send(PromiseReport(counts: reply.counts))
            if let wanted = reply.wanted { promises.run(wanted) }
            return reply.ended == nil
        }
        // Readers from before the replacement of the contents wait as long as this connection is open.
        try promises.finish(until: client.fileDescriptor)
    }
}

/// The report to the caller, sent once.
private final class PendingReport {
    private var output: Descriptor?

    init(_ output: Descriptor) { self.output = output }

    /// Sends the first report and closes the pipe; does nothing after that, or if the caller has ended.
    func send(_ report: PromiseReport) {
        guard let output else { return }
        try? output.fileDescriptor.writeBytes(report.encoded)
        self.output = nil
    }
}

package struct PromiseJob: Codable {
    package var parameters: Methods.Set.Parameters
    package var commands: [PromisedCommand]
    /// True if one newline is removed from the end of each output.
    package var trims: Bool
    package var display: String?

    package init(_ parameters: Methods.Set.Parameters, _ loaded: LoadedSources, trims: Bool, display: String?) {
        self.parameters = parameters
        commands = loaded.commands
        self.trims = trims
        self.display = display
    }

    package init(encoded bytes: [UInt8]) throws {
        self = try JSONDecoder().decode(PromiseJob.self, from: Data(bytes))
    }

    package var encoded: [UInt8] {
        get throws { [UInt8](try JSONEncoder().encode(self)) }
    }
}

/// The result of the change.
package struct PromiseReport: Codable, Equatable {
    package var counts: [Int]?
    /// The exit status of a failure.
    package var status: Int32?
    package var message: String?

    package init(counts: [Int]) { self.counts = counts }

    package init(failure: Failure) {
        status = failure.status.rawValue
        message = failure.message
    }

    /// Reads a report; nil if the bytes are not a report.
    package init?(_ bytes: [UInt8]) {
        guard let report = try? JSONDecoder().decode(PromiseReport.self, from: Data(bytes)) else { return nil }
        self = report
    }

    package var encoded: [UInt8] { (try? JSONEncoder().encode(self)).map { [UInt8]($0) } ?? [] }
}
