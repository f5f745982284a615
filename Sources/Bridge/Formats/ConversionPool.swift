import EventLoop
import LinuxSystem
import Logging
import SystemPackage

/// Carries out steps: short ones where it is called, the others on threads of their own, so that nobody waits for a long
/// text or a slow program.
final class ConversionPool {
    typealias Outcome = Result<EncodedBytes, ConversionFailure>

    /// What a step needs. Programs may take their time, and do not hold up what is only computed.
    private enum Lane: CaseIterable, Hashable {
        case computing, program
    }

    /// Jobs of a lane that are under way at once.
    private static let threads = 2
    /// Jobs that wait; what comes on top of them fails.
    private static let longestQueue = 256
    /// Materials of at most so many bytes in all are worked on at once, without a thread.
    private static let short = 65_536
    /// Materials of more bytes than this are not worked on: a step may need a few times as much memory.
    private static let longest = 512 << 20

    private struct Job {
        let step: ConversionStep
        let materials: [EncodedBytes]
        let finish: (Outcome) -> Void
    }

    private let results: MessageQueue<(number: Int, outcome: Outcome)>
    private let stopping: EventDescriptor
    private let environment: [String: String]
    private let logger: Logger
    private var waiting: [Lane: [Job]] = [:]
    private var running: [Int: (lane: Lane, finish: (Outcome) -> Void)] = [:]
    private var jobs = 0
    private var isStopped = false

    /// - Parameter environment: What programs get.
    init(environment: [String: String], logger: Logger) throws(Errno) {
        results = try MessageQueue()
        stopping = try EventDescriptor()
        self.environment = environment
        self.logger = logger
    }

    /// Readable when work is done: to be registered with the loop, which calls ``receive()`` then.
    var fileDescriptor: FileDescriptor { results.fileDescriptor }

    /// Whether nothing is under way.
    var isIdle: Bool { running.isEmpty }

    /// Carries out a step, and calls `finish` with what came of it: before it returns where the step is short.
    func run(_ step: ConversionStep, on materials: [EncodedBytes], _ finish: @escaping (Outcome) -> Void) {
        let length = materials.reduce(0) { $0 + $1.range.count }
        let lane = step.isProgram ? Lane.program : .computing
        if lane == .computing, length <= Self.short {
            return finish(Result { () throws(ConversionFailure) in try step.carryOut(on: materials) })
        }
        guard length <= Self.longest else {
            return finish(.failure(.impossible("\(length) bytes are more than is brought into another form")))
        }
        guard !isStopped, waiting[lane, default: []].count < Self.longestQueue else {
            return finish(.failure(.broken("too much is being made at once; try once more")))
        }
        waiting[lane, default: []].append(Job(step: step, materials: materials, finish: finish))
        startNext(lane)
    }

    /// Takes what is done.
    func receive() {
        for (number, outcome) in results.drain() {
            guard let (lane, finish) = running.removeValue(forKey: number) else { continue }
            startNext(lane)
            finish(outcome)
        }
    }

    /// Ends the programs that run, and refuses what waits.
    func stop() {
        isStopped = true
        stopping.signal()
        let dropped = waiting.values.flatMap(\.self)
        waiting = [:]
        for job in dropped { job.finish(.failure(.broken("the bridge is ending"))) }
    }

    private func startNext(_ lane: Lane) {
        while running.values.count(where: { $0.lane == lane }) < Self.threads, waiting[lane]?.isEmpty == false,
            let job = waiting[lane]?.removeFirst()
        {
            jobs += 1
            let number = jobs
            running[number] = (lane, job.finish)
            let (step, materials) = (job.step, job.materials)
            do {
                _ = try WorkerThread.start(name: "xpb-workshop") { [results, stopping, environment, logger] in
                    let outcome = Outcome { () throws(ConversionFailure) in
                        guard case .filter(let filter) = step else { return try step.carryOut(on: materials) }
                        return try filter.run(
                            on: materials, environment: environment, stopping: stopping.fileDescriptor, logger)
                    }
                    results.send((number, outcome))
                }
            } catch {
                results.send((number, .failure(.broken("no thread could be started: \(error)"))))
            }
        }
    }
}
