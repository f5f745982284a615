import Glibc
import LinuxSystem
import SystemPackage
import TestSupport
import Testing

struct ProcessStateTests {
    @Test("The environment of a process is returned, or nil if the process does not exist")
    func environment() throws {
        let environment = ["PATH": "/usr/bin:/bin", "NAME": "a value"]
        let program = try EchoingProgram(["cat"], environment: environment)
        #expect(ProcessState.environment(of: program.process) == environment)
        try program.end()
        #expect(ProcessState.environment(of: Int32.max) == nil)
    }
}

extension ProcessStateTests {
    @Test("hasStarted finds the descendants of a process by name, and no other processes")
    func hasStarted() throws {
        let program = try EchoingProgram(["cat"], environment: ["PATH": "/usr/bin:/bin"])
        #expect(ProcessState.hasStarted(getpid(), "cat"))
        #expect(!ProcessState.hasStarted(getpid(), "Xwayland"))
        #expect(!ProcessState.hasStarted(program.process, "cat"))
        try program.end()
    }
}

struct ProcessNameTests {
    @Test("A process's name that the kernel has cut is completed, for a program and for a script")
    func whole() throws {
        let name = "a-program-with-a-long-name-\(UInt32.random(in: .min ... .max))"
        let path = "\(Binaries.built)/\(name)"
        defer { unsafe _ = unlink(path) }
        let nothing = try opened("/dev/null", .readOnly)
        for text in ["", "#!/bin/sh\nread line\necho \"$line\"\nread line\n"] {
            let make =
                text.isEmpty ? "cp \"$(command -v cat)\" \"$0\"" : "printf '%s' \"$1\" > \"$0\"; chmod +x \"$0\""
            let environment = ["PATH": "/usr/bin:/bin"]
            // Another process writes the file: a process that another test is starting would have a copy of this
            // process's descriptor, and a file that is open for writing cannot be run.
            let maker = try ChildProcess.spawn(
                command: ["/bin/sh", "-c", "rm -f \"$0\"; \(make)", path, text], environment: environment,
                standardInput: nothing.fileDescriptor)
            #expect(try ChildProcess.wait(for: maker) == .exited(0))
            let program = try EchoingProgram([path, "-"], environment: environment)
            #expect(ProcessName.of(program.process) == String(name.prefix(15)))
            #expect(ProcessName.whole(of: program.process) == name)
            try program.end()
        }
        #expect(ProcessName.whole(of: Int32.max) == nil)
    }
}

/// A running program that writes the lines that it reads, until it is killed.
private struct EchoingProgram {
    let process: Int32
    private let input: Descriptor

    /// Starts the program, and waits until it is running: before its exec, a child has its parent's name and
    /// environment.
    init(_ command: [String], environment: [String: String]) throws {
        let (reading, input) = try Descriptor.pipe()
        let (output, writing) = try Descriptor.pipe()
        self.input = input
        process = try ChildProcess.spawn(
            command: command, environment: environment, standardInput: reading.fileDescriptor,
            standardOutput: writing.fileDescriptor)
        try input.fileDescriptor.writeBytes(Array("line\n".utf8))
        #expect(try output.fileDescriptor.readBytes(atMost: 10) == Array("line\n".utf8))
    }

    func end() throws {
        try ProcessHandle(process).kill()
        #expect(try ChildProcess.wait(for: process) == .killed(SIGKILL))
    }
}

struct ProcessHandleTests {
    @Test("A stopped process is killed, its end is awaited, and killing it again is not an error")
    func stopped() throws {
        let nothing = try opened("/dev/null", .readOnly)
        let process = try ChildProcess.spawn(
            command: ["sleep", "600"], environment: ["PATH": "/usr/bin:/bin"], standardInput: nothing.fileDescriptor)
        let handle = try ProcessHandle(process)
        #expect(try !handle.awaitEnd(until: .now))
        kill(process, SIGSTOP)
        try handle.kill()
        #expect(try handle.awaitEnd(until: .now + .seconds(3_600)))
        #expect(try ChildProcess.wait(for: process) == .killed(SIGKILL))
        try handle.kill()
    }

    @Test("A process is an ancestor of its children and of their descendants")
    func ancestors() {
        #expect(ProcessState.isAncestor(getppid(), of: getpid()))
        #expect(!ProcessState.isAncestor(getpid(), of: getppid()))
        #expect(!ProcessState.isAncestor(getpid(), of: getpid()))
        #expect(!ProcessState.isAncestor(0, of: getpid()))
        #expect(!ProcessState.isAncestor(getppid(), of: Int32.max))
    }

    @Test("A process that does not exist has no handle")
    func none() {
        #expect(throws: Errno.self) { try ProcessHandle(Int32.max) }
    }
}
