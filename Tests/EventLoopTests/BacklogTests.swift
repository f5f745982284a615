import EventLoop
import Testing

@Suite struct BacklogTests {
    @Test("Work is handled in the order of arrival, and work that a handler adds comes after the rest")
    func order() {
        var backlog = Backlog<Int>()
        #expect(backlog.isEmpty && backlog.next() == nil)
        backlog.append(contentsOf: Array(0..<100))
        var handled: [Int] = []
        while let number = backlog.next() {
            handled.append(number)
            if number < 100 { backlog.append(number + 100) }
        }
        #expect(handled == Array(0..<200))
        #expect(backlog.isEmpty)
    }

    @Test("The remaining work can be read and changed by index, in order")
    func remaining() {
        var backlog = Backlog<Int>()
        backlog.append(contentsOf: [1, 2, 3, 4])
        _ = backlog.next()
        for index in backlog.indices where backlog[index] == 3 { backlog[index] = 30 }
        #expect(Array(backlog) == [2, 30, 4] && backlog.first == 2 && backlog.count == 3)
    }

    @Test("Handled work is released, even while more remains")
    func releases() {
        final class Piece {}
        var backlog = Backlog<Piece>()
        var first: Piece? = Piece()
        weak let seen = first
        if let first { backlog.append(first) }
        backlog.append(contentsOf: (0..<10).map { _ in Piece() })
        first = nil
        _ = backlog.next()
        #expect(seen == nil)
        #expect(!backlog.isEmpty)
    }
}
