import BridgeFixture
import FoundationEssentials
import LinuxSystem
import Pasteboard
import PasteboardWire
import Synchronization
import Testing

/// Tests of undo, redo and the history, with a scripted bridge.
@Suite struct PasteboardHistoryTests {
    private static let entry = WireHistoryEntry(
        id: 12, pasteboard: "general", count: 7, copies: 2, created: 1_700_000_000_500, type: "public.png",
        types: ["public.png", "public.utf8-plain-text"], items: 1, length: 4_096, preview: "a", width: 30, height: 20,
        action: "Copy from Firefox", program: "firefox", pinned: true, excerpt: "far a", matches: [4, 1, 4, 9])

    /// Returns a handler that records the parameters of each call and answers it.
    private static func bridge(_ asked: Recorded) -> FakeBridge.Handler {
        func note(_ parameters: some Encodable, _ call: IncomingCall) throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            let text = String(decoding: try encoder.encode(parameters), as: UTF8.self)
            asked.calls.withLock { $0.append("\(call.method.split(separator: ".").last ?? "") \(text)") }
        }
        return { call, connection in
            switch call.method {
            case Methods.Undo.fullName, Methods.Redo.fullName:
                let steps = try call.parameters(Methods.Steps.self)
                try note(steps, call)
                if steps.pasteboard == "find" {
                    return connection.fail(BridgeError(.empty, "there is nothing to undo"))
                }
                connection.reply(Methods.Stepped(count: 9, steps: min(steps.steps ?? 1, 2), action: "Copy from Tk"))
            case Methods.History.fullName:
                try note(try call.parameters(Methods.History.Parameters.self), call)
                var other = entry
                other.id = 11
                connection.reply(Methods.History.Reply(entries: [entry]), continues: true)
                connection.reply(Methods.History.Reply(entries: [other], next: 11))
            case Methods.Restore.fullName:
                let restore = try call.parameters(Methods.Restore.Parameters.self)
                try note(restore, call)
                guard restore.entry == 12 else {
                    return connection.fail(BridgeError(.noSuchEntry, "there is no entry \(restore.entry)"))
                }
                connection.reply(Methods.Restore.Reply(pasteboard: "find", count: 3))
            case Methods.DeleteEntries.fullName:
                try note(try call.parameters(Methods.DeleteEntries.Parameters.self), call)
                connection.reply(Methods.Deleted(deleted: 3))
            case Methods.ClearHistory.fullName:
                try note(try call.parameters(Methods.ClearHistory.Parameters.self), call)
                connection.reply(Methods.Deleted(deleted: 40))
            case Methods.Pin.fullName:
                try note(try call.parameters(Methods.Pin.Parameters.self), call)
                connection.reply(NoParameters())
            case Methods.PauseHistory.fullName:
                try note(try call.parameters(Methods.PauseHistory.Parameters.self), call)
                connection.reply(NoParameters())
            case Methods.Status.fullName:
                try note(NoParameters(), call)
                let store = WireStore(state: .kept, entries: 0, length: 0, paused: true)
                connection.reply(
                    Methods.Status.Reply(
                        version: "1", process: 1, attached: false, clients: 1, transfers: 0, bytes: 0, since: 0,
                        captures: [], store: store, limits: [], refusals: [], underway: []))
            case Methods.Set.fullName:
                let set = try call.parameters(Methods.Set.Parameters.self)
                asked.calls.withLock { $0.append("Set \(set.action ?? "-") \(set.group ?? "-")") }
                connection.reply(Methods.Set.Reply(counts: [1]))
            case Methods.Get.fullName:
                let get = try call.parameters(Methods.Get.Parameters.self)
                let type = get.types?.first ?? ""
                asked.calls.withLock { $0.append("Get \(get.entry ?? 0) \(type)") }
                guard get.entry == 12 else { return connection.fail(BridgeError(.noSuchEntry, "unknown")) }
                guard type == "public.png" else { return connection.fail(BridgeError(.noSuchType, "none")) }
                let file = try MemoryFile.containing(Array("picture".utf8))
                let bytes = WireBytes(descriptor: 0, offset: 0, length: 7)
                connection.reply(
                    Methods.Get.Reply(count: 7, item: 0, type: type, bytes: bytes), descriptors: [file.descriptor])
            case Methods.Fetch.fullName:
                let fetch = try call.parameters(Methods.Fetch.Parameters.self)
                asked.calls.withLock { $0.append("Fetch \(fetch.entry ?? 0)") }
                let file = try MemoryFile.containing(Array("earlier".utf8))
                let found = WireFound(
                    item: 0, type: "public.utf8-plain-text", bytes: WireBytes(descriptor: 0, offset: 0, length: 7))
                connection.reply(Methods.Fetch.Reply(count: 7, found: [found]), descriptors: [file.descriptor])
            default: throw HangUp()
            }
        }
    }

    private func withBridge(_ body: () async throws -> Void) async throws -> [String] {
        let asked = Recorded()
        try await withScript({ Self.bridge(asked) }) { _, _ in try await body() }
        return asked.calls.withLock { $0 }
    }

    private final class Recorded: Sendable {
        let calls = Mutex<[String]>([])
    }

    @Test("Undo and redo return their number of steps, blocking and asynchronous")
    func undo() async throws {
        let asked = try await withBridge {
            let undone = try #require(try Pasteboard.general.undo(5, ifChangeCount: 8))
            #expect(undone.changeCount == 9 && undone.steps == 2 && undone.actionName == "Copy from Tk")
            #expect((try await Pasteboard.general.async.undo())?.steps == 1)
            #expect((try Pasteboard.general.redo())?.steps == 1)
            #expect((try await Pasteboard.general.async.redo(2))?.steps == 2)
        }
        let parameters = #""pasteboard":"general","steps""#
        #expect(
            asked == [
                #"Undo {"ifCount":8,\#(parameters):5,"timeout":60000}"#, #"Undo {\#(parameters):1,"timeout":60000}"#,
                #"Redo {\#(parameters):1,"timeout":60000}"#, #"Redo {\#(parameters):2,"timeout":60000}"#,
            ])
    }

    @Test("The result is nil if there is nothing to undo")
    func nothingToUndo() async throws {
        _ = try await withBridge {
            let undone = try Pasteboard.find.undo()
            #expect(undone == nil)
            let redone = try await Pasteboard.find.async.redo()
            #expect(redone == nil)
        }
    }

    @Test("A number of steps or entries below 1 is refused without a call", arguments: [0, -1, .min])
    func numbers(number: Int) async throws {
        let asked = try await withBridge {
            let bodies: [() throws -> Void] = [
                { _ = try Pasteboard.general.undo(number) }, { _ = try Pasteboard.general.redo(number) },
                { _ = try Pasteboard.general.history(limit: number) },
            ]
            for body in bodies {
                let error = #expect(throws: PasteboardError.self, performing: body)
                #expect(error?.code == .invalidValue)
            }
        }
        #expect(asked.isEmpty)
    }

    @Test("The history contains the entries of all replies, with all their properties")
    func history() async throws {
        let asked = try await withBridge {
            let entries = try Pasteboard.general.history(matching: "fire fox", pinnedOnly: true, limit: 10)
            #expect(entries.map(\.id) == [12, 11])
            let first = try #require(entries.first)
            #expect(first.pasteboard == "general" && first.changeCount == 7 && first.copies == 2)
            #expect(first.date == Date(timeIntervalSince1970: 1_700_000_000.5))
            #expect(first.type == "public.png" && first.types == ["public.png", "public.utf8-plain-text"])
            #expect(first.numberOfItems == 1 && first.length == 4_096 && first.preview == "a")
            #expect(first.pixelWidth == 30 && first.pixelHeight == 20 && first.isPinned)
            #expect(first.actionName == "Copy from Firefox" && first.program == "firefox")
            // A match beyond the end of the text is left out.
            #expect(first.excerpt == "far a" && first.matches == [4..<5])
            #expect(try await Pasteboard.find.async.history() == entries)
            let page = try Pasteboard.general.historyPage(limit: 2)
            #expect(page.entries == entries)
            let next = try #require(page.next)
            _ = try await Pasteboard.general.async.historyPage(after: next)
        }
        #expect(
            asked == [
                #"History {"limit":10,"pasteboard":"general","pinned":true,"search":"fire fox"}"#,
                #"History {"pasteboard":"find"}"#, #"History {"limit":2,"pasteboard":"general"}"#,
                #"History {"from":11,"pasteboard":"general"}"#,
            ])
    }

    @Test("An entry is restored on the named pasteboard, and a missing entry throws noSuchEntry")
    func restore() async throws {
        let asked = try await withBridge {
            let count = try Pasteboard.find.restore(12, ifChangeCount: 2)
            #expect(count == 3)
            let error = await #expect(throws: PasteboardError.self) {
                try await Pasteboard.general.async.restore(99)
            }
            #expect(error?.code == .noSuchEntry)
        }
        #expect(
            asked == [
                #"Restore {"entry":12,"ifCount":2,"pasteboard":"find","timeout":60000}"#,
                #"Restore {"entry":99,"pasteboard":"general","timeout":60000}"#,
            ])
    }

    @Test("The items of an entry are read without changing the pasteboard")
    func items() async throws {
        let asked = try await withBridge {
            for items in [
                try Pasteboard.general.items(ofHistoryEntry: 12),
                try await Pasteboard.general.async.items(ofHistoryEntry: 12),
            ] {
                #expect(items.count == 1)
                #expect(items.first?.data(forType: "public.utf8-plain-text") == Data("earlier".utf8))
            }
        }
        #expect(asked == ["Fetch 12", "Fetch 12"])
    }

    @Test("One representation of an entry is read; a type that it lacks is nil, and a missing entry throws noSuchEntry")
    func representation() async throws {
        let asked = try await withBridge {
            let general = Pasteboard.general
            let found = try general.data(forType: "public.png", ofHistoryEntry: 12)
            let awaited = try await general.async.data(forType: "public.png", ofHistoryEntry: 12)
            let missing = try general.data(forType: "public.html", ofHistoryEntry: 12)
            #expect(found == Data("picture".utf8) && awaited == found && missing == nil)
            let error = #expect(throws: PasteboardError.self) {
                try general.data(forType: "public.png", ofHistoryEntry: 99)
            }
            #expect(error?.code == .noSuchEntry)
        }
        #expect(asked == ["Get 12 public.png", "Get 12 public.png", "Get 12 public.html", "Get 99 public.png"])
    }

    @Test("Entries are deleted and pinned, and the history is cleared and paused")
    func changes() async throws {
        let asked = try await withBridge {
            #expect(try Pasteboard.deleteHistory([1, 2]) == 3)
            try Pasteboard.pinHistory([3])
            try await AsyncPasteboard.pinHistory([3], false)
            #expect(try Pasteboard.general.clearHistory() == 40)
            try Pasteboard.pauseHistory()
            try await AsyncPasteboard.pauseHistory(false)
            #expect(try Pasteboard.isHistoryPaused)
            #expect(try await AsyncPasteboard.isHistoryPaused)
            #expect(try await AsyncPasteboard.deleteHistory([4]) == 3)
            #expect(try await Pasteboard.find.async.clearHistory() == 40)
        }
        #expect(
            asked == [
                #"DeleteEntries {"entries":[1,2]}"#, #"Pin {"entries":[3],"pinned":true}"#,
                #"Pin {"entries":[3],"pinned":false}"#, #"ClearHistory {"pasteboard":"general"}"#,
                #"PauseHistory {"paused":true}"#, #"PauseHistory {"paused":false}"#, "Status {}", "Status {}",
                #"DeleteEntries {"entries":[4]}"#,
                #"ClearHistory {"pasteboard":"find"}"#,
            ])
    }

    @Test("A write can have a name and a group for undo")
    func options() async throws {
        let asked = try await withBridge {
            try Pasteboard.general.setString(
                "a", options: PasteboardOptions(actionName: "Cut Rows", undoGroup: "4711"))
            try await Pasteboard.general.async.setString("a")
        }
        #expect(asked == ["Set Cut Rows 4711", "Set - -"])
    }
}
