import FoundationEssentials
import Pasteboard
import TestSupport
import Testing

extension Library {
    /// Many callers at once, and restarts of the bridge.
    @Suite("Threads and restarts", .requiresXvfb) struct ThreadsTests {
        private static let general = Pasteboard.general

        @Test("32 threads each get their own answers")
        func threads() async throws {
            try await withLibrary { _ in
                try await withThrowingTaskGroup { group in
                    for thread in 0..<32 {
                        group.addTask { try await onThread { try Self.setAndRead(by: thread) } }
                    }
                    try await group.waitForAll()
                }
            }
        }

        private static func setAndRead(by thread: Int) throws {
            let own = try Pasteboard(name: "com.example.thread\(thread)")
            for number in 1...20 {
                try own.setString("\(thread) \(number)")
                #expect(try own.string == "\(thread) \(number)")
                #expect(try own.changeCount == number)
            }
        }

        @Test("After the bridge was killed, the next call starts another bridge")
        func restart() async throws {
            try await withLibrary { sandbox in
                for round in 1...3 {
                    try Self.general.setString("round \(round)")
                    #expect(try await Self.general.async.string == "round \(round)")
                    try await sandbox.killBridge()
                }
                try await Self.general.async.setString("end")
                #expect(try await sandbox.require("get").text == "end")
            }
        }

        @Test("A read that waits for a silent owner ends when its task is cancelled, and other reads continue")
        func cancellation() async throws {
            try await withLibrary { _ in
                let (asked, asks) = AsyncStream.makeStream(of: Void.self)
                var item = PasteboardItem(Data("there".utf8), type: "public.utf8-plain-text")
                item.setPromise(forType: "com.example.never") {
                    asks.yield()
                    return try await neverAnswering()
                }
                try await Self.general.async.setItems([item])
                let reading = Task { try await Self.general.async.data(forType: "com.example.never") }
                for await _ in asked { break }
                #expect(try await Self.general.async.string == "there")
                reading.cancel()
                await #expect(throws: CancellationError.self) { try await reading.value }
                #expect(try await Self.general.async.string == "there")
                // Otherwise the bridge would wait for the promise before it ends.
                try await Self.general.async.clear()
            }
        }
    }
}
