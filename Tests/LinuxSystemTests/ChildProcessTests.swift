import Glibc
import LinuxSystem
import SystemPackage
import Testing

struct ChildProcessTests {
    @Test("The program shares nothing with its maker")
    func isDetached() throws {
        // Inherited by programs unless it is closed.
        let leak = try opened("/dev/zero", .readOnly)
        let lines = try output(
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
        #expect(lines[6] == lines[7], "the session is its own")
        #expect(lines[8] == "SigBlk:\t0000000000000000")
        // 32 and 33 are the C library's own, which posix_spawn leaves ignored.
        #expect(lines[9] == "SigIgn:\t0000000180000000")
    }

    @Test("Descriptors get the numbers asked for, though these are each other's")
    func passes() throws {
        let zero = try opened("/dev/zero", .readOnly)
        let full = try opened("/dev/full", .writeOnly)
        let zeroNumber = zero.fileDescriptor.rawValue
        let fullNumber = full.fileDescriptor.rawValue
        let lines = try output(
            of: "for n in 0 \(zeroNumber) \(fullNumber) 2; do readlink /proc/$$/fd/$n; done",
            passing: [
                (zero.fileDescriptor, fullNumber), (full.fileDescriptor, zeroNumber), (zero.fileDescriptor, 0),
            ])
        #expect(lines == ["/dev/zero", "/dev/full", "/dev/zero", "/dev/null"])
    }

    @Test("It is no child, and leaves no zombie")
    func orphan() throws {
        let parent = try output(of: "sed -n 's/^PPid:.//p' /proc/$$/status")
        #expect(parent != ["\(getpid())"])
    }

    @Test("A program that is not there is an error")
    func missing() {
        #expect(throws: Errno.noSuchFileOrDirectory) {
            try ChildProcess.spawnDetached(executable: "/nowhere/xpbd", arguments: ["xpbd"], environment: [:])
        }
    }

    /// In a process of its own, as what is done about a signal is the process's.
    @Test("A program that ignores SIGCHLD is told all the same whether it was there")
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

    @Test("Its folder is the root, or that of its caller")
    func folder() throws {
        #expect(try output(of: "pwd") == ["/"])
        #expect(try output(of: "pwd -P", keepsFolder: true) == [ThisProcess.workingFolder()])
    }

    private func output(
        of script: String, passing: [(FileDescriptor, Int32)] = [], keepsFolder: Bool = false
    ) throws -> [String] {
        // Its end is the end of the pipe, once the writing end here is closed.
        let reading = try { () throws -> Descriptor in
            let pipe = try Pipe()
            try ChildProcess.spawnDetached(
                executable: "/bin/sh", arguments: ["sh", "-c", script],
                environment: ["NAME": "a value", "PATH": "/usr/bin:/bin"],
                passing: passing + [(pipe.writing.fileDescriptor, 1)], keepsFolder: keepsFolder)
            return pipe.reading
        }()
        let text = String(decoding: try readAll(reading.fileDescriptor), as: UTF8.self)
        return text.split(separator: "\n").map(String.init)
    }
}
