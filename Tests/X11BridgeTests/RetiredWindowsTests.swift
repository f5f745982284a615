import SelectionProtocol
import Testing
import X11Bridge

@Suite struct RetiredWindowsTests {
    private let now = ContinuousClock.now

    @Test("A window is destroyed once, after its lifetime")
    func stays() {
        var windows = RetiredWindows()
        #expect(windows.deadline == nil)
        windows.append(WindowID(1), now: now)
        windows.append(WindowID(2), now: now + .seconds(1))
        #expect(windows.deadline == now + RetiredWindows.lifetime)
        let early = windows.removeDue(now: now + .seconds(4))
        let first = windows.removeDue(now: now + .seconds(5))
        let second = windows.removeDue(now: now + .seconds(60))
        #expect([early, first, second] == [[], [WindowID(1)], [WindowID(2)]])
        #expect(windows.deadline == nil)
    }

    @Test("Beyond the limit, the oldest windows are destroyed earlier")
    func many() {
        var windows = RetiredWindows()
        for number in 0..<70 { windows.append(WindowID(UInt32(number)), now: now) }
        let gone = windows.removeDue(now: now)
        #expect(gone == (0..<6).map { WindowID(UInt32($0)) })
    }
}
