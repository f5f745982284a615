import Bridge
import Glibc
import LinuxSystem
import TestSupport
import Testing

@Suite struct X11ClientProcessTests {
    /// Until the kernel says so.
    private static func awaitEnd(of process: Int32) {
        while !ProcessState.hasEnded(process) { sched_yield() }
    }

    @Test("Who opened a connection has it, as long as it runs")
    func opener() {
        let own = X11ClientProcess(openedBy: getpid())
        #expect(own == .process(getpid(), program: ProcessName.of(getpid()) ?? ""))
    }

    @Test("Of a program that has left its work to a child and ended, the child is found, until that has ended, too")
    func child() async throws {
        let script = "sleep 600 </dev/null >/dev/null 2>&1 & echo $$ $!"
        let told = try await run(["setsid", "-w", "sh", "-c", script], environment: ["PATH": "/usr/bin:/bin"], in: "/")
            .text
        let processes = told.split(separator: " ").compactMap { Int32($0) }
        try #require(processes.count == 2, "\(told)")
        let (opener, child) = (processes[0], processes[1])
        defer { kill(child, SIGKILL) }
        Self.awaitEnd(of: opener)
        #expect(X11ClientProcess(openedBy: opener) == .process(child, program: "sleep"))
        kill(child, SIGKILL)
        Self.awaitEnd(of: child)
        let none = X11ClientProcess(openedBy: opener)
        #expect(none == .child(of: opener))
        #expect(none.process == nil && none.program == nil && none.ended == Int(opener))
    }
}
