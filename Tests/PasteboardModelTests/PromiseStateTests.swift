import PasteboardModel
import Testing

@Suite struct PromiseStateTests {
    private typealias State = PromiseState<Int, String>

    private func text(_ answer: State.Answer) -> String {
        switch answer {
        case .ask: "ask"
        case .wait: "wait"
        case .fulfilled(let bytes): "kept \(bytes)"
        case .failed(let reason): "broken \(reason)"
        }
    }

    @Test("The first reader causes the request, later readers wait, and all readers get the bytes")
    func kept() {
        var state = State()
        #expect(state.isOpen && !state.isAsked)
        #expect((1...3).map { text(state.read($0)) } == ["ask", "wait", "wait"])
        #expect(state.isOpen && state.isAsked)
        #expect(state.fulfill("bytes") == [1, 2, 3])
        #expect(!state.isOpen && !state.isAsked && state.bytes == "bytes")
        #expect(text(state.read(4)) == "kept bytes")
    }

    @Test("A broken promise fails waiting and later readers")
    func broken() {
        var state = State()
        _ = state.read(1)
        #expect(state.fail("gone") == [1])
        #expect(text(state.read(2)) == "broken gone")
        #expect(state.bytes == nil)
    }

    @Test("Answers after the first change nothing")
    func late() {
        var state = State()
        #expect(state.fulfill("first") == [])
        #expect(state.fulfill("second") == [])
        #expect(state.fail("late") == [])
        #expect(state.bytes == "first")
    }
}
