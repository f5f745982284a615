import FoundationEssentials
import Pasteboard
import TestSupport
import Testing

extension Library {
    /// Tests that changes arrive in order and without gaps.
    @Suite("Changes", .requiresXvfb) struct ChangesTests {
        private static let general = Pasteboard.general

        @Test("Clearing an empty pasteboard is a change only if it is to count, and others see that change")
        func clearing() async throws {
            try await withLibrary { _ in
                let general = Pasteboard.general.async
                try await general.setString("x")
                let count = try await general.clear()
                #expect(try await general.clear() == count)
                #expect(try await general.clear(alwaysCounts: true) == count + 1)
                for try await change in general.changes(since: count) {
                    #expect(change.count == count + 1 && change.owner.kind == .nobody && change.types.isEmpty)
                    break
                }
                // Contents that are cleared count once.
                let written = try await general.setString("y")
                #expect(try await general.clear(ifChangeCount: written, alwaysCounts: true) == written + 1)
                #expect(try await general.clear(alwaysCounts: true) == written + 2)
                #expect(try await general.clear(alwaysCounts: true) == written + 3)
                #expect(try await general.clear() == written + 3)
                await #expect(throws: PasteboardError.self) {
                    try await general.clear(ifChangeCount: written, alwaysCounts: true)
                }
                #expect(try await general.changeCount == written + 3)
            }
        }

        @Test("Each change of four writers, including X11 programs, is reported exactly once")
        func writers() async throws {
            try await withLibrary { sandbox in
                let start = try await Self.general.async.setString("begin")
                var changes = Self.general.changes(since: start - 1).makeAsyncIterator()
                #expect(try await changes.next()?.count == start)
                async let writing: Void = withThrowingTaskGroup { group in
                    for writer in 0..<3 {
                        group.addTask {
                            // A write at the same moment as another may be refused, without a change.
                            for number in 0..<100 { _ = try? await Self.general.async.setString("\(writer) \(number)") }
                        }
                    }
                    group.addTask { try await Self.copyByXclip(5, in: sandbox) }
                    try await group.waitForAll()
                    try await Self.general.async.setString("end")
                }
                var counts: [Int] = []
                var windows = 0
                while let change = try await changes.next() {
                    counts.append(change.count)
                    if case .window = change.owner.kind { windows += 1 }
                    #expect(!change.afterRestart && !change.isRemoval && change.pasteboard == Self.general)
                    if change.count > start, change.owner.kind == .client,
                        try await Self.general.async.string == "end"
                    {
                        break
                    }
                }
                try await writing
                let last = try await Self.general.async.changeCount
                while let count = counts.last, count < last {
                    let change = try #require(try await changes.next())
                    counts.append(change.count)
                    if case .window = change.owner.kind { windows += 1 }
                }
                #expect(counts == Array(start + 1...last))
                #expect(windows == 5)
            }
        }

        /// Copies with xclip a number of times. xclip returns before it owns the selection, so the next copy waits
        /// until the X server reports the new owner.
        private static func copyByXclip(_ count: Int, in sandbox: Sandbox) async throws {
            try await sandbox.withPeer(["watch"]) { watch in
                _ = try await watch.await("watching")
                try await general.async.setString("of the bridge")
                let bridge = try await watch.await("owner").window
                for number in 1...count {
                    _ = try await sandbox.shell(
                        "echo \"$1\" | xclip -i -selection clipboard >/dev/null 2>&1", "\(number)")
                    while try await [bridge, 0].contains(watch.await("owner").window) {}
                }
            }
        }

        @Test("A reader that reads its socket late misses nothing")
        func slowReader() async throws {
            try await withLibrary { _ in
                let own = try #require(try Pasteboard(named: "com.example.slow", create: true))
                let start = try await own.async.setString("begin")
                var changes = own.changes(since: start - 1).makeAsyncIterator()
                #expect(try await changes.next()?.count == start)
                for number in 1...1_000 { try await own.async.setString("\(number)") }
                for number in 1...1_000 { #expect(try await changes.next()?.count == start + number) }
            }
        }

        @Test("A change lists the types that were added and removed")
        func types() async throws {
            try await withLibrary { _ in
                let start = try Self.general.setString("a")
                var changes = Self.general.changes(since: start - 1).makeAsyncIterator()
                _ = try await changes.next()
                try Self.general.setData(Data("h".utf8), forType: "public.html")
                let change = try #require(try await changes.next())
                #expect(change.types == ["public.html"] && change.typesAdded == ["public.html"])
                #expect(change.typesRemoved == ["public.utf8-plain-text"])
                #expect(change.owner.kind == .client && change.owner.processID != nil)
                try Self.general.setData(Data("i".utf8), forType: "public.html")
                let same = try #require(try await changes.next())
                #expect(same.typesAdded.isEmpty && same.typesRemoved.isEmpty)
            }
        }

        @Test("After a restart of the bridge, the changes continue with the present state, which is marked")
        func restart() async throws {
            try await withLibrary { sandbox in
                let start = try await Self.general.async.setString("before")
                let (seen, sees) = AsyncStream.makeStream(of: Pasteboard.Change.self)
                let observer = Task {
                    for try await change in Self.general.changes(since: start - 1) { sees.yield(change) }
                }
                var changes = seen.makeAsyncIterator()
                #expect(await changes.next()?.afterRestart == false)
                try await sandbox.killBridge()
                try await sandbox.require("set", "after")
                let state = try #require(await changes.next())
                #expect(state.afterRestart)
                // The state may have been sent before or after the text was set.
                let after = try await Self.general.async.changeCount
                var last = state
                while last.count < after { last = try #require(await changes.next()) }
                let count = try await Self.general.async.setString("later")
                let next = try #require(await changes.next())
                #expect(!next.afterRestart && next.count == count)
                observer.cancel()
                await #expect(throws: CancellationError.self) { try await observer.value }
            }
        }

        @Test("An observer does not start a bridge that was stopped, and ends when it is cancelled")
        func stopped() async throws {
            try await withLibrary { sandbox in
                let start = try await Self.general.async.setString("before")
                let (begun, begin) = AsyncStream.makeStream(of: Void.self)
                let observer = Task {
                    for try await _ in Self.general.changes(since: start - 1) { begin.yield() }
                }
                for await _ in begun { break }
                try await sandbox.require("bridge", "stop")
                observer.cancel()
                await #expect(throws: CancellationError.self) { try await observer.value }
                #expect(sandbox.bridges().isEmpty)
            }
        }
    }
}
