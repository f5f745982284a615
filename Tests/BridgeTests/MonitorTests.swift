import PasteboardModel
import PasteboardWire
import SelectionProtocol
import Testing

@testable import Bridge

@Suite struct MonitorTests {
    private final class Told {
        var replies: [Methods.Monitor.Reply] = []
        var lines: [String] { replies.map { "\($0.pasteboard) \($0.count) \($0.types.joined(separator: ","))" } }
    }

    private let general = Board(name: .general, since: 0)
    private let find = Board(name: .find, since: 0)
    private let told = Told()

    private func monitor() -> Monitor {
        Monitor(boards: [general, find], wantsTypes: true, patience: .seconds(1)) { [told] in told.replies.append($0) }
    }

    private func step(_ board: Board, _ monitor: Monitor, types: [String]?) {
        board.change(to: .foreign(WindowID(1)), at: 0)
        monitor.append(board, owner: WireOwner(kind: .window), types: types)
    }

    @Test("A step whose types are known is told at once")
    func known() {
        step(general, monitor(), types: ["a"])
        #expect(told.lines == ["general 1 a"])
    }

    @Test("A step waits for its types, and those behind it wait for their turn")
    func inOrder() {
        let monitor = monitor()
        step(general, monitor, types: nil)
        step(find, monitor, types: ["b"])
        #expect(told.lines == [])
        monitor.resolve(general, count: 1, types: ["a"])
        #expect(told.lines == ["general 1 a", "find 1 b"])
    }

    @Test("A newer step of the same pasteboard lets the older go without its types, and none is lost")
    func superseded() {
        let monitor = monitor()
        step(general, monitor, types: nil)
        step(general, monitor, types: nil)
        #expect(told.lines == ["general 1 "])
        monitor.resolve(general, count: 1, types: ["late"])
        monitor.resolve(general, count: 2, types: ["a"])
        #expect(told.lines == ["general 1 ", "general 2 a"])
    }

    @Test("A step tells the types that came and went, compared with the last ones that were told")
    func compared() {
        let monitor = monitor()
        monitor.learn(["a", "b"], of: general)
        step(general, monitor, types: ["b", "c"])
        step(general, monitor, types: nil)
        step(general, monitor, types: ["c", "d"])
        #expect(told.replies.map(\.added) == [["c"], nil, ["d"]])
        #expect(told.replies.map(\.removed) == [["a"], nil, ["b"]])
    }

    @Test("A removed pasteboard is told as gone")
    func gone() {
        let monitor = monitor()
        monitor.append(general, owner: WireOwner(kind: .none), types: [], isGone: true)
        #expect(told.replies.map(\.gone) == [true])
    }
}
