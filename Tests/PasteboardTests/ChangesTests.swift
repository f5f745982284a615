import BridgeFixture
import FoundationEssentials
import Pasteboard
import PasteboardWire
import Testing

@Suite struct ChangesTests {
    private static func step(_ count: Int) -> Methods.Monitor.Reply {
        .init(pasteboard: "general", count: count, owner: .init(kind: .none), types: [])
    }

    @Test("The present state comes first only for changes since an earlier count")
    func beginning() async throws {
        try await withScript {
            { call, connection in
                let asked = try call.parameters(Methods.Monitor.Parameters.self)
                guard call.more, asked.initial == true, asked.types == true else { throw HangUp() }
                for count in 5...7 { connection.reply(Self.step(count), continues: true) }
            }
        } _: { _, _ in
            for (since, first) in [(nil, 6), (4, 5), (5, 6), (9, 6)] {
                let changes = since.map { Pasteboard.general.changes(since: $0) } ?? Pasteboard.general.changes
                var iterator = changes.makeAsyncIterator()
                let change = try await iterator.next()
                #expect(change?.count == first && change?.afterRestart == false)
            }
        }
    }

    @Test("A slow reader holds the bridge back and misses nothing")
    func heldBack() async throws {
        let (filled, fills) = AsyncStream.makeStream(of: Int.self)
        try await withScript {
            { _, connection in
                // The loop ends because nobody reads: the reader has its first change and does not request another.
                var count = 0
                while !connection.hasUnsent {
                    connection.reply(Self.step(count), continues: true)
                    try connection.flush()
                    count += 1
                }
                fills.yield(count)
            }
        } _: { _, record in
            var iterator = Pasteboard.general.changes.makeAsyncIterator()
            let first = try await iterator.next()?.count
            #expect(first == 1)
            var sent = 0
            for await count in filled {
                sent = count
                break
            }
            // The last change may still be in the bridge, which has no reason to wake up.
            for count in 2..<sent - 1 {
                let found = try await iterator.next()?.count
                #expect(found == count)
            }
            #expect(sent > Client.maxUnreadReplies)
            #expect(record.connections == 1)
        }
    }

    @Test("A reader whose queue overflowed continues with the present state, which is marked")
    func tooSlow() async throws {
        try await withScript {
            var calls = 0
            return { call, connection in
                calls += 1
                connection.reply(Self.step(calls * 10), continues: true)
                connection.reply(Self.step(calls * 10 + 1), continues: true)
                if calls == 1 { connection.fail(BridgeError(.tooSlow, "missed")) }
            }
        } _: { _, record in
            var iterator = Pasteboard.general.changes(since: 0).makeAsyncIterator()
            for (count, isMarked) in [(10, false), (11, false), (20, true), (21, false)] {
                let change = try await iterator.next()
                #expect(change?.count == count && change?.afterRestart == isMarked)
            }
            #expect(record.calls == ["Monitor", "Monitor"])
        }
    }

    @Test("If a pasteboard cannot be observed, the error has the bridge's reason")
    func refused() async throws {
        try await withScript({ { _, connection in connection.fail(BridgeError(.refused, "enough")) } }) { _, _ in
            var iterator = Pasteboard.general.changes.makeAsyncIterator()
            let error = await #expect(throws: PasteboardError.self) { try await iterator.next() }
            #expect(error == PasteboardError(code: .refused, message: "enough"))
        }
    }

    @Test("A stream whose bridge ends before the first reply is opened again")
    func again() async throws {
        try await withScript {
            var calls = 0
            return { _, connection in
                calls += 1
                if calls == 1 { throw HangUp() }
                for count in 1...2 { connection.reply(Self.step(count), continues: true) }
            }
        } _: { _, record in
            var iterator = Pasteboard.general.changes.makeAsyncIterator()
            let change = try await iterator.next()
            #expect(change?.count == 2 && change?.afterRestart == false)
            #expect(record.calls == ["Monitor", "Monitor"])
        }
    }

    @Test("The first state of each later bridge is marked")
    func restarts() async throws {
        let place = try Place(display: ":1")
        let client = Client(environment: place.environment, timeout: .seconds(60))
        try await Client.$current.withValue(client) {
            var iterator = Pasteboard.general.changes(since: 0).makeAsyncIterator()
            for round in 1...3 {
                let bridge = try place.bridge(":1") {
                    { _, connection in connection.reply(Self.step(round), continues: true) }
                }
                let change = try await iterator.next()
                #expect(change?.count == round && change?.afterRestart == (round > 1))
                withExtendedLifetime(bridge) {}
            }
        }
    }
}
