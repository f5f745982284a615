import CommandCore
import Commands
import LinuxSystem
import Testing
import XPBCommand

@Suite struct PromiseProviderTests {
    private func work(trims: Bool = false, limit: Int = 1 << 20) throws -> PromiseRunner {
        PromiseRunner(
            commands: [], trims: trims, display: nil, environment: ["PATH": "/usr/bin:/bin", "WORD": "seen"],
            timeout: .seconds(5), stopping: try EventDescriptor(), limit: limit)
    }

    private func output(
        _ command: String, mustBeText: Bool = false, trims: Bool = false, limit: Int = 1 << 20
    ) throws -> String {
        let (file, range) = try work(trims: trims, limit: limit)
            .output(of: PromisedCommand(text: command, mustBeText: mustBeText))
        return String(decoding: try file.bytes(in: range), as: UTF8.self)
    }

    private func failure(_ command: String, mustBeText: Bool = false, limit: Int = 1 << 20) -> Failure? {
        #expect(throws: Failure.self) { try output(command, mustBeText: mustBeText, limit: limit) }
    }

    @Test("A command runs in a shell, with the caller's environment and folder")
    func runs() throws {
        #expect(try output("printf '%s ' $WORD; echo two | tr a-z A-Z") == "seen TWO\n")
        #expect(try output("pwd -P", trims: true) == ThisProcess.workingFolder())
        #expect(try output("cat") == "")
    }

    @Test("A newline at the end is removed if requested")
    func trims() throws {
        #expect(try output("printf 'a\\n\\n'", trims: true) == "a\n")
    }

    @Test("A command that fails breaks the promise, with its status and the last line of its errors")
    func fails() {
        #expect(failure("echo half; exit 3")?.message == "the -c command ended with status 3")
        #expect(
            failure("echo first >&2; printf 'last\\033[2J\\n \\n' >&2; exit 1")?.message
                == "the -c command ended with status 1: last\u{FFFD}[2J")
        #expect(failure("kill -TERM $$")?.message == "the -c command was killed by signal 15")
        #expect(failure("no-such-command-of-xpb")?.message.contains("status 127") == true)
        #expect(failure("cat /dev/zero", limit: 1 << 16)?.message.contains("more than 65536 bytes") == true)
    }

    @Test("Output that is neither typed nor text breaks the promise, with advice")
    func notText() throws {
        #expect(failure("printf '\\377'", mustBeText: true)?.message.contains("-t before -c") == true)
        #expect(try output("printf 'ä'", mustBeText: true) == "ä")
    }

    @Test("A report can be read back")
    func reports() {
        let failure = PromiseReport(failure: Failure(.refused, "a reason\nin two lines"))
        for report in [PromiseReport(counts: [1, 2]), failure] {
            #expect(PromiseReport(report.encoded + [0x0A]) == report)
            #expect(!report.encoded.contains(0x0A))
        }
        #expect(PromiseReport([]) == nil && PromiseReport(Array("{".utf8)) == nil)
    }
}
