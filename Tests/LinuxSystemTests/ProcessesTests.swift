import Glibc
import LinuxSystem
import SystemPackage
import Testing

struct ProcessStateTests {
    @Test("The environment of a process is returned, and nil for one that does not exist")
    func environment() {
        #expect(ProcessState.environment(of: getpid()) == ThisProcess.environment())
        #expect(ProcessState.environment(of: Int32.max) == nil)
    }
}

struct ProcessNameTests {
    @Test("A name that the kernel has cut is completed, of a program and of a script")
    func whole() throws {
        let folder = try ThisProcess.workingFolder() + "/.build"
        let name = "a-program-with-a-long-name-\(getpid())"
        let program = "\(folder)/\(name)"
        defer { unsafe _ = unlink(program) }
        let nothing = try opened("/dev/null", .readOnly)
        // The script waits for a line of a pipe: a child of its own would outlive it, and keep this output open.
        let (silence, writing) = try Descriptor.pipe()
        for text in ["", "#!/bin/sh\nread line\nexit\n"] {
            let make =
                text.isEmpty ? "cp \"$(command -v sleep)\" \"$0\"" : "printf '%s' \"$1\" > \"$0\"; chmod +x \"$0\""
            let environment = ["PATH": "/usr/bin:/bin"]
            let maker = try ChildProcess.spawn(
                command: ["/bin/sh", "-c", "rm -f \"$0\"; \(make)", program, text], environment: environment,
                standardInput: nothing.fileDescriptor)
            #expect(try ChildProcess.wait(for: maker) == .exited(0))
            let process = try ChildProcess.spawn(
                command: [program, "600"], environment: environment, standardInput: silence.fileDescriptor)
            // Until its exec, the child has its parent's name.
            while let early = ProcessName.of(process), early != String(name.prefix(15)) { sched_yield() }
            #expect(ProcessName.of(process) == String(name.prefix(15)))
            #expect(ProcessName.whole(of: process) == name)
            try ProcessHandle(process).kill()
            _ = try ChildProcess.wait(for: process)
        }
        withExtendedLifetime(writing) {}
        #expect(ProcessName.whole(of: Int32.max) == nil)
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
        #expect(try handle.awaitEnd(until: .now + .seconds(60)))
        #expect(try ChildProcess.wait(for: process) == .killed(SIGKILL))
        try handle.kill()
    }

    @Test("A process that does not exist has no handle")
    func none() {
        #expect(throws: Errno.self) { try ProcessHandle(Int32.max) }
    }
}
