import FoundationEssentials
import Pasteboard
import Synchronization
import TestSupport
import Testing

extension Library {
    /// Promises: fulfilled, broken, outstanding, void.
    @Suite("Promises", .requiresXvfb) struct PromisesTests {
        private static let general = Pasteboard.general
        private static let type = "public.utf8-plain-text"

        private static func item(
            _ provider: @escaping @Sendable () async throws -> Data
        ) -> PasteboardItem {
            var item = PasteboardItem()
            item.setPromise(forType: type, provider: provider)
            return item
        }

        @Test("A provider is called once for a hundred readers, including X11 programs")
        func once() async throws {
            try await withLibrary { sandbox in
                let asked = Mutex(0)
                let (opened, opening) = AsyncStream.makeStream(of: Void.self)
                let provider: @Sendable () async throws -> Data = {
                    asked.withLock { $0 += 1 }
                    for await _ in opened { break }
                    return Data("promised".utf8)
                }
                try await Self.general.async.setItems([Self.item(provider)])
                let first = Task { try await Self.general.async.string }
                let others = (0..<98).map { _ in Task { try await Self.general.async.string } }
                opening.yield()
                #expect(try await first.value == "promised")
                for other in others { #expect(try await other.value == "promised") }
                #expect(try await sandbox.xclipPastes().text == "promised")
                #expect(asked.withLock { $0 } == 1)
            }
        }

        @Test("A provider is not called without a reader")
        func lazy() async throws {
            try await withLibrary { _ in
                let asked = Mutex(false)
                try Self.general.setItems([
                    Self.item {
                        asked.withLock { $0 = true }
                        return Data()
                    }
                ])
                #expect(try Self.general.hasStrings && Self.general.types.first == Self.type)
                try Self.general.clear()
                #expect(!asked.withLock { $0 })
            }
        }

        @Test("A provider's error reaches the reader at once")
        func throwing() async throws {
            try await withLibrary { sandbox in
                struct NoInk: Error, CustomStringConvertible { let description = "there is no ink" }
                try Self.general.setItems([Self.item { throw NoInk() }])
                for _ in 0..<2 {
                    let error = await #expect(throws: PasteboardError.self) { try await Self.general.async.string }
                    #expect(error?.code == .promiseBroken)
                    #expect(error?.message.contains("there is no ink") == true)
                }
                #expect(try await sandbox.xclipPastes().status != 0)
            }
        }

        @Test("A provider that never answers delays only its readers, and not forever")
        func never() async throws {
            try await withLibrary { sandbox in
                var item = Self.item {
                    return try await neverAnswering()
                }
                item.setData(Data("h".utf8), forType: "public.html")
                try await Self.general.async.setItems([item])
                // One reader waits for a long time, the other for a moment.
                let patient = Task { try await Self.general.async.data(forType: Self.type) }
                let reading = try await sandbox.withTimeout(.milliseconds(500)) {
                    Task { try await Self.general.async.data(forType: Self.type) }
                }
                #expect(try await Self.general.async.data(forType: "public.html") == Data("h".utf8))
                let error = await #expect(throws: PasteboardError.self) { try await reading.value }
                #expect([.silent, .promiseBroken].contains(error?.code))
                patient.cancel()
                await #expect(throws: CancellationError.self) { try await patient.value }
                // Otherwise the bridge would wait for the promise before it ends.
                try await Self.general.async.clear()
            }
        }

        @Test("The former owner is called once when promises become void, and not at all if no promises were left")
        func formerOwner() async throws {
            try await withLibrary { sandbox in
                let (notices, continuation) = AsyncStream.makeStream(of: String.self)
                try Self.general.setItems([Self.item { Data("kept".utf8) }]) { continuation.yield("kept") }
                #expect(try await Self.general.async.string == "kept")
                try Self.general.setItems([Self.item { Data("lost".utf8) }]) { continuation.yield("replaced") }
                try await sandbox.xclipCopies("newer")
                var words = notices.makeAsyncIterator()
                #expect(await words.next() == "replaced")
                try Self.general.setItems([Self.item { Data("lost".utf8) }]) { continuation.yield("restarted") }
                try await sandbox.killBridge()
                #expect(await words.next() == "restarted")
            }
        }

        @Test("A reader that began before newer contents gets the promised bytes, and later readers the newer contents")
        func replacedWhileRead() async throws {
            try await withLibrary { _ in
                let (asked, asks) = AsyncStream.makeStream(of: Void.self)
                let (opened, opens) = AsyncStream.makeStream(of: Void.self)
                try Self.general.setItems([
                    Self.item {
                        asks.yield()
                        for await _ in opened { break }
                        return Data("promised".utf8)
                    }
                ])
                let reading = Task { try await Self.general.async.string }
                for await _ in asked { break }
                try await Self.general.async.setString("newer")
                #expect(try await Self.general.async.string == "newer")
                opens.yield()
                #expect(try await reading.value == "promised")
            }
        }

        @Test("A program that ends breaks its promises, unless it fulfills them first")
        func ending() async throws {
            try await withLibrary { sandbox in
                try await sandbox.withPeer("promise", "secret") { peer in
                    #expect(try await peer.line() == "ready")
                    try await peer.kill()
                }
                let error = await #expect(throws: PasteboardError.self) { try await Self.general.async.string }
                #expect(error?.code == .promiseBroken)
                try await sandbox.withPeer("promise", "kept text") { peer in
                    #expect(try await peer.line() == "ready")
                    try await peer.send("keep")
                    #expect(try await peer.line() == "asked")
                    #expect(try await peer.line() == "true")
                    try await peer.finish()
                }
                #expect(try await Self.general.async.string == "kept text")
                #expect(try await sandbox.xclipPastes().text == "kept text")
            }
        }

        @Test("keepPromises returns false if a promise is not fulfilled in time")
        func late() async throws {
            try await withLibrary { _ in
                try await Self.general.async.setItems([
                    Self.item {
                        return try await neverAnswering()
                    }
                ])
                #expect(await AsyncPasteboard.keepPromises(within: .milliseconds(50)) == false)
                try await Self.general.async.clear()
                #expect(await AsyncPasteboard.keepPromises(within: .seconds(60)))
            }
        }
    }
}
