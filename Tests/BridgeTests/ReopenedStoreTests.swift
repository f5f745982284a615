import Bridge
import BridgeState
import Foundation
import LinuxSystem
import PasteboardModel
import PasteboardStore
import PasteboardWire
import Testing

/// A store that cannot be used when the bridge starts, but can be used later.
@Suite(.timeLimit(.minutes(10))) struct ReopenedStoreTests {
    private let folder: URL
    private let other: OtherBridge

    /// Another bridge that uses the store.
    private final class OtherBridge {
        private var lock: FileLock?

        init(in folder: URL) throws {
            let lock = try FileLock.open(folder.path + "/lock")
            try #require(try lock.tryLock())
            self.lock = lock
        }

        func end() { lock = nil }
    }

    init() throws {
        let former = try StoredService()
        try former.set("s")
        folder = try former.endedFolder()
        other = try OtherBridge(in: folder)
    }

    private func refusing() throws -> StoredService {
        let stored = try StoredService(in: folder)
        try stored.begin("e")
        try stored.settle()
        let error = #expect(throws: BridgeError.self) { try stored.client.replies(to: Methods.Set.self) }
        #expect(error?.code == .refused && error?.reason == BridgeError.storeReason)
        return stored
    }

    @Test("Contents are stored as soon as the store can be used, without a restart")
    func set() throws {
        let stored = try refusing()
        other.end()
        try stored.set("l")
        #expect(try stored.text() == "l")
        #expect(try stored.history().map(\.preview) == ["l", "s"])
        #expect(try stored.ended().text() == "l")
    }

    @Test("Counts continue above the stored counts, and undo leads back to the stored contents")
    func counts() throws {
        let stored = try refusing()
        other.end()
        try stored.set("l")
        #expect(try stored.pasteboard().count > 1)
        _ = try stored.call(Methods.Undo.self, .init(pasteboard: "general"))
        #expect(try stored.text() == "s")
    }

    @Test("A stored pasteboard that was written before the store could be used is persistent, with its new contents")
    func persistent() throws {
        let name = "com.example.notes"
        let former = try StoredService()
        _ = try former.call(Methods.Create.self, .init(pasteboard: name, persistent: true))
        try former.set("f", on: name)
        let folder = try former.endedFolder()
        let other = try OtherBridge(in: folder)
        let stored = try StoredService(in: folder)
        try stored.set("n", on: name)
        other.end()
        try stored.set("g")
        let next = try stored.ended()
        #expect(try next.text(on: name) == "n")
        #expect(try next.pasteboard(name).count == stored.pasteboard(name).count)
    }

    @Test("Undo does not lead back to stored contents that have an expiry")
    func expiring() throws {
        let former = try StoredService()
        try former.begin(
            Methods.Set.self, .text(on: "general", options: WireOptions(expires: 600_000)), bytes: "e")
        try former.settle()
        let folder = try former.endedFolder()
        let other = try OtherBridge(in: folder)
        let stored = try StoredService(in: folder)
        other.end()
        try stored.set("l")
        #expect(try stored.pasteboard().undo.undoable.isEmpty)
    }

    @Test("The history is available as soon as the store can be used")
    func history() throws {
        let stored = try refusing()
        #expect(throws: BridgeError.self) {
            try stored.begin(Methods.PauseHistory.self, .init(paused: true))
            try stored.settle()
            _ = try stored.client.replies(to: Methods.PauseHistory.self)
        }
        other.end()
        _ = try stored.call(Methods.PauseHistory.self, .init(paused: true))
        #expect(try stored.history().map(\.preview) == ["s"])
    }
}
