import BridgeClient
import BridgeFixture
import Foundation
import Glibc
import LinuxSystem
import PasteboardWire
import SystemPackage
import Testing

@Suite struct BridgeLauncherTests {
    private func connect(_ place: Place, start: BridgeFinder.Start = .forDisplay) throws -> BridgeClient {
        // On a busy machine a program may take a long time to start.
        try BridgeClient.connect(environment: place.environment, timeout: .seconds(60), start: start)
    }

    private func failure(_ place: Place) -> BridgeClientError? {
        #expect(throws: BridgeClientError.self) { _ = try connect(place) }
    }

    @Test("The daemon is at XPB_XPBD, else next to the program, else in PATH")
    func candidates() {
        #expect(BridgeLauncher(environment: ["XPB_XPBD": "/a/b", "PATH": "/bin"]).candidates == ["/a/b"])
        let found = BridgeLauncher(environment: ["PATH": "/x:relative::/y"]).candidates
        #expect(found.suffix(2) == ["/x/xpbd", "/y/xpbd"])
        #expect(found.count == 3)
    }

    @Test("The daemon gets the display, a pipe for its report, no input and the root folder")
    func arguments() throws {
        let place = try Place(display: ":4.0")
        try place.install(
            daemon: """
                echo "$* $DISPLAY $(pwd) $(readlink /proc/self/fd/0)" > \(place.file("seen"))
                echo "error 4 enough" >&3
                """)
        #expect(failure(place)?.message.contains("enough") == true)
        #expect(
            try String(contentsOfFile: place.file("seen"), encoding: .utf8)
                == "--display :4.0 --ready-fd 3 :4.0 / /dev/null\n")
    }

    @Test("The message contains the daemon's reason and the value of DISPLAY")
    func failed() throws {
        let place = try Place(display: ":4")
        try place.install(daemon: "echo 'error 4 cannot open display' >&3")
        let error = failure(place)
        #expect(error?.code == .unavailable)
        #expect(error?.message.contains("DISPLAY, which is ':4'") == true)
        #expect(error?.message.contains("cannot open display") == true)
    }

    @Test("A daemon that ends without a report is an error")
    func silent() throws {
        let place = try Place(display: ":4")
        try place.install(daemon: "exit 1")
        #expect(failure(place)?.message.contains("ended while it was starting") == true)
    }

    @Test("The message for a daemon that cannot run contains the last line of its output, which comes from the loader")
    func cannotRun() throws {
        let place = try Place(display: ":4")
        func fault(within time: Duration = .seconds(60)) -> String? {
            BridgeLauncher(environment: place.environment).fault(until: .now + time)
        }
        try place.install(daemon: "echo one >&2; echo 'libx.so.1: cannot open shared object file' >&2; exit 127")
        #expect(failure(place)?.message.hasSuffix(": libx.so.1: cannot open shared object file") == true)
        #expect(fault() == "libx.so.1: cannot open shared object file")
        try place.install(daemon: "exit 3")
        #expect(fault()?.hasSuffix("ends with status 3") == true)
        try place.install(daemon: "exec sleep 1000")
        #expect(fault(within: .zero) == nil)
        try place.install(daemon: "exit 0")
        #expect(fault() == nil)
    }

    @Test("A daemon that reports nothing in time is an error")
    func notReady() throws {
        let place = try Place(display: ":4")
        // The daemon runs until the end of the test, which removes the pipe and then closes it.
        let pipe = place.file("pipe")
        try #require(unsafe mkfifo(pipe, 0o600) == 0)
        let writing = Descriptor(adopting: try FileDescriptor.open(FilePath(pipe), .readWrite, options: .closeOnExec))
        defer {
            Folder.removeFile(pipe)
            withExtendedLifetime(writing) {}
        }
        try place.install(daemon: "exec cat '\(pipe)' >/dev/null 2>&1")
        let error = withExtendedLifetime(place) {
            #expect(throws: BridgeClientError.self) {
                _ = try BridgeClient.connect(environment: place.environment, timeout: .milliseconds(50))
            }
        }
        #expect(error?.code == .unavailable && error?.context.cause == .notReady)
    }

    @Test("The message for a missing daemon says where the daemon should have been")
    func missing() throws {
        let place = try Place(display: ":4")
        #expect(failure(place)?.message.hasPrefix("XPB_XPBD is '\(place.file("none"))', which does not exist") == true)
    }

    @Test("If another bridge holds the lock, the client waits for that bridge's socket")
    func busy() throws {
        let place = try Place(display: ":4")
        let folder = try place.runtimeDirectory.folder
        let other = try place.bridge("other", process: 44)
        // The socket appears only after the client has learned that it must wait for it.
        try place.install(daemon: "echo busy >&3; exec 3>&-; ln '\(folder)/other.sock' '\(folder)/:4.sock'")
        let count = try withExtendedLifetime(other) {
            try connect(place).call(Methods.Count.self, .init(pasteboard: "general")).reply.count
        }
        #expect(count == 44)
    }

    @Test(
        "A report is one line",
        arguments: [
            ("ready\n", LauncherReport.ready), ("busy\n", .busy),
            ("error 4 no display :9\n", .failed(status: 4, message: "no display :9")),
            ("served 7 another bridge\n", .served(process: 7, message: "another bridge")), ("served x y\n", .none),
            ("", .none), ("error\n", .none), ("error x y\n", .none), ("nonsense\n", .none),
        ])
    func report(text: String, expected: LauncherReport) {
        #expect(LauncherReport(text) == expected)
    }

    @Test("Stopping a bridge waits until its process has ended, not only its connections")
    func ended() throws {
        let place = try Place(display: ":4")
        let socket = try place.runtimeDirectory.socketPath(":4")
        // The process takes a while to exit.
        try place.install(
            daemon: """
                exec /usr/bin/python3 -c '
                import os, socket, sys
                with open(sys.argv[2], "w") as lock: lock.write(str(os.getpid()))
                with socket.socket(socket.AF_UNIX) as listener:
                    listener.bind(sys.argv[1])
                    listener.listen()
                    os.write(3, b"ready\\n")
                    os.close(3)
                    call = b""
                    while not call:
                        connection, _ = listener.accept()
                        call = connection.recv(4096)
                    connection.sendall(b"{\\"parameters\\": {}}\\0")
                    connection.close()
                for _ in range(100): os.urandom(1 << 20)
                ' \(socket) \(socket.dropLast(5)).lock
                """)
        let bridge = try connect(place)
        let process = try #require(bridge.listener)
        #expect(try bridge.stop())
        #expect(ProcessState.hasEnded(process))
    }
}
