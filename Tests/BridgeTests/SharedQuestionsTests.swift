import Testing

@testable import Bridge

@Suite("Shared questions")
struct SharedQuestionsTests {
    @Test("A question is put once, and its answer is for all who asked meanwhile")
    func once() {
        var questions = SharedQuestions<String>()
        #expect(questions.ask(Ticket(number: 1), of: "a", isWaiting: { _ in true }))
        #expect(!questions.ask(Ticket(number: 2), of: "a", isWaiting: { _ in true }))
        #expect(questions.ask(Ticket(number: 3), of: "b", isWaiting: { _ in true }))
        #expect(!questions.ask(Ticket(number: 4), of: "a", isWaiting: { _ in true }))
        #expect(questions.answered(Ticket(number: 1)) == [1, 2, 4].map(Ticket.init))
        #expect(questions.answered(Ticket(number: 3)) == [Ticket(number: 3)])
    }

    @Test("What is asked after the answer is put anew")
    func anew() {
        var questions = SharedQuestions<String>()
        #expect(questions.ask(Ticket(number: 1), of: "a", isWaiting: { _ in true }))
        #expect(questions.answered(Ticket(number: 1)) == [Ticket(number: 1)])
        #expect(questions.ask(Ticket(number: 2), of: "a", isWaiting: { _ in true }))
    }

    @Test("Those who gave up are forgotten, though no answer comes")
    func bounded() {
        var questions = SharedQuestions<String>()
        for number in 1...5_000 {
            _ = questions.ask(Ticket(number: number), of: "a", isWaiting: { $0.number == 4_000 })
        }
        #expect(questions.answered(Ticket(number: 1)).count < 2_048)
    }
}
