import Testing

@testable import SelectionProtocol

@Suite struct IncrementalSendTests {
    private func pieces(of length: Int, chunk: Int, _ end: (Range<Int>) -> Int) -> [Range<Int>] {
        var transfer = IncrementalSend(
            offer: OfferID(1), selection: Sample.clipboard, target: Sample.utf8,
            entry: .init(type: Sample.utf8, body: 0, .ready(length: length)), length: length, chunk: chunk,
            started: Sample.start)
        var pieces: [Range<Int>] = []
        repeat { pieces.append(transfer.next(now: Sample.start, end)) } while pieces.last?.isEmpty == false
        return pieces
    }

    @Test("Pieces are as long as they may be, and an empty one ends them")
    func whole() {
        #expect(pieces(of: 250, chunk: 100) { $0.upperBound } == [0..<100, 100..<200, 200..<250, 250..<250])
    }

    @Test("A piece may end earlier, and the next begins there")
    func early() {
        #expect(pieces(of: 250, chunk: 100) { $0.upperBound - 2 } == [0..<98, 98..<196, 196..<250, 250..<250])
    }

    @Test("A piece is never empty before the end, nor longer than it may be, wherever it is to end")
    func kept() {
        #expect(pieces(of: 250, chunk: 100) { $0.lowerBound } == [0..<100, 100..<200, 200..<250, 250..<250])
        #expect(pieces(of: 250, chunk: 100) { $0.upperBound + 50 } == [0..<100, 100..<200, 200..<250, 250..<250])
        #expect(pieces(of: 250, chunk: 100) { _ in -7 } == [0..<100, 100..<200, 200..<250, 250..<250])
    }
}
