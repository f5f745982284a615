import DataControlProtocol
import EventLoop
import Foundation
import LinuxSystem
import SystemPackage
import TestSupport
import Testing
import WaylandBridge
import WaylandWire

/// Tests of a connection to sway, together with wl-clipboard.
@Suite(.timeLimit(.minutes(10))) struct SwayTests {
    /// A connection on the event loop of its own thread, and programs that run at the same time.
    private final class Session {
        let fixture = LoopFixture()
        let recorder: Recorder
        let folder: String
        private let environment: [String: String]

        init(_ variables: [String: String], isCancelled: @escaping () -> Bool) throws {
            fixture.isCancelled = isCancelled
            folder = try #require(variables["XDG_RUNTIME_DIR"])
            environment = variables.merging(["PATH": "/usr/bin:/bin", "HOME": folder]) { $1 }
            let socket = "\(folder)/\(try #require(variables["WAYLAND_DISPLAY"]))"
            recorder = Recorder(
                try WaylandDisplay(
                    path: socket, seat: nil, outgoing: OutgoingTransfers(loop: fixture.loop), loop: fixture.loop,
                    executor: fixture.executor))
            try fixture.run { [recorder] in recorder.isSettled }
        }

        /// Starts a shell command in the session's folder.
        func start(_ command: String) throws -> Int32 {
            let null = try Descriptor.open(toRead: Array("/dev/null".utf8))
            return try ChildProcess.spawn(
                command: ["/bin/sh", "-c", "cd \(folder) && exec 2>/dev/null && \(command)"], environment: environment,
                standardInput: null.fileDescriptor)
        }

        /// Runs a shell command to completion while the connection is served.
        func run(_ command: String) throws {
            let process = try start(command)
            let end = try ChildProcess.terminationDescriptor(of: process)
            var isOver = false
            let registration = fixture.loop.add(end.fileDescriptor, interest: .readable) { _ in isOver = true }
            defer { registration.cancel() }
            try fixture.run { isOver }
            #expect(try ChildProcess.wait(for: process) == .exited(0), "\(command)")
        }

        func write(_ bytes: [UInt8], to name: String) throws {
            try Data(bytes).write(to: URL(filePath: "\(folder)/\(name)"))
        }

        func bytes(of name: String) throws -> [UInt8] {
            Array(try Data(contentsOf: URL(filePath: "\(folder)/\(name)")))
        }

        /// Copies with a command, and reads the selection.
        func receive(
            after command: String, _ type: String, from selection: SeatSelection = .clipboard
        ) throws -> [UInt8] {
            let count = recorder.owners(of: selection).count
            try run(command)
            try fixture.run { [recorder] in
                recorder.owners(of: selection).count > count && recorder.offer(of: selection) != nil
            }
            let offer = try #require(recorder.offer(of: selection))
            let file = try fixture.perform { [recorder] in
                try? await recorder.display.receive(offer, type: type, idleTimeout: .seconds(60), limit: nil)
            }
            let found = try #require(file)
            return try found.bytes(in: 0..<found.length)
        }
    }

    /// Runs `body` on its own thread, in a new session.
    private func withSession(_ body: @escaping @Sendable (Session) throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/xpb-s-\(UInt32.random(in: 0 ... .max))"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await Sway.running(in: folder) { variables in
            try await onThread { try body(try Session(variables, isCancelled: $0)) }
        }
    }

    @Test("Contents of every length go both ways, to wl-paste and from wl-copy", arguments: [1, 65_537, 64 << 20])
    func lengths(length: Int) async throws {
        try await withSession { session in
            let bytes = pattern(length)
            #expect(session.recorder.events.first == .attached(protocol: "zwlr_data_control_manager_v1 version 2"))
            #expect(session.recorder.events.last == .settled(seat: "seat0", hasPrimary: true))
            let source = try session.recorder.copy(.file(try MemoryFile.containing(bytes)))
            try session.fixture.run { session.recorder.owners().last == .ours(source) }
            try session.run("wl-paste --no-newline --type text/plain >pasted")
            #expect(try session.bytes(of: "pasted") == bytes)
            try session.write(bytes, to: "copied")
            let type = "application/octet-stream"
            #expect(try session.receive(after: "wl-copy --type \(type) <copied", type) == bytes)
            #expect(session.recorder.events.contains(.ended(source, .replaced)))
            #expect(session.recorder.display.transferCount == 0)
        }
    }

    @Test("The primary selection goes both ways, independently of the clipboard")
    func primary() async throws {
        try await withSession { session in
            let clipboard = try session.recorder.copy(.file(try MemoryFile.containing([1])))
            let primary = try session.recorder.copy(.file(try MemoryFile.containing([2])), to: .primary, marker: "m2")
            try session.fixture.run { session.recorder.owners(of: .primary).last == .ours(primary) }
            try session.run("wl-paste --no-newline --primary --type text/plain >pasted")
            #expect(try session.bytes(of: "pasted") == [2])
            #expect(
                try session.receive(after: "wl-copy --primary text", "text/plain", from: .primary) == Array("text".utf8)
            )
            #expect(session.recorder.owners().last == .ours(clipboard))
        }
    }

    @Test("Many copies are each reported once, and a program that is killed empties the selection")
    func copies() async throws {
        try await withSession { session in
            let first = session.recorder.owners().count
            for number in 1...20 {
                #expect(
                    try session.receive(after: "wl-copy text\(number)", "text/plain") == Array("text\(number)".utf8))
            }
            #expect(session.recorder.owners().count == first + 20)
            let process = try session.start("exec wl-copy --foreground killed")
            try session.fixture.run { session.recorder.owners().count == first + 21 }
            ChildProcess.send(.kill, to: process)
            try session.fixture.run { session.recorder.owners().last == .nobody }
            _ = try ChildProcess.wait(for: process)
        }
    }

    @Test("A connection at rest never wakes the loop up")
    func rest() async throws {
        try await withSession { session in
            let source = try session.recorder.copy(.file(try MemoryFile.containing([1])))
            try session.fixture.run { session.recorder.owners().last == .ours(source) }
            let display = session.recorder.display
            #expect(try session.fixture.perform { await display.synchronize(within: .seconds(60)) })
            let before = session.fixture.rounds
            var isOver = false
            // Only a moment without events shows that nothing wakes the loop.
            _ = session.fixture.executor.timers.set(.now + .milliseconds(500)) { isOver = true }
            try session.fixture.run { isOver }
            #expect(session.fixture.rounds - before == 2, "once before the timer, and once after it")
        }
    }

    @Test("The end of the compositor is a loss")
    func end() async throws {
        try await withSession { session in
            _ = try session.recorder.copy(.file(try MemoryFile.containing([1])))
            try session.run("swaymsg --socket sway-ipc.*.sock exit || true")
            try session.fixture.run { session.recorder.loss != nil }
            #expect(session.recorder.loss == .closed)
        }
    }
}
