import Bridge
import BridgeState
import Configuration
import EventLoop
import Foundation
import LinuxSystem
import PasteboardStore
import PasteboardWire
import Testing

/// Long contents on a slow disk, played by a thread that waits after each piece of a copy.
@Suite(.timeLimit(.minutes(10))) struct SlowDiskTests {
    private let stored: StoredService
    private let disk: SlowDisk
    private var client: ServiceClient { stored.client }

    private static let pieces = 24
    private static let long = String(repeating: "x", count: pieces << 20)

    /// Lets a copy take one piece at a time.
    private final class SlowDisk: Sendable {
        private let taken = DispatchSemaphore(value: 0)
        private let allowed = DispatchSemaphore(value: 0)

        /// Reports a copied piece, and waits until the next is allowed. The copying thread calls this.
        func takePiece() {
            taken.signal()
            allowed.wait()
        }

        /// Waits until the next piece is copied, or until the test's time limit. The copy does not continue.
        func awaitPiece() throws {
            while taken.wait(timeout: .now() + 1) == .timedOut { try Task.checkCancellation() }
        }

        func allowPiece() { allowed.signal() }

        func allowAll() { for _ in 0...SlowDiskTests.pieces { allowed.signal() } }
    }

    init() throws {
        stored = try StoredService()
        try stored.set("a")
        let disk = SlowDisk()
        stored.thread.afterPiece = disk.takePiece
        self.disk = disk
    }

    private func beginLong(
        by client: ServiceClient? = nil, on pasteboards: [String] = ["general"], append: Bool? = nil
    ) throws {
        let parameters = Methods.Set.Parameters(
            pasteboards: pasteboards,
            items: [
                WireNewItem(representations: [
                    WireNewRepresentation(
                        type: "public.utf8-plain-text",
                        bytes: WireBytes(descriptor: 0, offset: 0, length: Self.long.utf8.count))
                ])
            ], append: append)
        try stored.begin(Methods.Set.self, parameters, bytes: Self.long, by: client)
    }

    /// Lets more time pass than the disk's idle timeout. During that time, the bridge checks the progress.
    private func passIdleTimeout() {
        for _ in 0...8 { stored.fixture.pass(.seconds(1)) }
    }

    private func stagedFiles() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: stored.folder.appending(path: "staged").path)
    }

    @Test("A copy may take any time, as long as it makes progress")
    func progress() throws {
        try beginLong()
        for _ in 1..<Self.pieces {
            try disk.awaitPiece()
            // Each pause is almost the idle timeout, and all pauses together are much longer.
            for _ in 1...7 { stored.fixture.pass(.seconds(1)) }
            #expect(try client.replies(to: Methods.Set.self).isEmpty)
            disk.allowPiece()
        }
        disk.allowAll()
        try stored.settle()
        #expect(try client.replies(to: Methods.Set.self).map(\.counts) == [[2]])
        #expect(try stored.text() == Self.long)
        #expect(try stagedFiles().isEmpty)
        #expect(try stored.killed().text() == Self.long)
    }

    @Test("A copy without progress is given up and removed, and nothing changes")
    func idle() throws {
        try beginLong()
        try disk.awaitPiece()
        passIdleTimeout()
        let error = #expect(throws: BridgeError.self) { try client.replies(to: Methods.Set.self) }
        #expect(error?.code == .refused && error?.message.contains("the disk does not answer") == true)
        #expect(try stored.text() == "a")
        disk.allowPiece()
        try stored.settle()
        // The copy has ended after that piece.
        #expect(try stagedFiles().isEmpty)
        #expect(try stored.history().map(\.preview) == ["a"])
    }

    @Test(
        "A copy ends with its client, and nothing changes",
        arguments: [(["general"], nil), (["general"], true), (["general", "find"], nil)] as [([String], Bool?)])
    func clientEnds(pasteboards: [String], append: Bool?) throws {
        let other = try stored.other()
        try beginLong(by: other, on: pasteboards, append: append)
        try disk.awaitPiece()
        other.close()
        // The bridge checks the progress.
        stored.fixture.pass(.seconds(2))
        disk.allowPiece()
        try stored.settle()
        #expect(try stagedFiles().isEmpty)
        #expect(try stored.text() == "a")
    }

    @Test("Short contents do not wait for long contents, nor for a copy that was given up")
    func short() throws {
        let other = try stored.other()
        try beginLong(by: other)
        try disk.awaitPiece()
        try stored.begin("b")
        try stored.settleStore()
        #expect(try client.replies(to: Methods.Set.self).map(\.counts) == [[2]])
        #expect(try stored.text() == "b")
        passIdleTimeout()
        #expect(throws: BridgeError.self) { try other.replies(to: Methods.Set.self) }
        try stored.begin("c")
        try stored.settleStore()
        #expect(try client.replies(to: Methods.Set.self).map(\.counts) == [[3]])
        #expect(try stored.text() == "c")
        disk.allowAll()
        try stored.settle()
    }

    @Test("Long contents reach the pasteboard once they are written, even after newer short contents")
    func late() throws {
        let other = try stored.other()
        try beginLong(by: other)
        try disk.awaitPiece()
        try stored.begin("b")
        try stored.settleStore()
        #expect(try client.replies(to: Methods.Set.self).map(\.counts) == [[2]])
        disk.allowAll()
        try stored.settle()
        #expect(try other.replies(to: Methods.Set.self).map(\.counts) == [[3]])
        #expect(try stored.text() == Self.long)
        _ = try stored.call(Methods.Undo.self, .init(pasteboard: "general"))
        #expect(try stored.text() == "b")
    }

    @Test("Undo to captured contents waits until their bytes are written")
    func undo() throws {
        stored.fixture.service.settings.configuration.captureLimit = Self.pieces << 20
        stored.fixture.copy(.text(Self.long))
        stored.fixture.pass()
        try disk.awaitPiece()
        try stored.begin("b")
        try stored.settleStore()
        #expect(try client.replies(to: Methods.Set.self).map(\.counts) == [[3]])
        try stored.begin(Methods.Undo.self, .init(pasteboard: "general"))
        try stored.settleStore()
        #expect(try client.replies(to: Methods.Undo.self).isEmpty)
        disk.allowAll()
        try stored.settle()
        #expect(try client.replies(to: Methods.Undo.self).map(\.steps) == [1])
        #expect(try stored.text() == Self.long)
    }

    @Test("The staged files of a killed bridge are removed")
    func leftover() throws {
        try beginLong()
        try disk.awaitPiece()
        #expect(try !stagedFiles().isEmpty)
        let next = try stored.killed(whileWriting: true)
        #expect(try next.text() == "a")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: next.folder.appending(path: "staged").path).isEmpty)
        disk.allowAll()
        try stored.settle()
    }
}
