import Bridge
import BridgeState
import EventLoop
import Foundation
import LinuxSystem
import PasteboardModel
import PasteboardStore
import Testing
import UniformTypes
import X11Bridge

@Suite(.timeLimit(.minutes(10))) struct StoreThreadTests {
    private final class Fixture {
        static let limit = 10
        let folder = StoredService.newFolder().path
        let thread: StoreThread
        private let executor = EventLoopExecutor()
        private(set) var isDone = false

        init(age: Duration? = nil) throws {
            let limits = Store.Limits(entries: Self.limit, age: age, bytes: 1 << 30)
            thread = try StoreThread(try Store(at: folder, limits: limits, now: UnixTime.now))
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        /// Performs work, and returns the store's outcome.
        func perform<Outcome: Sendable>(_ work: @escaping @Sendable (Store) throws -> Outcome) throws -> Outcome {
            var result: Result<Outcome, any Error>?
            executor.start { [thread] in result = await thread.perform { store in Result { try work(store) } } }
            while true {
                if let result { return try result.get() }
                try receive()
            }
        }

        func copy(_ number: Int) throws {
            let file = try MemoryFile.containing(Array("text \(number)".utf8))
            let part = Representation(type: .utf8PlainText, target: "UTF8_STRING", range: 0..<file.length)
            let entry = NewEntry(
                id: EntryID(number), contents: Contents(items: [Item(representations: [part])]), files: [file],
                pasteboard: .general, count: number, created: UnixTime.now, summary: EntrySummary(text: "text"))
            let pasteboard = StoredPasteboard(name: .general, count: number, entry: entry.id)
            try perform { store in
                try store.apply(StoreChange(entries: [entry], pasteboards: [pasteboard]))
            }
        }

        func close() throws {
            thread.close { store in store.close(counts: [:]) }
            while !thread.isClosed { try receive() }
        }

        /// Waits for a report from the store, or until the test's time limit.
        private func receive() throws {
            while try !waitReadable(thread.fileDescriptor, until: .now + .seconds(1)) { try Task.checkCancellation() }
            thread.receive()
        }
    }

    @Test("A history that is written without a pause stays within its limits")
    func catchingUp() throws {
        let fixture = try Fixture()
        for number in 1...400 { try fixture.copy(number) }
        #expect(try fixture.perform { store in try store.usage().entries } < 120)
        try fixture.close()
    }

    @Test("Entries that become too old are dropped while nobody uses the store")
    func age() throws {
        let fixture = try Fixture(age: .seconds(1))
        let blobs = BlobFolder(in: fixture.folder)
        try fixture.copy(1)
        // A watch of the file itself reports its deletion too.
        let watch = try FolderWatch(folder: blobs.path(of: 1))
        try fixture.copy(2)
        while try !waitReadable(watch.fileDescriptor, until: .now + .seconds(1)) { try Task.checkCancellation() }
        #expect(blobs.length(of: 1) == nil)
        // The second entry is on the pasteboard.
        #expect(blobs.length(of: 2) != nil)
        try fixture.close()
    }

    @Test("Deferred maintenance is done in a pause")
    func quiet() throws {
        let fixture = try Fixture()
        try fixture.copy(1)
        // The last task is to reserve room on the disk.
        #expect(try FolderWatch(folder: fixture.folder).waitForEntry(named: "reserve", until: nil))
        try fixture.close()
    }
}
