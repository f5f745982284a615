import Testing

@testable import Bridge
@testable import FormatConversion
@testable import X11Bridge

@Suite("Shared questions")
struct SharedQuestionsTests {
    @Test("A question is put once, and its answer is for all who asked meanwhile")
    func once() {
        var questions = RequestCoalescer()
        let isPut = ["a", "a", "b", "a"].enumerated().map { number, subject in
            questions.add(Ticket(number: number), for: subject) { _ in true }
        }
        #expect(isPut == [true, false, true, false])
        let answered = [0, 2].map { questions.remove(sentWith: Ticket(number: $0)).map(\.number) }
        #expect(answered == [[0, 1, 3], [2]])
    }

    @Test("What is asked after the answer is put anew")
    func anew() {
        var questions = RequestCoalescer()
        let isFirstPut = questions.add(Ticket(number: 1), for: "a") { _ in true }
        let answered = questions.remove(sentWith: Ticket(number: 1))
        let isNextPut = questions.add(Ticket(number: 2), for: "a") { _ in true }
        #expect(isFirstPut && isNextPut && answered == [Ticket(number: 1)])
    }

    @Test("Those who gave up are forgotten, though no answer comes")
    func bounded() {
        var questions = RequestCoalescer()
        for number in 1...5_000 {
            _ = questions.add(Ticket(number: number), for: "a", isWaiting: { $0.number == 4_000 })
        }
        let answered = questions.remove(sentWith: Ticket(number: 1))
        #expect(answered.count < 2_048)
    }
}
