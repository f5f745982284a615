import Testing
import X11Bridge

@Suite struct RequestCoalescerTests {
    @Test("A query is sent once, and its answer goes to all callers that asked before the answer")
    func once() {
        var queries = RequestCoalescer()
        let isSent = ["a", "a", "b", "a"].enumerated().map { number, subject in
            queries.add(Ticket(number: number), for: subject) { _ in true }
        }
        #expect(isSent == [true, false, true, false])
        let answered = [0, 2].map { queries.remove(sentWith: Ticket(number: $0)).map(\.number) }
        #expect(answered == [[0, 1, 3], [2]])
    }

    @Test("A query after the answer is sent again")
    func anew() {
        var queries = RequestCoalescer()
        let isFirstSent = queries.add(Ticket(number: 1), for: "a") { _ in true }
        let answered = queries.remove(sentWith: Ticket(number: 1))
        let isNextSent = queries.add(Ticket(number: 2), for: "a") { _ in true }
        #expect(isFirstSent && isNextSent && answered == [Ticket(number: 1)])
    }

    @Test("Callers that no longer wait are forgotten, even without an answer")
    func bounded() {
        var queries = RequestCoalescer()
        for number in 1...5_000 {
            _ = queries.add(Ticket(number: number), for: "a", isWaiting: { $0.number == 4_000 })
        }
        let answered = queries.remove(sentWith: Ticket(number: 1))
        #expect(answered.count < 2_048)
    }
}
