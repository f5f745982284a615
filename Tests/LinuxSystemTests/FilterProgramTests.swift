import Glibc
import LinuxSystem
import SystemPackage
import Testing

@Suite struct FilterProgramTests {
    private let stop: EventDescriptor

    init() throws {
        stop = try EventDescriptor()
    }

    private func run(
        _ command: [String], on input: [UInt8] = [], _ range: Range<Int>? = nil, deadline: Duration? = .seconds(3_600),
        limit: Int = 1 << 20, keepsWorkingDirectory: Bool = false
    ) throws -> FilterProgram.Result {
        let program = FilterProgram(
            command: command, environment: ["PATH": "/usr/bin:/bin", "FOR_TEST": "seen"], deadline: deadline,
            limit: limit, keepsWorkingDirectory: keepsWorkingDirectory)
        return program.run(
            on: try MemoryFile.containing(input), range ?? 0..<input.count, stop: stop.fileDescriptor)
    }

    private func output(_ result: FilterProgram.Result) throws -> [UInt8] {
        let file = try #require(result.output)
        return try file.bytes(in: 0..<file.length)
    }

    @Test("The output of the program is the result", arguments: [0, 1, 65_536, 1_000_000])
    func filters(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        #expect(try output(run(["cat"], on: bytes)) == bytes)
    }

    @Test("The program reads the range from its start, each time it runs")
    func range() throws {
        for _ in 0..<2 { #expect(try output(run(["cat"], on: Array("abcdef".utf8), 2..<4)) == Array("cd".utf8)) }
    }

    @Test("Arguments are not interpreted by a shell, and only the given environment is set")
    func noShell() throws {
        #expect(try output(run(["printf", "%s", "$HOME;*"])) == Array("$HOME;*".utf8))
        #expect(try output(run(["printenv", "FOR_TEST"])) == Array("seen\n".utf8))
    }

    @Test("A failure to start, an exit status and a signal are reported, with the standard error")
    func failures() throws {
        #expect(try run(["xpb-no-such-program"]).failure == .notStarted(.noSuchFileOrDirectory))
        let failed = try run(["sh", "-c", "echo oh >&2; echo half; exit 3"])
        #expect(failed.failure == .status(3))
        #expect(failed.output == nil)
        #expect(failed.standardError == Array("oh\n".utf8))
        #expect(try run(["sh", "-c", "kill -TERM $$"]).failure == .signal(15))
    }

    @Test("A program that hangs is killed at its deadline, together with its children")
    func hangs() throws {
        #expect(try run(["sh", "-c", "sleep 1000 & sleep 1000"], deadline: .milliseconds(200)).failure == .timedOut)
        let closed = try run(["sh", "-c", "exec >&- 2>&-; sleep 1000"], deadline: .milliseconds(200))
        #expect(closed.failure == .timedOut)
        #expect(try run(["sh", "-c", "exec yes >&2"], deadline: .milliseconds(200)).failure == .timedOut)
    }

    @Test("A program with unlimited output is killed at the limit")
    func endless() throws {
        #expect(try run(["yes"], limit: 100_000).failure == .tooLong)
    }

    /// This runs in a separate process, because the working folder belongs to the whole process.
    @Test("A program runs in the root folder, or in the caller's folder, and needs no deadline")
    func folder() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            try #require(unsafe chdir(folder.path) == 0)
            let tests = try Self()
            #expect(try tests.output(tests.run(["pwd"])) == Array("/\n".utf8))
            let own = try ThisProcess.workingFolder()
            let kept = try tests.run(["pwd", "-P"], deadline: nil, keepsWorkingDirectory: true)
            #expect(try tests.output(kept) == Array("\(own)\n".utf8))
        }
    }

    @Test("Unlimited output on standard error does not block the program, and its last 4 KiB are kept")
    func complains() throws {
        let result = try run(["sh", "-c", "head -c 1000000 /dev/zero >&2; echo last >&2; echo done"])
        #expect(try output(result) == Array("done\n".utf8))
        #expect(result.standardError.count == 4_096 && result.standardError.suffix(5) == Array("last\n".utf8)[...])
    }

    @Test("Processes left running do not delay the result, even if they write forever")
    func daemon() throws {
        for command in ["sleep 10000", "yes >&2"] {
            let result = try run(["sh", "-c", "echo done; \(command) & exit 0"])
            #expect(try output(result) == Array("done\n".utf8), "\(command)")
        }
    }

    @Test("Processes left running are killed, whether the program failed or not", arguments: [0, 3])
    func remains(status: Int) throws {
        let folder = try TemporaryFolder()
        let fifo = folder.file("fifo")
        try #require(unsafe mkfifo(fifo, 0o600) == 0)
        let reading = Descriptor(
            adopting: try FileDescriptor.open(FilePath(fifo), .readOnly, options: [.nonBlocking, .closeOnExec]))
        let result = try run(["sh", "-c", "exec 3>\"$0\"; sleep 1000 & exit $1", fifo, "\(status)"])
        #expect(result.failure == (status == 0 ? nil : .status(3)))
        // The pipe hangs up when no process has it open.
        #expect(try waitReadable(reading.fileDescriptor, until: nil))
    }

    @Test("A program need not read its input")
    func reads() throws {
        #expect(try output(run(["true"], on: Array(repeating: 1, count: 1 << 20))) == [])
    }

    @Test("The program is killed when the bridge shuts down")
    func stopped() throws {
        stop.signal()
        #expect(try run(["sleep", "1000"]).failure == .stopped)
    }
}
