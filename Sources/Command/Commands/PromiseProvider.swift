import BridgeClient
import CommandCore
package import LinuxSystem
import PasteboardWire
import SystemPackage

/// The provider of promised bytes. Each command has its own thread, so that a slow command does not delay others.
final class PromiseProvider {
    private let work: PromiseRunner
    private let stopping: EventDescriptor
    private var threads: [WorkerThread] = []

    init(_ job: PromiseJob) throws {
        stopping = try EventDescriptor()
        work = PromiseRunner(
            commands: job.commands, trims: job.trims, display: job.display, environment: ThisProcess.environment(),
            timeout: .milliseconds(job.parameters.timeout ?? 5_000), stopping: stopping)
    }

    /// Starts to fulfill a promise, or breaks it.
    func run(_ wanted: WireWanted) {
        do {
            threads.append(try WorkerThread.start(name: "promise") { [work] in work.carryOut(wanted) })
        } catch {
            work.breakPromise(wanted, "there is no thread to run the command: \(error)")
        }
    }

    /// Lets running commands finish, so that waiting readers get the output. `end` is readable once no reader waits.
    func finish(until end: FileDescriptor) throws(Errno) {
        guard !threads.isEmpty else { return }
        let finished = try EventDescriptor()
        let waiter = try WorkerThread.start(name: "waiter") { [threads] in
            for thread in threads { thread.join() }
            finished.signal()
        }
        threads = [waiter]
        var set = PollSet()
        set.append(finished.fileDescriptor, .input)
        set.append(end, .input)
        _ = try set.wait(until: nil)
    }

    /// Ends the commands that are still running.
    func stop() {
        stopping.signal()
        for thread in threads { thread.join() }
    }
}

/// The work of a provider's thread.
package struct PromiseRunner: Sendable {
    let commands: [PromisedCommand]
    let trims: Bool
    let display: String?
    let environment: [String: String]
    let timeout: Duration
    let stopping: EventDescriptor
    /// The limit on the output: X11 announces the length of a transfer in 32 bits.
    let limit: Int

    package init(
        commands: [PromisedCommand], trims: Bool, display: String?, environment: [String: String], timeout: Duration,
        stopping: EventDescriptor, limit: Int = Int(UInt32.max)
    ) {
        self.commands = commands
        self.trims = trims
        self.display = display
        self.environment = environment
        self.timeout = timeout
        self.stopping = stopping
        self.limit = limit
    }

    func carryOut(_ wanted: WireWanted) {
        guard let number = Int(wanted.promise), commands.indices.contains(number) else {
            return breakPromise(wanted, "xpb made no promise '\(wanted.promise)'")
        }
        do {
            let (file, range) = try output(of: commands[number])
            let bytes = WireBytes(descriptor: 0, offset: range.lowerBound, length: range.count)
            _ = try connect().call(
                Methods.Keep.self, .init(ticket: wanted.ticket, bytes: bytes), descriptors: [file.descriptor],
                isLong: true)
        } catch is Stopped {
            // No reader is waiting.
        } catch {
            breakPromise(wanted, Failure(reporting: error).message)
        }
    }

    /// Breaks a promise. If the bridge has ended, no reader is waiting.
    func breakPromise(_ wanted: WireWanted, _ message: String) {
        _ = try? connect().call(Methods.Break.self, .init(ticket: wanted.ticket, message: message))
    }

    private struct Stopped: Error {}

    /// Runs a command and returns its output, trimmed if requested.
    package func output(of command: PromisedCommand) throws -> (MemoryFile, Range<Int>) {
        let program = FilterProgram(
            command: ["/bin/sh", "-c", command.text], environment: environment, deadline: nil, limit: limit,
            keepsWorkingDirectory: true)
        let result = program.run(on: try MemoryFile.containing([]), 0..<0, stop: stopping.fileDescriptor)
        if result.failure == .stopped { throw Stopped() }
        guard let file = result.output else {
            throw Failure(.broken, Self.message(result.failure, standardError: result.standardError, limit: limit))
        }
        let range = try Ending(of: .file(file), 0..<file.length, trims: trims).range
        if command.mustBeText, try !file.isUTF8Text(in: range) {
            throw Failure(.broken, "the output of the -c command is not text; name its type with -t before -c")
        }
        return (file, range)
    }

    /// Returns a description of a command's failure, with the last line of its standard error.
    static func message(_ failure: FilterProgram.Failure?, standardError: [UInt8], limit: Int) -> String {
        let end =
            switch failure {
            case .status(let status): "ended with status \(status)"
            case .signal(let signal): "was killed by signal \(signal)"
            case .notStarted(let error): "cannot be run: \(error)"
            case .tooLong: "wrote more than \(limit) bytes, the maximum for a pasteboard"
            case .noRoom(let error): "wrote more than memory can hold: \(error)"
            case .timedOut, .stopped, nil: "was ended"
            }
        let lines = standardError.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        let last = lines.map { Line.visible(String(decoding: $0, as: UTF8.self)) }.last { line in
            line.contains { !$0.isWhitespace }
        }
        return "the -c command \(end)\(last.map { ": \($0.prefix(300))" } ?? "")"
    }

    private func connect() throws(BridgeClientError) -> BridgeClient {
        try BridgeClient.connect(display: display, environment: environment, timeout: timeout, start: .never)
    }
}
