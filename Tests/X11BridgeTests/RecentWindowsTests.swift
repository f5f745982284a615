import SelectionProtocol
import Testing
import X11Bridge

@Suite("Recent windows")
struct RecentWindowsTests {
    private static func windows(_ numbers: Int...) -> [WindowID] { numbers.map { WindowID(UInt32($0)) } }

    private static func recent(_ numbers: Int...) -> RecentWindows {
        var recent = RecentWindows()
        for number in numbers { recent.activate(WindowID(UInt32(number))) }
        return recent
    }

    @Test("A window that is active again comes first, and only once")
    func order() { #expect(Self.recent(1, 2, 3, 1).all == Self.windows(1, 3, 2)) }

    @Test("While no window is active, the record stays as it is")
    func none() { #expect(Self.recent(1, 0).all == Self.windows(1)) }

    @Test("A closed window is removed, so that a later window of its number is not taken for it")
    func closed() {
        var recent = Self.recent(1, 2, 3)
        recent.removeAll(except: [WindowID(1), WindowID(3), WindowID(4)])
        #expect(recent.all == Self.windows(3, 1))
    }

    @Test("The record is limited to the latest windows")
    func limit() {
        var recent = RecentWindows()
        for number in 1...40 { recent.activate(WindowID(UInt32(number))) }
        #expect(recent.all.count == 16 && recent.all.first == WindowID(40))
    }
}
