import BridgeClient
import FoundationEssentials
import Glibc
import LinuxSystem
import PasteboardWire
import SystemPackage

/// The process that `xpb set -c COMMAND` leaves behind: it holds the promises, and ends with the contents, but
/// not before the commands that were asked for.
///
/// It is this program again, with nothing of the caller's but folder, environment and umask, in a session of its own.
/// It gets its job and the other sources as memory files, and reports through a pipe how the change went.
enum PromiseHelper {
    /// What its only argument is.
    static let argument = "_promise"

    private static let jobNumber: Int32 = 3
    private static let sourcesNumber: Int32 = 4
    private static let reportNumber: Int32 = 5

    // MARK: The caller's side

    /// Starts the process, and waits until the change is made.
    ///
    /// - Returns: The change counts.
    static func start(_ job: PromiseJob, with sources: MemoryFile, in session: Session) throws(Failure) -> [Int] {
        let report: [UInt8]
        do {
            let file = try MemoryFile.containing(job.encoded)
            let (reading, writing) = try FileDescriptor.pipe(options: .closeOnExec)
            let output = Descriptor(adopting: reading)
            try spawn(file, sources, Descriptor(adopting: writing), session.environment)
            report = try Self.read(output.fileDescriptor)
        } catch {
            throw Failure(.refused, "the process that keeps the promise cannot be started: \(error)")
        }
        guard let report = PromiseReport(report) else {
            throw Failure(.broken, "the process that keeps the promise ended before the change was made; try again")
        }
        if let status = report.status { throw Failure(ExitStatus(rawValue: status), report.message ?? "") }
        return report.counts ?? []
    }

    /// The writing end of the pipe is closed here on return, so that its end is that of the process.
    private static func spawn(
        _ job: MemoryFile, _ sources: MemoryFile, _ writing: Descriptor, _ environment: [String: String]
    ) throws(Errno) {
        let program = try ThisProcess.executablePath()
        try ChildProcess.spawnDetached(
            executable: program, arguments: [program, argument], environment: environment,
            passing: [
                (job.descriptor.fileDescriptor, jobNumber), (sources.descriptor.fileDescriptor, sourcesNumber),
                (writing.fileDescriptor, reportNumber),
            ], keepsFolder: true)
    }

    private static func read(_ output: FileDescriptor) throws(Errno) -> [UInt8] {
        var bytes: [UInt8] = []
        // A report is a line.
        while bytes.last != UInt8(ascii: "\n") {
            let piece = try output.readBytes(atMost: 4096)
            if piece.isEmpty { break }
            bytes += piece
        }
        return bytes
    }

    // MARK: The process itself

    /// - Parameter arguments: Behind its own.
    static func run(_ arguments: some Sequence<String>) -> ExitStatus {
        guard Array(arguments).isEmpty, let (job, sources, report) = inherited() else {
            Console(isQuiet: false, isVerbose: false).say("\(argument) is what xpb itself runs to keep a promise")
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

    /// What the caller passed; nil where it did not.
    private static func inherited() -> (PromiseJob, MemoryFile, PendingReport)? {
        let numbers = [jobNumber, sourcesNumber, reportNumber]
        guard numbers.allSatisfy({ fcntl($0, F_GETFD) >= 0 }) else { return nil }
        let passed = numbers.map { Descriptor(adopting: FileDescriptor(rawValue: $0)) }
        guard let file = try? MemoryFile(adopting: passed[0]), let sources = try? MemoryFile(adopting: passed[1]),
            let bytes = try? file.bytes(in: 0..<file.length), let job = try? PromiseJob(encoded: bytes)
        else { return nil }
        return (job, sources, PendingReport(passed[2]))
    }

    private static func provide(
        _ job: PromiseJob, _ sources: MemoryFile, _ report: PendingReport
    ) throws {
        let client = try BridgeClient.connect(
            display: job.display, environment: ThisProcess.environment(),
            timeout: .milliseconds(job.parameters.timeout ?? 5_000))
        let promises = try PromiseProvider(job)
        defer { promises.stop() }
        let hasSources = job.parameters.items.flatMap(\.representations).contains { $0.bytes != nil }
        try client.stream(
            Methods.Set.self, job.parameters, descriptors: hasSources ? [sources.descriptor] : [], patience: .first
        ) { reply, _ in
            report.send(PromiseReport(counts: reply.counts))
            if let wanted = reply.wanted { promises.run(wanted) }
            return reply.ended == nil
        }
        // Whoever asked before newer contents came still waits, and the bridge for as long as this connection is open.
        try promises.finish(until: client.fileDescriptor)
    }
}

/// The report, which is sent once.
private final class PendingReport {
    private var output: Descriptor?

    init(_ output: Descriptor) { self.output = output }

    /// The first one counts, and closes the pipe. A caller that has gone is told nothing.
    func send(_ report: PromiseReport) {
        guard let output else { return }
        try? output.fileDescriptor.writeBytes(report.encoded + [UInt8(ascii: "\n")])
        self.output = nil
    }
}

/// What a ``PromiseHelper`` is to do.
struct PromiseJob: Codable {
    var parameters: Methods.Set.Parameters
    var commands: [PromisedCommand]
    /// One newline at the end of an output is left out.
    var trims: Bool
    var display: String?

    init(_ parameters: Methods.Set.Parameters, _ loaded: LoadedSources, trims: Bool, display: String?) {
        self.parameters = parameters
        commands = loaded.commands
        self.trims = trims
        self.display = display
    }

    init(encoded bytes: [UInt8]) throws {
        self = try JSONDecoder().decode(PromiseJob.self, from: Data(bytes))
    }

    var encoded: [UInt8] {
        get throws { [UInt8](try JSONEncoder().encode(self)) }
    }
}

/// How the change went.
struct PromiseReport: Codable, Equatable {
    var counts: [Int]?
    /// Of a failure.
    var status: Int32?
    var message: String?

    init(counts: [Int]) { self.counts = counts }

    init(failure: Failure) {
        status = failure.status.rawValue
        message = failure.message
    }

    /// Nil where the bytes are no report.
    init?(_ bytes: [UInt8]) {
        guard let report = try? JSONDecoder().decode(PromiseReport.self, from: Data(bytes)) else { return nil }
        self = report
    }

    var encoded: [UInt8] { (try? JSONEncoder().encode(self)).map { [UInt8]($0) } ?? [] }
}
