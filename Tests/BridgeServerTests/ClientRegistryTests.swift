import BridgeServer
import Testing

@Suite struct ClientRegistryTests {
    @Test("Each process is counted separately, and a process without clients is forgotten")
    func counts() {
        var counter = ClientCounter()
        for process in [1, 2, 1] as [Int32] { counter.add(process) }
        #expect(counter.count(of: 1) == 2 && counter.count(of: 2) == 1 && counter.count(of: 3) == 0)
        #expect(counter.biggest?.process == 1 && counter.biggest?.count == 2)
        for process in [1, 1, 2] as [Int32] { counter.remove(process) }
        #expect(counter.biggest == nil)
    }

    @Test("Processes over an equal share are listed, largest first, and the newcomer counts as a process")
    func shares() {
        var counter = ClientCounter()
        for process in [1, 1, 1, 2, 2, 2, 2, 3] as [Int32] { counter.add(process) }
        #expect(counter.beyondShare(of: 8, with: 4) == [2, 1])
        #expect(counter.beyondShare(of: 8, with: 3) == [2, 1])
        #expect(counter.beyondShare(of: 12, with: 4) == [2])
        var alone = ClientCounter()
        alone.add(1)
        #expect(alone.beyondShare(of: 1, with: 1) == [1])
        #expect(alone.beyondShare(of: 1, with: 2) == [1])
    }
}
