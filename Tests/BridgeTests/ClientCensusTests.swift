import Testing

@testable import Bridge
@testable import FormatConversion
@testable import X11Bridge

@Suite struct ClientCensusTests {
    @Test("Each process is counted apart, and one without a client is forgotten")
    func counts() {
        var census = ClientCensus()
        for process in [1, 2, 1] as [Int32] { census.add(process) }
        #expect(census.count(of: 1) == 2 && census.count(of: 2) == 1 && census.count(of: 3) == 0)
        #expect(census.biggest?.process == 1 && census.biggest?.count == 2)
        for process in [1, 1, 2] as [Int32] { census.remove(process) }
        #expect(census.biggest == nil)
    }

    @Test("Beyond its share is who has more than an equal part, the newcomer counted: who has the most comes first")
    func shares() {
        var census = ClientCensus()
        for process in [1, 1, 1, 2, 2, 2, 2, 3] as [Int32] { census.add(process) }
        #expect(census.beyondShare(of: 8, with: 4) == [2, 1])
        #expect(census.beyondShare(of: 8, with: 3) == [2, 1])
        #expect(census.beyondShare(of: 12, with: 4) == [2])
        var alone = ClientCensus()
        alone.add(1)
        #expect(alone.beyondShare(of: 1, with: 1) == [1])
        #expect(alone.beyondShare(of: 1, with: 2) == [1])
    }
}
