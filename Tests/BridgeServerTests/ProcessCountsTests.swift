import BridgeServer
import Testing

@Suite struct ProcessCountsTests {
    @Test("Each process is counted separately, and a process whose count is 0 is forgotten")
    func counts() {
        var counts = ProcessCounts()
        for process in [1, 2, 1] as [Int32] { counts.add(1, of: process) }
        #expect(counts[1] == 2 && counts[2] == 1 && counts[3] == 0)
        #expect(counts.biggest?.process == 1 && counts.biggest?.count == 2)
        for process in [1, 1, 2] as [Int32] { counts.add(-1, of: process) }
        #expect(counts.biggest == nil)
    }

    @Test("Processes over an equal share are listed, largest first, and the newcomer counts as a process")
    func shares() {
        var counts = ProcessCounts()
        for process in [1, 1, 1, 2, 2, 2, 2, 3] as [Int32] { counts.add(1, of: process) }
        #expect(counts.beyondShare(of: 8, with: 4) == [2, 1])
        #expect(counts.beyondShare(of: 8, with: 3) == [2, 1])
        #expect(counts.beyondShare(of: 12, with: 4) == [2])
        var alone = ProcessCounts()
        alone.add(1, of: 1)
        #expect(alone.beyondShare(of: 1, with: 1) == [1])
        #expect(alone.beyondShare(of: 1, with: 2) == [1])
    }
}
