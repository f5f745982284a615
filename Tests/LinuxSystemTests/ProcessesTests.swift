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
