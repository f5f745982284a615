import Foundation
import LinuxSystem
import SystemPackage
import Testing

struct ThisProcessTests {
    /// This runs in a separate process, so that no other test can change these facts.
    @Test("The path, working folder, environment and arguments of the process are known")
    func facts() async {
        await #expect(processExitsWith: .success) {
            let (path, folder) = (try ThisProcess.executablePath(), try ThisProcess.workingFolder())
            #expect(FileManager.default.isExecutableFile(atPath: path))
            #expect(folder == FileManager.default.currentDirectoryPath)
            #expect(ThisProcess.environment()["PATH"] == ProcessInfo.processInfo.environment["PATH"])
            #expect(ThisProcess.arguments() == Array(CommandLine.arguments.dropFirst()))
            #expect(throws: Errno.self) { try ThisProcess.path(of: FileDescriptor(rawValue: .max)) }
        }
    }

    @Test(
        "A program's name is the last component of its path",
        arguments: [
            ("xpb", true), ("/usr/bin/xpb", true), ("./xpb", true), ("pb", false), ("axpb", false), ("", false),
        ])
    func name(path: String, isXPB: Bool) async {
        await #expect(processExitsWith: .success) { [path, isXPB] in
            var name: UnsafeMutablePointer<CChar>? = unsafe strdup(path)
            unsafe withUnsafeMutablePointer(to: &name) { start in
                unsafe ThisProcess.keepArguments(1, start)
                #expect(ThisProcess.ArgumentBytes().programIs("xpb") == isXPB)
            }
        }
    }
}

struct EnvironmentTests {
    @Test("A variable keeps its bytes, whether valid UTF-8 or not", arguments: [[0x2F, 0xE9], [0xC3, 0xA9], []])
    func bytes(bytes: [UInt8]) async {
        // This runs in a separate process, because no other thread may read the environment at the same time.
        await #expect(processExitsWith: .success) { [bytes] in
            let value = LosslessText.string(of: bytes)
            Environment.set("XPB_FOR_TEST", to: value)
            let read = try #require(ThisProcess.environment()["XPB_FOR_TEST"])
            #expect(LosslessText.bytes(of: read) == bytes)
            // This checks the value that a started program receives.
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
