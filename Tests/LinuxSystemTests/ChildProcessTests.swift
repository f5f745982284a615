import Glibc
import LinuxSystem
import Synchronization
import SystemPackage
import Testing

struct ChildProcessTests {
    @Test("A detached program shares nothing with the process that started it")
    func isDetached() throws {
        // Programs inherit this descriptor unless it is closed.
        let leak = try opened("/dev/zero", .readOnly)
        let lines = try Self.output(
            of: """
                pwd; echo "$NAME"; readlink /proc/$$/fd/*; echo end
                cut -d' ' -f6 /proc/$$/stat; echo $$
                exec grep -E '^Sig(Blk|Ign)' /proc/self/status
                """)
        withExtendedLifetime(leak) {}
        try #require(lines.count == 10)
        #expect(Array(lines[0...2]) == ["/", "a value", "/dev/null"])
        #expect(lines[3].hasPrefix("pipe:"))
        #expect(Array(lines[4...5]) == ["/dev/null", "end"])
        #expect(lines[6] == lines[7], "the program was not in its own session")
        #expect(lines[8] == "SigBlk:\t0000000000000000")
        // Signals 32 and 33 belong to the C library, and posix_spawn leaves them ignored.
        #expect(lines[9] == "SigIgn:\t0000000180000000")
    }

    @Test("Descriptors get the requested numbers, even if these are the numbers of other passed descriptors")
    func passes() throws {
        let zero = try opened("/dev/zero", .readOnly)
        let full = try opened("/dev/full", .writeOnly)
        let zeroNumber = zero.fileDescriptor.rawValue
        let fullNumber = full.fileDescriptor.rawValue
        let lines = try Self.output(
            of: "for n in 0 \(zeroNumber) \(fullNumber) 2; do readlink /proc/$$/fd/$n; done",
            passing: [
                (zero.fileDescriptor, fullNumber), (full.fileDescriptor, zeroNumber), (zero.fileDescriptor, 0),
            ])
        #expect(lines == ["/dev/zero", "/dev/full", "/dev/zero", "/dev/null"])
    }

    @Test("A detached program is not a child of the process, so it leaves no zombie")
    func orphan() throws {
        let parent = try Self.output(of: "sed -n 's/^PPid:.//p' /proc/$$/status")
        #expect(parent != ["\(getpid())"])
    }

    @Test("Starting a program that does not exist throws an error")
    func missing() {
        #expect(throws: Errno.noSuchFileOrDirectory) {
            try ChildProcess.spawnDetached(executable: "/nowhere/xpbd", arguments: ["xpbd"], environment: [:])
        }
    }

    /// This runs in a separate process, because signal dispositions apply to the whole process.
    @Test("A process that ignores SIGCHLD still gets the error if a program does not exist")
    func ignoringChildren() async {
        await #expect(processExitsWith: .success) {
            _ = signal(SIGCHLD, SIG_IGN)
            func error(of program: String) -> Errno? {
                do throws(Errno) {
                    try ChildProcess.spawnDetached(executable: program, arguments: ["xpbd"], environment: [:])
                    return nil
                } catch {
                    return error
                }
            }
            exit(error(of: "/nowhere/xpbd") == .noSuchFileOrDirectory && error(of: "/bin/true") == nil ? 0 : 3)
        }
    }

    /// This runs in a separate process, because the working folder belongs to the whole process.
    @Test("The working folder is the root, or on request the caller's folder")
    func folder() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            try #require(unsafe chdir(folder.path) == 0)
            #expect(try Self.output(of: "pwd") == ["/"])
            #expect(try Self.output(of: "pwd -P", keepsWorkingDirectory: true) == [ThisProcess.workingFolder()])
        }
    }

    private static func output(
        of script: String, passing: [(FileDescriptor, Int32)] = [], keepsWorkingDirectory: Bool = false
    ) throws -> [String] {
        // After the writing end is closed here, the pipe ends when the program exits.
        let reading = try { () throws -> Descriptor in
            let pipe = try Pipe()
            try ChildProcess.spawnDetached(
                executable: "/bin/sh", arguments: ["sh", "-c", script],
                environment: ["NAME": "a value", "PATH": "/usr/bin:/bin"],
                passing: passing + [(pipe.writing.fileDescriptor, 1)], keepsWorkingDirectory: keepsWorkingDirectory)
            return pipe.reading
        }()
        let text = String(decoding: try readAll(reading.fileDescriptor), as: UTF8.self)
        return text.split(separator: "\n").map(String.init)
    }
}

struct ChildProcessCommandTests {
    private func run(
        _ command: [String], environment: [String: String] = [:], input: FileDescriptor
    ) throws -> ChildProcess.Termination {
        try ChildProcess.wait(
            for: try ChildProcess.spawn(command: command, environment: environment, standardInput: input))
    }

    @Test("A command is found in PATH, gets the given environment and input, and its exit status is returned")
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

    @Test("A command killed by a signal is distinguished from a command that exits")
    func killed() throws {
        let null = try opened("/dev/null", .readOnly)
        #expect(try run(["sh", "-c", "kill -9 $$"], input: null.fileDescriptor) == .killed(9))
    }

    @Test("The end of a command makes a descriptor readable, and a signal can be sent to the command")
    func ending() throws {
        let null = try opened("/dev/null", .readOnly)
        let process = try ChildProcess.spawn(
            command: ["sleep", "1000"], environment: [:], standardInput: null.fileDescriptor)
        let end = try ChildProcess.terminationDescriptor(of: process)
        #expect(try !waitReadable(end.fileDescriptor, until: .now))
        ChildProcess.send(.terminate, to: process)
        #expect(try waitReadable(end.fileDescriptor, until: nil))
        #expect(try ChildProcess.wait(for: process) == .killed(15))
    }

    @Test("No signal is blocked in a command, even if the caller reads signals from a descriptor")
    func unblocked() throws {
        let ends = Mutex<[ChildProcess.Termination]>([])
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

    @Test("A command that cannot be run throws an error")
    func missing() throws {
        let null = try opened("/dev/null", .readOnly)
        #expect(throws: Errno.noSuchFileOrDirectory) { try run(["xpb-no-such-command"], input: null.fileDescriptor) }
        #expect(throws: Errno.invalidArgument) { try run([], input: null.fileDescriptor) }
    }
}
