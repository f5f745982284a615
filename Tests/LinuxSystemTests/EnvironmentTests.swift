import LinuxSystem
import SystemPackage
import Testing

struct EnvironmentTests {
    @Test("A variable keeps its bytes, whether they are UTF-8 or not", arguments: [[0x2F, 0xE9], [0xC3, 0xA9], []])
    func bytes(bytes: [UInt8]) async {
        // In a process of its own, for no other thread may be looking.
        await #expect(processExitsWith: .success) { [bytes] in
            let value = LosslessText.string(of: bytes)
            Environment.set("XPB_FOR_TEST", to: value)
            let read = try #require(ThisProcess.environment()["XPB_FOR_TEST"])
            #expect(LosslessText.bytes(of: read) == bytes)
            // What a program gets that is started with it.
            let null = try opened("/dev/null", .readOnly)
            let end = try ChildProcess.wait(
                for: ChildProcess.spawn(
                    command: ["sh", "-c", "test \"$XPB_FOR_TEST\" = \"$(printf \"$OCTAL\")\""],
                    environment: [
                        "PATH": "/usr/bin:/bin", "XPB_FOR_TEST": read,
                        "OCTAL": bytes.map { "\\" + String(0o1000 | Int($0), radix: 8).dropFirst() }.joined(),
                    ], standardInput: null.fileDescriptor))
            #expect(end == .exited(0))
        }
    }
}
