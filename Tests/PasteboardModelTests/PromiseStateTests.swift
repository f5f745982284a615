import PasteboardModel
import Testing

@Suite struct PromiseStateTests {
    private typealias State = PromiseState<Int, String>

    private func told(_ answer: State.Answer) -> String {
        switch answer {
        case .ask: "ask"
        case .wait: "wait"
        case .kept(let bytes): "kept \(bytes)"
        case .broken(let reason): "broken \(reason)"
        }
    }

    @Test("The first reader has the writer asked, the others wait, and all get what comes")
    func kept() {
        var state = State()
        #expect(state.isOpen && !state.isAsked)
        #expect((1...3).map { told(state.read($0)) } == ["ask", "wait", "wait"])
        #expect(state.isOpen && state.isAsked)
        #expect(state.keep("bytes") == [1, 2, 3])
        #expect(!state.isOpen && !state.isAsked && state.bytes == "bytes")
        #expect(told(state.read(4)) == "kept bytes")
    }

    @Test("Who waits for a promise that is broken is told so, and who comes later as well")
    func broken() {
        var state = State()
        _ = state.read(1)
        #expect(state.break("gone") == [1])
        #expect(told(state.read(2)) == "broken gone")
        #expect(state.bytes == nil)
    }

    @Test("What comes after the end changes nothing")
    func late() {
        var state = State()
        #expect(state.keep("first") == [])
        #expect(state.keep("second") == [])
        #expect(state.break("late") == [])
        #expect(state.bytes == "first")
    }
}
