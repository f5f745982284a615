import Bridge
import BridgeServer
import BridgeState
import PasteboardWire
import Testing
import X11Bridge

@Suite struct ChangeNotifierTests {
    private let fixture: ServiceFixture
    private let writer: ServiceClient
    private let watcher: ServiceClient

    init() throws {
        fixture = try ServiceFixture()
        writer = try fixture.client()
        watcher = try fixture.client()
    }

    @Test("A watch that begins together with a step reports the step once")
    func once() throws {
        // The Monitor call waits until the next change ends the promise.
        try watcher.promise(.promising(on: "general"))
        try watcher.call(Methods.Monitor.self, .init(pasteboards: ["general"], initial: true), more: true)
        try writer.set(.text(on: "general"))
        #expect(try watcher.reply(to: Methods.Set.self)?.counts == [1])
        #expect(try watcher.reply(to: Methods.Set.self)?.ended == .replaced)
        #expect(try watcher.replies(to: Methods.Monitor.self).map(\.count) == [2])
    }

    @Test("The removal of a pasteboard is reported before its next creation")
    func madeAgain() throws {
        try watcher.call(Methods.Monitor.self, .init(pasteboards: ["com.example.a"]), more: true)
        let promiser = try fixture.client()
        try promiser.promise(.promising(on: "com.example.a"))
        // The Clear call waits until the removal ends the promise.
        try promiser.call(Methods.Clear.self, .init(pasteboards: ["com.example.a"]))
        try promiser.set(.text(on: "com.example.a"))
        try writer.call(Methods.Remove.self, .init(pasteboard: "com.example.a"))
        let steps = try watcher.replies(to: Methods.Monitor.self)
        #expect(steps.map(\.count) == [1, 2, 3])
        #expect(steps.map { $0.gone ?? false } == [false, true, false])
    }

    @Test("If a watcher has gone, other watchers get the step before the removal of its pasteboard")
    func goneDuringStep() throws {
        let owner = try fixture.client()
        try owner.call(Methods.Create.self, .init(pasteboard: "com.example.a"))
        _ = try owner.replies(to: Methods.Create.self)
        try owner.call(Methods.Monitor.self, .init(pasteboards: ["com.example.a"]), more: true)
        try watcher.call(Methods.Monitor.self, .init(pasteboards: ["com.example.a"]), more: true)
        // The bridge notices the end of this client when it reports the step.
        try owner.vanish()
        try writer.set(.text(on: "com.example.a"))
        let steps = try watcher.replies(to: Methods.Monitor.self)
        #expect(steps.map(\.count) == [1, 2])
        #expect(steps.map { $0.gone ?? false } == [false, true])
    }

    @Test("A watcher that does not read gets an error that ends its watch, and other watchers are not affected")
    func slow() throws {
        let slow = try fixture.client()
        let parameters = Methods.Monitor.Parameters(pasteboards: ["general"])
        for client in [slow, watcher] { try client.call(Methods.Monitor.self, parameters, more: true) }
        #expect(fixture.service.notifier.monitors.count == 2)
        var limits = WireLimits()
        limits.watchQueueBytes = 4_096
        slow.session.apply(limits)
        var sent = 0
        while fixture.service.notifier.monitors.count == 2 {
            try writer.set(.text(on: "general"))
            _ = try writer.replies(to: Methods.Set.self)
            sent += try watcher.replies(to: Methods.Monitor.self).count
        }
        #expect(fixture.service.quotas.refusals.count(of: .slowWatcher) == 1)
        try writer.set(.text(on: "general"))
        #expect(try watcher.replies(to: Methods.Monitor.self).map(\.count) == [sent + 1])
        var counts: [Int] = []
        #expect(throws: BridgeError.self) {
            while let reply = try slow.nextReply(to: Methods.Monitor.self) { counts.append(reply.count) }
        }
        // The watcher got all changes up to the first that was not sent.
        #expect(counts == Array(1..<sent))
        // The slow watcher can still use its connection.
        try slow.call(
            Methods.Monitor.self, .init(pasteboards: ["general"], initial: true), more: true)
        #expect(try slow.replies(to: Methods.Monitor.self).map(\.count) == [sent + 1])
    }
}
