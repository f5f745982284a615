import Bridge
import BridgeState
import PasteboardModel
import PasteboardWire
import Testing
import UniformTypes

@Suite struct MonitorTests {
    private final class Received {
        var replies: [Methods.Monitor.Reply] = []
        var lines: [String] {
            replies.map {
                "\($0.pasteboard) \($0.count) \($0.types.map { $0.replacing("t.", with: "") }.joined(separator: ","))"
            }
        }
    }

    private let table = PasteboardRegistry(at: 0) { RestorableContents.undoStack(levels: 10) }
    private let general: PasteboardState
    private let find: PasteboardState
    private let received = Received()

    init() throws {
        general = try #require(table[.general])
        find = try #require(table[.find])
    }

    private func monitor() -> Monitor {
        Monitor(pasteboards: [general, find], wantsTypes: true, timeout: .seconds(1)) { [received] in
            received.replies.append($0)
            return true
        }
    }

    private static func type(_ name: String) -> UniformType { UniformType("t.\(name)") ?? .data }

    private func step(_ pasteboard: PasteboardState, _ monitor: Monitor, types names: [String]?) {
        pasteboard.change(to: .foreign(.window(1)), at: 0)
        let reply = Methods.Monitor.Reply(
            pasteboard: pasteboard === general ? "general" : "find", count: pasteboard.count,
            owner: WireOwner(kind: .window), types: [])
        monitor.append(reply, of: pasteboard, types: names?.map(Self.type))
    }

    @Test("A step with known types is sent at once")
    func known() {
        step(general, monitor(), types: ["a"])
        #expect(received.lines == ["general 1 a"])
    }

    @Test("A step waits for its types, and later steps wait for that step")
    func inOrder() {
        let monitor = monitor()
        step(general, monitor, types: nil)
        step(find, monitor, types: ["b"])
        #expect(received.lines == [])
        monitor.resolve(general, count: 1, types: [Self.type("a")])
        #expect(received.lines == ["general 1 a", "find 1 b"])
    }

    @Test("A newer step on the same pasteboard causes the older step to be sent without its types")
    func superseded() {
        let monitor = monitor()
        step(general, monitor, types: nil)
        step(general, monitor, types: nil)
        #expect(received.lines == ["general 1 "])
        monitor.resolve(general, count: 1, types: [Self.type("late")])
        monitor.resolve(general, count: 2, types: [Self.type("a")])
        #expect(received.lines == ["general 1 ", "general 2 a"])
    }

    @Test("A step lists the types that were added and removed since the last step with known types")
    func compared() {
        let monitor = monitor()
        monitor.learn(["a", "b"].map(Self.type), of: general)
        step(general, monitor, types: ["b", "c"])
        step(general, monitor, types: nil)
        step(general, monitor, types: ["c", "d"])
        #expect(received.replies.map(\.added) == [["t.c"], nil, ["t.d"]])
        #expect(received.replies.map(\.removed) == [["t.a"], nil, ["t.b"]])
    }

    @Test("An owner that does not answer holds back a limited number of steps")
    func bounded() {
        let monitor = monitor()
        step(general, monitor, types: nil)
        for _ in 0..<1_000 { step(find, monitor, types: ["b"]) }
        #expect(received.lines.count == 1_001)
        #expect(received.lines.first == "general 1 " && received.lines.last == "find 1000 b")
    }

    @Test("A watcher that has gone is sent nothing more")
    func ended() {
        let received = received
        let monitor = Monitor(pasteboards: [general], wantsTypes: false, timeout: .seconds(1)) {
            received.replies.append($0)
            return received.replies.count < 2
        }
        for _ in 0..<3 { step(general, monitor, types: []) }
        #expect(monitor.isEnded && received.replies.count == 2)
    }

    @Test("A removed pasteboard is reported as gone")
    func gone() {
        let monitor = monitor()
        let reply = Methods.Monitor.Reply(
            pasteboard: "general", count: general.count, owner: WireOwner(kind: .none), types: [], gone: true)
        monitor.append(reply, of: general, types: [])
        #expect(received.replies.map(\.gone) == [true])
    }
}
