import BridgeClient
import BridgeFixture
import FoundationEssentials
import LinuxSystem
import Pasteboard
import PasteboardWire
import Synchronization
import SystemPackage
import Testing
import UniformTypes

@Suite struct ClientTests {
    @Test("Consecutive calls use one connection, whether they are blocking or asynchronous")
    func sequence() async throws {
        try await withScript(countingCalls) { _, record in
            for number in 1...20 {
                let count =
                    number.isMultiple(of: 2)
                    ? try Pasteboard.general.changeCount : try await Pasteboard.general.async.changeCount
                #expect(count == number)
            }
            #expect(record.connections == 1)
        }
    }

    @Test("A call under way does not delay other calls, up to 16 connections")
    func parallel() async throws {
        // The answers come once the maximum number of calls is under way.
        try await withScript {
            var waiting: [ServerConnection] = []
            var answered = 0
            return { _, connection in
                waiting.append(connection)
                guard waiting.count == Client.maxConnections || answered > 0 else { return }
                for connection in waiting {
                    answered += 1
                    connection.reply(Methods.Count.Reply(count: answered))
                    try connection.flush()
                }
                waiting = []
            }
        } _: { _, record in
            let counts = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<40 { group.addTask { try await Pasteboard.general.async.changeCount } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(counts.sorted() == Array(1...40))
            #expect(record.connections == Client.maxConnections)
        }
    }

    @Test("A pasteboard can be created while another call waits for it, whichever connection keeps pasteboards alive")
    func createdMeanwhile() async throws {
        let (called, calls) = AsyncStream.makeStream(of: Void.self)
        try await withScript {
            var created = 0
            var waiting: ServerConnection?
            return { call, connection in
                if call.method == Methods.Create.fullName {
                    created += 1
                    let name = try call.parameters(Methods.Create.Parameters.self).pasteboard ?? ""
                    connection.reply(Methods.Create.Reply(pasteboard: name, created: true))
                } else {
                    waiting = connection
                    calls.yield()
                }
                guard created == 2 else { return }
                waiting?.reply(Methods.Count.Reply(count: created))
                try waiting?.flush()
            }
        } _: { _, _ in
            _ = try await AsyncPasteboard.named("com.example.a1", create: true)
            async let count = Pasteboard.general.async.changeCount
            for await _ in called { break }
            let second = try await AsyncPasteboard.named("com.example.a2", create: true)
            #expect(second?.name == "com.example.a2")
            #expect(try await count == 2)
        }
    }

    @Test("A reply that came before a malformed reply is used")
    func nonsense() async throws {
        try await withScript {
            { _, connection in
                // The second reply belongs to no call. Both come at once.
                _ = try connection.fileDescriptor.writeAll(
                    Array(#"{"parameters":{"count":7}}"#.utf8) + [0, 0x7B, 0x7D, 0])
            }
        } _: { _, _ in
            let found = try await Pasteboard.general.async.changeCount
            #expect(found == 7)
        }
    }

    @Test("A read whose bridge dies is repeated once, on a new connection")
    func read() async throws {
        try await withScript {
            var count = 0
            return { _, connection in
                count += 1
                if count == 1 { throw HangUp() }
                connection.reply(Methods.Count.Reply(count: count))
            }
        } _: { _, record in
            let found = try await Pasteboard.general.async.changeCount
            #expect(found == 2)
            #expect(record.connections == 2)
        }
    }

    @Test("A read whose bridge dies again and again is not repeated forever")
    func deadlyRead() async throws {
        try await withScript({ { _, _ in throw HangUp() } }) { _, record in
            let error = await #expect(throws: PasteboardError.self) { try await Pasteboard.general.async.changeCount }
            #expect(error?.code == .unavailable)
            #expect(record.calls.count == RepeatBudget.maxAttempts)
        }
    }

    @Test("A change whose bridge dies is not repeated, and its outcome is uncertain")
    func write() async throws {
        try await withScript({ { _, _ in throw HangUp() } }) { _, record in
            let error = await #expect(throws: PasteboardError.self) { try await Pasteboard.general.async.clear() }
            #expect(error?.code == .uncertain)
            #expect(record.calls == ["Clear"])
        }
    }

    @Test("A change that a dead bridge cannot have read is sent to the next bridge")
    func undelivered() async throws {
        let place = try Place(display: ":1")
        let client = Client(environment: place.environment, timeout: .seconds(60))
        try await Client.$current.withValue(client) {
            var bridge: FakeBridge? = try place.bridge(":1", handler: countingCalls)
            #expect(try Pasteboard.general.changeCount == 1)
            withExtendedLifetime(bridge) {}
            bridge = nil
            let next = try place.bridge(":1") {
                { _, connection in connection.reply(Methods.Counts(counts: [7])) }
            }
            #expect(try await Pasteboard.general.async.clear() == 7)
            withExtendedLifetime((bridge, next)) {}
        }
    }

    @Test("A call to a silent bridge times out, blocking or asynchronous")
    func idleTimeout() async throws {
        try await withScript(timeout: .zero, { { _, _ in } }) { _, _ in
            let awaiting = await #expect(throws: PasteboardError.self) {
                try await Pasteboard.general.async.changeCount
            }
            #expect(awaiting?.code == .unavailable)
            let waiting = #expect(throws: PasteboardError.self) { try Pasteboard.general.changeCount }
            #expect(waiting?.code == .unavailable)
        }
    }

    @Test("A change that a silent bridge may still make is uncertain, with promises or without")
    func silentChange() async throws {
        try await withScript(timeout: .zero, { { _, _ in } }) { _, _ in
            let clearing = #expect(throws: PasteboardError.self) { try Pasteboard.general.clear() }
            #expect(clearing?.code == .uncertain)
            var item = PasteboardItem()
            item.setPromise(forType: .plainText) { Data() }
            let promising = await #expect(throws: PasteboardError.self) {
                try await Pasteboard.general.async.setItems([item])
            }
            #expect(promising?.code == .uncertain)
        }
    }

    @Test("A long read has no timeout as long as the bridge is alive")
    func long() async throws {
        // The answer comes once the client has asked whether the bridge is alive.
        try await withScript(timeout: .zero) {
            var waiting: ServerConnection?
            return { call, connection in
                if call.isCall(of: Methods.Get.self) {
                    waiting = connection
                } else {
                    let file = try MemoryFile.containing(Array("late".utf8))
                    let reply = Methods.Get.Reply(
                        count: 1, item: 0, type: "public.utf8-plain-text", target: nil,
                        bytes: WireBytes(descriptor: 0, offset: 0, length: 4))
                    waiting?.reply(reply, descriptors: [file.descriptor])
                    try waiting?.flush()
                    _ = ServiceInterface.answer(call, on: connection, version: "0")
                }
            }
        } _: { _, record in
            let found = try await Pasteboard.general.async.string
            #expect(found == "late")
            #expect(record.calls == ["Get", "GetInfo"])
        }
    }

    @Test("A task that is cancelled stops waiting, and its connection serves other calls")
    func cancellation() async throws {
        let (called, calls) = AsyncStream.makeStream(of: Void.self)
        try await withScript {
            var first: ServerConnection?
            return { _, connection in
                guard let stuck = first else {
                    first = connection
                    calls.yield()
                    return
                }
                stuck.reply(Methods.Count.Reply(count: 1))
                try stuck.flush()
                connection.reply(Methods.Count.Reply(count: 2))
            }
        } _: { _, _ in
            let task = Task { try await Pasteboard.general.async.changeCount }
            for await _ in called { break }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            let found = try await Pasteboard.general.async.changeCount
            #expect(found == 2)
        }
    }

    @Test("The promises of a write are kept even if its task was cancelled before the answer")
    func cancelledPromises() async throws {
        let (events, report) = AsyncStream.makeStream(of: String.self)
        try await withScript {
            var writer: ServerConnection?
            return { call, connection in
                if call.isCall(of: Methods.Set.self) {
                    writer = connection
                    report.yield("set")
                } else if call.isCall(of: Methods.Count.self) {
                    writer?.reply(Methods.Set.Reply(counts: [1]), continues: true)
                    let wanted = WireWanted(promise: "1", ticket: "kept")
                    writer?.reply(Methods.Set.Reply(counts: [], wanted: wanted), continues: true)
                    try writer?.flush()
                    connection.reply(Methods.Count.Reply(count: 1))
                } else {
                    report.yield(try call.parameters(Methods.Keep.Parameters.self).ticket)
                    connection.reply(Methods.Keep.Reply())
                }
            }
        } _: { _, _ in
            var item = PasteboardItem()
            item.setPromise(forType: .plainText) { Data("late".utf8) }
            let writing = Task { [item] in try await Pasteboard.general.async.setItems([item]) }
            var seen = events.makeAsyncIterator()
            #expect(await seen.next() == "set")
            writing.cancel()
            await #expect(throws: CancellationError.self) { try await writing.value }
            _ = try await Pasteboard.general.async.changeCount
            #expect(await seen.next() == "kept")
        }
    }

    @Test("A task that was cancelled before its call sends nothing")
    func cancelled() async throws {
        try await withScript(countingCalls) { _, record in
            await #expect(throws: CancellationError.self) {
                try await withThrowingTaskGroup(of: Int.self) { group in
                    group.cancelAll()
                    group.addTask { try await Pasteboard.general.async.changeCount }
                    _ = try await group.next()
                }
            }
            #expect(record.calls.isEmpty)
        }
    }

    @Test("If no bridge can be reached, every waiting call throws the reason")
    func none() async throws {
        let place = try Place(display: ":1")
        let client = Client(environment: place.environment, timeout: .seconds(60))
        await Client.$current.withValue(client) {
            let codes = await withTaskGroup(of: PasteboardError.Code?.self) { group in
                for _ in 0..<10 {
                    group.addTask {
                        let error = await #expect(throws: PasteboardError.self) {
                            try await Pasteboard.general.async.changeCount
                        }
                        return error?.code
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes == Array(repeating: .unavailable, count: 10))
        }
    }

    @Test("A call that does not fit into one message is refused before it is sent")
    func tooLong() async throws {
        try await withScript(countingCalls) { _, record in
            let items = (0..<60_000).map { PasteboardItem(Data("\($0)".utf8), type: "public.utf8-plain-text") }
            let error = #expect(throws: PasteboardError.self) { try Pasteboard.general.setItems(items) }
            #expect(error?.code == .refused)
            #expect(record.calls.isEmpty)
        }
    }

    @Test("The next bridge learns this program's types and pasteboards before any other call")
    func lifetime() throws {
        let place = try Place(display: ":1")
        let client = Client(environment: place.environment, timeout: .seconds(60))
        let answers: @Sendable () -> FakeBridge.Handler = {
            { call, connection in
                if call.isCall(of: Methods.Create.self) {
                    let name = try call.parameters(Methods.Create.Parameters.self).pasteboard
                    connection.reply(Methods.Create.Reply(pasteboard: name ?? "com.example.unique", created: true))
                } else if call.isCall(of: Methods.Declare.self) {
                    connection.reply(NoParameters())
                } else {
                    connection.reply(Methods.Count.Reply(count: 0))
                }
            }
        }
        try Client.$current.withValue(client) {
            var bridge: FakeBridge? = try place.bridge(":1", handler: answers)
            // The same declaration made twice is repeated once.
            for _ in 1...2 { try Pasteboard.declare([TypeDeclaration(identifier: "com.example.told-again")]) }
            let made = try #require(try Pasteboard(named: "com.example.own", create: true))
            #expect(try Pasteboard.withUniqueName().name == "com.example.unique")
            withExtendedLifetime(bridge) {}
            bridge = nil
            let record = Record()
            let next = try place.bridge(":1") {
                record.noting(answers())
            }
            #expect(try made.changeCount == 0)
            #expect(record.calls == ["Create", "Create", "Declare", "Count"])
            #expect(record.connections == 1)
            withExtendedLifetime((bridge, next)) {}
        }
    }
}
