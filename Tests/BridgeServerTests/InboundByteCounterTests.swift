import BridgeServer
import Configuration
import Testing
import X11Bridge

@Suite struct InboundByteCounterTests {
    private static let limits: Configuration.Limits = {
        var limits = Configuration.Limits()
        (limits.message, limits.incoming, limits.programIncoming) = (65_536, 20 << 20, 10 << 20)
        return limits
    }()

    private var counter = InboundByteCounter()

    @Test("A process beyond its limit loses a connection")
    mutating func program() {
        counter.add(10 << 20, of: 1)
        #expect(counter.excess(Self.limits, by: 1) == nil)
        counter.add(1, of: 1)
        #expect(counter.excess(Self.limits, by: 2) == nil)
        #expect(counter.excess(Self.limits, by: 1)?.process == 1)
        #expect(counter.excess(Self.limits, by: 1)?.reason == .programIncoming)
    }

    @Test("Beyond the total limit, the process with the most bytes loses a connection, whoever has sent last")
    mutating func all() {
        for process in [1, 2] as [Int32] { counter.add(8 << 20, of: process) }
        counter.add(4 << 20, of: 3)
        #expect(counter.excess(Self.limits, by: 3) == nil)
        counter.add(1, of: 2)
        #expect(counter.excess(Self.limits, by: 3)?.process == 2)
        #expect(counter.excess(Self.limits, by: 3)?.reason == .incoming)
    }

    @Test("Handled bytes no longer count, and the longest message fits whatever the limits are")
    mutating func taken() {
        counter.add(5, of: 1)
        counter.add(-5, of: 1)
        #expect(counter.bytes == 0 && counter.biggest == nil)
        var limits = Configuration.Limits()
        (limits.message, limits.incoming, limits.programIncoming) = (8 << 20, 1, 1)
        counter.add(8 << 20, of: 1)
        #expect(counter.excess(limits, by: 1) == nil)
    }
}
