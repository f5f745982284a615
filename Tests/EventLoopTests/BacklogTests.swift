import Testing

import EventLoop

@Suite struct BacklogTests {
    @Test("Work is handled in the order in which it came, and what its handling brings behind the rest")
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

    @Test("What is left is looked at and changed in its order")
    func look() {
        var backlog = Backlog<Int>()
        backlog.append(contentsOf: [1, 2, 3, 4])
        _ = backlog.next()
        for index in backlog.indices where backlog[index] == 3 { backlog[index] = 30 }
        #expect(Array(backlog) == [2, 30, 4] && backlog.first == 2 && backlog.count == 3)
    }

    @Test("What was handled is let go of, while more is there")
    func letsGo() {
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
