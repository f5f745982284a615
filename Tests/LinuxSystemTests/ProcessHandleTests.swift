import Glibc
import LinuxSystem
import SystemPackage
import Testing

struct ProcessHandleTests {
    @Test("A process that is stopped is ended, its end awaited, and killed once more it is no error")
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

    @Test("There is none of a process that is not there")
    func none() {
        #expect(throws: Errno.self) { try ProcessHandle(Int32.max) }
    }
}
