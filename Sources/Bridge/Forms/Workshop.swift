import EventLoop
import LinuxSystem
import Logging
import SystemPackage

/// Carries out steps: short ones where it is called, the others on threads of their own, so that nobody waits for a long
/// text or a slow program.
final class Workshop {
    typealias Outcome = Result<Material, MakeFailure>

    /// Work that is under way at once.
    private static let threads = 2
    /// Materials of at most so many bytes in all are worked on at once, without a thread.
    private static let short = 65_536

    private struct Job {
        let number: Int
        let step: Step
        let materials: [Material]
    }

    private let results: MessageQueue<(number: Int, outcome: Outcome)>
    private let stopping: EventDescriptor
    private let logger: Logger
    private var waiting: [Job] = []
    private var finishing: [Int: (Outcome) -> Void] = [:]
    private var running = 0
    private var jobs = 0

    init(logger: Logger) throws(Errno) {
        results = try MessageQueue()
        stopping = try EventDescriptor()
        self.logger = logger
    }

    /// Readable when work is done: to be registered with the loop, which calls ``receive()`` then.
    var fileDescriptor: FileDescriptor { results.fileDescriptor }

    /// Carries out a step, and calls `finish` with what came of it: before it returns where the step is short.
    func run(_ step: Step, on materials: [Material], _ finish: @escaping (Outcome) -> Void) {
        guard step.needsThread || materials.reduce(0, { $0 + $1.range.count }) > Self.short else {
            return finish(Self.carryOut(step, materials, stopping: stopping.fileDescriptor, logger))
        }
        jobs += 1
        finishing[jobs] = finish
        waiting.append(Job(number: jobs, step: step, materials: materials))
        startNext()
    }

    /// Takes what is done.
    func receive() {
        for (number, outcome) in results.drain() {
            running -= 1
            finishing.removeValue(forKey: number)?(outcome)
        }
        startNext()
    }

    /// Ends the programs that run.
    func stop() {
        waiting = []
        stopping.signal()
    }

    private func startNext() {
        while running < Self.threads, !waiting.isEmpty {
            let job = waiting.removeFirst()
            running += 1
            do {
                _ = try WorkerThread.start(name: "xpb-workshop") { [results, stopping, logger] in
                    let outcome = Self.carryOut(
                        job.step, job.materials, stopping: stopping.fileDescriptor, logger)
                    results.send((job.number, outcome))
                }
            } catch {
                results.send((job.number, .failure(.broken("no thread could be started: \(error)"))))
            }
        }
    }

    private static func carryOut(
        _ step: Step, _ materials: [Material], stopping: FileDescriptor, _ logger: Logger
    ) -> Outcome {
        Result { () throws(MakeFailure) in
            if case .filter(let filter) = step {
                return try filter.run(on: materials, stopping: stopping, logger)
            }
            return try step.carryOut(on: materials)
        }
    }
}
