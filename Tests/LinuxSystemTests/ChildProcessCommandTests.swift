import LinuxSystem
import Synchronization
import SystemPackage
import Testing

struct ChildProcessCommandTests {
    private func run(
        _ command: [String], environment: [String: String] = [:], input: FileDescriptor
    ) throws -> ChildProcess.End {
        try ChildProcess.wait(
            for: try ChildProcess.spawn(command: command, environment: environment, standardInput: input))
    }

    @Test("A command is found in PATH, has the environment and the input it was given, and its end is told")
    func run() throws {
        let input = try FileDescriptor.pipe(options: .closeOnExec)
        let (reading, writing) = (Descriptor(adopting: input.readEnd), Descriptor(adopting: input.writeEnd))
        try writing.fileDescriptor.writeAll("7\n".utf8)
        let end = try run(
            ["sh", "-c", "read line; exit $((line + OTHER))"], environment: ["OTHER": "4"],
            input: reading.fileDescriptor)
        #expect(end == .exited(11))
        withExtendedLifetime((reading, writing)) {}
    }

    @Test("A command that a signal ends is told from one that ends by itself")
    func killed() throws {
        let null = try opened("/dev/null", .readOnly)
        #expect(try run(["sh", "-c", "kill -9 $$"], input: null.fileDescriptor) == .killed(9))
    }

    @Test("The end of a command is something to read, and a signal sent to it ends it")
    func ending() throws {
        let null = try opened("/dev/null", .readOnly)
        let process = try ChildProcess.spawn(
            command: ["sleep", "1000"], environment: [:], standardInput: null.fileDescriptor)
        let end = try ChildProcess.endDescriptor(of: process)
        #expect(try !waitReadable(end.fileDescriptor, until: .now))
        ChildProcess.send(.terminate, to: process)
        #expect(try waitReadable(end.fileDescriptor, until: nil))
        #expect(try ChildProcess.wait(for: process) == .killed(15))
    }

    @Test("No signal is blocked in a command, whatever its caller waits for by descriptor")
    func unblocked() throws {
        let ends = Mutex<[ChildProcess.End]>([])
        let thread = try WorkerThread.start(name: "signals") {
            guard let signals = try? SignalDescriptor([.terminate]), let null = try? opened("/dev/null", .readOnly),
                let end = try? run(["sh", "-c", "kill -TERM $$"], input: null.fileDescriptor)
            else { return }
            ends.withLock { $0 = [end] }
            withExtendedLifetime(signals) {}
        }
        thread.join()
        #expect(ends.withLock { $0 } == [.killed(15)])
    }

    @Test("What cannot be run is an error")
    func missing() throws {
        let null = try opened("/dev/null", .readOnly)
        #expect(throws: Errno.noSuchFileOrDirectory) { try run(["xpb-no-such-command"], input: null.fileDescriptor) }
        #expect(throws: Errno.invalidArgument) { try run([], input: null.fileDescriptor) }
    }
}
