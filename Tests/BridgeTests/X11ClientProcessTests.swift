import Bridge
import Glibc
import LinuxSystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct X11ClientProcessTests {
    @Test("A connection belongs to the process that opened it while the process is running")
    func opener() {
        let own = X11ClientProcess(openedBy: getpid())
        #expect(own == .process(getpid(), program: ProcessName.whole(of: getpid()) ?? ""))
    }

    @Test("The connection of a program that has ended belongs to its only child, until the child has ended too")
    func child() async throws {
        // A child has its program's name only when it runs the program, as the line that the program prints shows.
        let script = """
            folder=$(mktemp -d); mkfifo "$folder/pipe"
            python3 -c 'import time; print(flush=True); time.sleep(600)' </dev/null >"$folder/pipe" 2>/dev/null &
            read -r line <"$folder/pipe"; rm -r "$folder"; echo $$ $!
            """
        let outcome = try await run(
            ["setsid", "-w", "sh", "-c", script], environment: ["PATH": "/usr/bin:/bin"], in: "/")
        let processes = outcome.text.split(separator: " ").compactMap { Int32($0) }
        try #require(processes.count == 2, "\(outcome)")
        let (opener, child) = (processes[0], processes[1])
        defer { kill(child, SIGKILL) }
        await ProcessTable.awaitEnd(of: opener)
        #expect(X11ClientProcess(openedBy: opener) == .process(child, program: "python3"))
        kill(child, SIGKILL)
        await ProcessTable.awaitEnd(of: child)
        let none = X11ClientProcess(openedBy: opener)
        #expect(none == .child(of: opener))
        #expect(none.process == nil && none.program == nil && none.ended == Int(opener))
    }
}
