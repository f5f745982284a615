import SelectionProtocol
import Testing

@Suite struct IncrementalSendTests {
    private func chunks(of length: Int, chunk: Int, _ end: (Range<Int>) -> Int) -> [Range<Int>] {
        var transfer = IncrementalSend(
            offer: OfferID(1), selection: Sample.clipboard, target: Sample.utf8,
            entry: .init(type: Sample.utf8, body: 0, .ready(length: length)), length: length, chunk: chunk,
            started: Sample.start)
        var chunks: [Range<Int>] = []
        repeat { chunks.append(transfer.next(now: Sample.start, end)) } while chunks.last?.isEmpty == false
        return chunks
    }

    @Test("Chunks have the maximum length, and an empty chunk is the last")
    func whole() {
        #expect(chunks(of: 250, chunk: 100) { $0.upperBound } == [0..<100, 100..<200, 200..<250, 250..<250])
    }

    @Test("A chunk may end earlier, and the next chunk starts there")
    func early() {
        #expect(chunks(of: 250, chunk: 100) { $0.upperBound - 2 } == [0..<98, 98..<196, 196..<250, 250..<250])
    }

    @Test("A chunk is neither empty before the end nor too long, whatever its preferred end")
    func clamped() {
        #expect(chunks(of: 250, chunk: 100) { $0.lowerBound } == [0..<100, 100..<200, 200..<250, 250..<250])
        #expect(chunks(of: 250, chunk: 100) { $0.upperBound + 50 } == [0..<100, 100..<200, 200..<250, 250..<250])
        #expect(chunks(of: 250, chunk: 100) { _ in -7 } == [0..<100, 100..<200, 200..<250, 250..<250])
    }
}
