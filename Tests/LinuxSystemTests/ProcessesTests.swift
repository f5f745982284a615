import Glibc
import LinuxSystem
import Testing

struct ProcessStateTests {
    @Test("The environment that a process was started with is seen, and none of a process that is not there")
    func environment() {
        #expect(ProcessState.environment(of: getpid()) == ThisProcess.environment())
        #expect(ProcessState.environment(of: Int32.max) == nil)
    }
}
