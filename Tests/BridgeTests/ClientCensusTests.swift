import Testing

@testable import Bridge

@Suite struct ClientCensusTests {
    @Test("Each process is counted apart, and one without a client is forgotten")
    func counts() {
        var census = ClientCensus()
        for process in [1, 2, 1] as [Int32] { census.add(process) }
        #expect(census.count(of: 1) == 2 && census.count(of: 2) == 1 && census.count(of: 3) == 0)
        #expect(census.most == 2)
        for process in [1, 1, 2] as [Int32] { census.remove(process) }
        #expect(census.most == 0)
    }
}
