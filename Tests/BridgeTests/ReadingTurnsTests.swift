import Testing

@testable import Bridge

@Suite struct ReadingTurnsTests {
    private var turns = ReadingTurns()
    private static let tickets = (0..<5).map { Ticket(number: $0) }

    private mutating func begin(_ number: Int, isCapture: Bool = false, of selection: String = "CLIPBOARD") -> Bool {
        turns.begin(Self.tickets[number], of: selection, isCapture: isCapture)
    }

    private mutating func end(_ number: Int) -> [Int] { turns.end(Self.tickets[number]).map(\.number) }

    @Test("Readers do not wait for one another")
    mutating func readers() {
        #expect(begin(0))
        #expect(begin(1))
        #expect(end(0) == [])
        #expect(end(1) == [])
    }

    @Test("Readers wait for the conversion that a capture is in, and the capture for all readers")
    mutating func capture() {
        #expect(begin(0, isCapture: true))
        #expect(!begin(1))
        #expect(!begin(2))
        #expect(turns.waiting(for: Self.tickets[0]).map(\.number) == [1, 2])
        #expect(end(0) == [1, 2])
        #expect(!begin(3, isCapture: true))
        #expect(begin(4))
        #expect(turns.waiting(for: Self.tickets[4]).map(\.number) == [3])
        #expect(end(1) == [])
        #expect(end(2) == [])
        #expect(end(4) == [3])
        #expect(end(3) == [])
    }

    @Test("Who goes while it waits leaves the turn to the others")
    mutating func goes() {
        #expect(begin(0, isCapture: true))
        #expect(!begin(1))
        #expect(!begin(2, isCapture: true))
        #expect(end(1) == [])
        #expect(end(0) == [2])
    }

    @Test("Selections have turns of their own")
    mutating func selections() {
        #expect(begin(0, isCapture: true))
        #expect(begin(1, of: "PRIMARY"))
    }

    @Test("What never asked for a turn ends none")
    mutating func unknown() {
        #expect(begin(0, isCapture: true))
        #expect(end(4) == [])
        #expect(!begin(1))
    }
}
