import EventLoop
import LinuxSystem
package import Logging
package import SystemPackage

/// The threads that carry out long conversion steps, so that the service waits neither for long text nor for a slow
/// program. Short steps are carried out on the caller's thread.
package final class ConversionPool {
    /// A class of steps. Filter programs may take a long time, and do not delay computation.
    private enum Lane: Hashable {
        case computing, program
    }

    /// The maximum number of jobs of a lane under way at once.
    private static let maxThreads = 2
    /// The maximum number of queued jobs of a lane. Further jobs fail.
    private static let maxQueued = 256
    /// The maximum total length of parts that are converted on the caller's thread, in bytes.
    private static let maxImmediateLength = 65_536
    /// The maximum total length of parts, in bytes. A step may need a few times as much memory.
    private static let maxLength = 512 << 20

    private typealias Outcome = Result<EncodedBytes, ConversionFailure>

    private struct Job {
        let step: ConversionStep
        let parts: [EncodedBytes]
        let outcome: PendingValue<Outcome>
    }

    private let results: MessageQueue<(number: Int, outcome: Outcome)>
    private let stopping: EventDescriptor
    private let environment: [String: String]
    private let logger: Logger
    private var waiting: [Lane: [Job]] = [:]
    private var running: [Int: (lane: Lane, outcome: PendingValue<Outcome>)] = [:]
    private var lastNumber = 0
    private var isStopped = false

    /// - Parameter environment: The environment of filter programs.
    package init(environment: [String: String], logger: Logger) throws(Errno) {
        results = try MessageQueue()
        stopping = try EventDescriptor()
        self.environment = environment
        self.logger = logger
    }

    /// A descriptor that is readable when a job is done. Register it with the loop, and call ``receive()`` when it is
    /// readable.
    package var fileDescriptor: FileDescriptor { results.fileDescriptor }

    /// True if no thread is at work.
    package var isIdle: Bool { running.isEmpty }

    /// Carries out a step. If the task is cancelled, a queued job is dropped, and a job under way is completed.
    package func run(_ step: ConversionStep, on parts: [EncodedBytes]) async throws(ConversionFailure) -> EncodedBytes {
        let length = parts.reduce(0) { $0 + $1.range.count }
        let lane = step.isProgram ? Lane.program : .computing
        if lane == .computing, length <= Self.maxImmediateLength { return try step.carryOut(on: parts) }
        guard length <= Self.maxLength else {
            throw .impossible("\(length) bytes cannot be converted; the limit is \(Self.maxLength)")
        }
        guard !isStopped else { throw .broken("the bridge is ending") }
        guard waiting[lane, default: []].count < Self.maxQueued else {
            throw .broken("too many conversions are under way; try again")
        }
        let outcome = PendingValue<Outcome>()
        waiting[lane, default: []].append(Job(step: step, parts: parts, outcome: outcome))
        startNext(lane)
        return try await outcome.get { [self] in drop(outcome, from: lane) }.get()
    }

    private func drop(_ outcome: PendingValue<Outcome>, from lane: Lane) {
        guard let index = waiting[lane]?.firstIndex(where: { $0.outcome === outcome }) else { return }
        waiting[lane]?.remove(at: index)
        outcome.deliver(.failure(.broken("the conversion was cancelled")))
    }

    /// Receives the results of the threads, and resumes the tasks that wait for them.
    package func receive() {
        for (number, result) in results.drain() {
            guard let (lane, outcome) = running.removeValue(forKey: number) else { continue }
            startNext(lane)
            outcome.deliver(result)
        }
    }

    /// Ends the running programs, and fails the queued jobs. Computations under way are completed.
    package func stop() {
        isStopped = true
        stopping.signal()
        let dropped = waiting.values.flatMap(\.self)
        waiting = [:]
        for job in dropped { job.outcome.deliver(.failure(.broken("the bridge is ending"))) }
    }

    private func startNext(_ lane: Lane) {
        while running.values.count(where: { $0.lane == lane }) < Self.maxThreads, waiting[lane]?.isEmpty == false,
            let job = waiting[lane]?.removeFirst()
        {
            lastNumber += 1
            running[lastNumber] = (lane, job.outcome)
            start(job, number: lastNumber)
        }
    }

    private func start(_ job: Job, number: Int) {
        let (step, parts) = (job.step, job.parts)
        do {
            _ = try WorkerThread.start(name: "xpb-conversion") { [results, stopping, environment, logger] in
                let outcome = Outcome { () throws(ConversionFailure) in
                    guard case .filter(let filter) = step else { return try step.carryOut(on: parts) }
                    return try filter.run(
                        on: parts, environment: environment, stopping: stopping.fileDescriptor, logger)
                }
                results.send((number, outcome))
            }
        } catch {
            results.send((number, .failure(.broken("no thread could be started: \(error)"))))
        }
    }
}
