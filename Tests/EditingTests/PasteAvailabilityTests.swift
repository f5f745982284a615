import BridgeFixture
import Editing
import Foundation
import Pasteboard
import PasteboardWire
import Synchronization
import TestSupport
import Testing

@Suite("Paste availability, with a simulated bridge", .timeLimit(.minutes(3))) struct PasteAvailabilityTests {
    private static func change(_ count: Int, _ types: [String] = ["public.html"]) -> Methods.Monitor.Reply {
        .init(pasteboard: "general", count: count, owner: .init(kind: .client), types: types)
    }

    /// Runs `body` with a simulated bridge, whose calls `handler` answers.
    private func withScript(
        _ handler: @escaping @Sendable () -> FakeBridge.Handler, _ body: (TestWindow) async throws -> Void
    ) async throws {
        let place = try Place(display: ":1")
        let bridge = try place.bridge(":1", handler: handler)
        try await Client.$current.withValue(Client(environment: place.environment, timeout: .seconds(60))) {
            try await body(try TestWindow())
        }
        withExtendedLifetime(bridge) {}
    }

    @Test("A late answer about older contents is dropped")
    func late() async throws {
        try await withScript {
            var monitor: ServerConnection?
            var held: ServerConnection?
            var questions = 0
            return { call, connection in
                if call.isCall(of: Methods.Monitor.self) {
                    monitor = connection
                    return connection.reply(Self.change(1), continues: true)
                }
                try #require(call.isCall(of: Methods.Match.self))
                questions += 1
                switch questions {
                case 1:
                    held = connection
                    monitor?.reply(Self.change(2), continues: true)
                case 2:
                    connection.reply(Methods.Match.Reply(count: 2, items: [0]))
                    held?.reply(Methods.Match.Reply(count: 1, items: []))
                    monitor?.reply(Self.change(3), continues: true)
                default: connection.reply(Methods.Match.Reply(count: 3, items: []))
                }
                try monitor?.flush()
                try? held?.flush()
            }
        } _: { window in
            let availability = PasteAvailability(events: window.events, types: [.text])
            var states: [String] = []
            availability.onChange = { [unowned availability] in
                states.append("\(availability.changeCount ?? -1) \(availability.isAvailable)")
            }
            try await window.turn { states.last == "3 false" }
            // The second answer may also be late.
            #expect(states == ["2 true", "3 false"] || states == ["3 false"])
        }
    }

    @Test("An owner that lists no types in time is asked again; paste is disabled until the owner answers")
    func silent() async throws {
        try await withScript {
            var questions = 0
            return { call, connection in
                if call.isCall(of: Methods.Monitor.self) {
                    return connection.reply(Self.change(1, []), continues: true)
                }
                if call.isCall(of: Methods.Describe.self) {
                    return connection.fail(BridgeError(.noSuchPasteboard, "none"))
                }
                questions += 1
                if questions == 1 { return connection.fail(BridgeError(.ownerSilent, "no answer")) }
                connection.reply(Methods.Match.Reply(count: 1, items: [0]))
            }
        } _: { window in
            let availability = PasteAvailability(events: window.events, types: [.text])
            var states: [Bool] = []
            availability.onChange = { [unowned availability] in states.append(availability.isAvailable) }
            #expect(!availability.isAvailable && availability.changeCount == nil && availability.undoState == nil)
            try await window.turn { availability.isAvailable }
            #expect(states == [false, false, true])
        }
    }

    @Test("If a pasteboard cannot be observed, the observation is tried again")
    func unobserved() async throws {
        try await withScript {
            var monitors = 0
            return { call, connection in
                guard call.isCall(of: Methods.Monitor.self) else {
                    return connection.reply(Methods.Match.Reply(count: 7, items: [0]))
                }
                monitors += 1
                if monitors == 1 { return connection.fail(BridgeError(.refused, "enough")) }
                connection.reply(Self.change(7), continues: true)
            }
        } _: { window in
            let availability = PasteAvailability(events: window.events, types: [.text])
            try await window.turn { availability.isAvailable }
            #expect(availability.changeCount == 7 && availability.availableTypes == ["public.html"])
        }
    }

    @Test("An availability that was released sends no more requests")
    func released() async throws {
        try await withScript {
            { call, connection in
                if call.isCall(of: Methods.Monitor.self) { connection.reply(Self.change(1), continues: true) }
            }
        } _: { window in
            var availability: PasteAvailability? = PasteAvailability(events: window.events, types: [.text])
            try await window.turn { availability?.changeCount == 1 }
            weak let former = availability
            availability = nil
            #expect(former == nil)
            try await window.turn(for: .milliseconds(20))
        }
    }
}

extension WindowPasteboards {
    @Suite("Paste availability") struct AvailabilityTests {
        private static let general = Pasteboard.general.async

        @Test("Paste turns on and off as the contents change, even if no menu is opened")
        func changes() async throws {
            try await withWindow { sandbox, window in
                let availability = PasteAvailability(events: window.events, types: [.text])
                var states: [String] = []
                availability.onChange = { [unowned availability] in
                    states.append("\(availability.changeCount ?? -1) \(availability.isAvailable)")
                }
                try await window.turn { states.last == "0 false" }
                #expect(availability.availableTypes.isEmpty && availability.undoState?.canUndo == false)
                try await Self.general.setData(Data([1]), forType: .png)
                try await window.turn { states.last == "1 false" && availability.availableTypes.contains("public.png") }
                try await sandbox.xclip("text", selection: "clipboard")
                try await window.turn { states.last == "2 true" }
                #expect(availability.undoState?.canUndo == true)
                // HTML is available as text, but only the bridge can tell.
                try await Self.general.setData(Data("<b>bold</b>".utf8), forType: .html)
                try await window.turn { states.last == "3 true" }
                try await Self.general.clear()
                try await window.turn { states.last == "4 false" }
            }
        }

        @Test("A stopped owner blocks nothing; paste is off until the owner answers")
        func stopped() async throws {
            try await withWindow(timeout: .seconds(1)) { sandbox, window in
                let file = try sandbox.write(Array("frozen".utf8), to: "in")
                try await sandbox.withPeer(["own", "--offer", "UTF8_STRING", file]) { owner in
                    _ = try await owner.await("owned")
                    try owner.process.suspend()
                    let availability = PasteAvailability(events: window.events, types: [.text])
                    var (count, isStopped) = (0, true)
                    availability.onChange = { [unowned availability] in
                        count += 1
                        // On a busy machine the owner may be late again.
                        if !isStopped, !availability.isAvailable { availability.refresh() }
                    }
                    try await window.turn { count > 1 }
                    #expect(!availability.isAvailable && availability.changeCount != nil)
                    try owner.process.resume()
                    isStopped = false
                    availability.refresh()
                    try await window.turn { availability.isAvailable }
                    #expect(!availability.availableTypes.isEmpty)
                    #expect(window.longestTurn < .seconds(1))
                }
            }
        }

        @Test("After the bridge has ended, the state is that of the next bridge")
        func bridgeEnds() async throws {
            try await withWindow { sandbox, window in
                try await Self.general.setString("one")
                let availability = PasteAvailability(events: window.events, types: [.text])
                try await window.turn { availability.isAvailable }
                try await sandbox.killBridge()
                try await window.turn(for: .milliseconds(20))
                let count = try await Self.general.setData(Data([1]), forType: .png)
                try await window.turn { availability.changeCount == count && !availability.isAvailable }
                #expect(availability.availableTypes.contains("public.png"))
                try await Self.general.setString("two")
                try await window.turn { availability.changeCount == count + 1 && availability.isAvailable }
            }
        }
    }
}
