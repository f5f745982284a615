import SelectionProtocol
import Testing

@Suite struct CompositorTrackerTests {
    private var tracker = CompositorTracker()

    private mutating func owned(_ time: UInt32, followsDeath: Bool = false) -> CompositorTracker.Meaning {
        tracker.owned(at: ServerTime(time), followsDeath: followsDeath)
    }

    @Test("Each ownership is a copy, except a second ownership up to three milliseconds later")
    mutating func pairs() {
        #expect(owned(1_000) == .copy)
        #expect(owned(1_000) == .repeatedOwnership)
        #expect(owned(1_003) == .repeatedOwnership)
        #expect(owned(1_007) == .copy)
    }

    @Test("Server times wrap around", arguments: [UInt32.max - 1, .max])
    mutating func wrapping(time: UInt32) {
        #expect(owned(time) == .copy)
        #expect(owned(time &+ 3) == .repeatedOwnership)
        #expect(owned(time &+ 2_000) == .copy)
        #expect(owned(time) == .copy)
    }

    @Test("An ownership after another owner is a copy, whatever its time")
    mutating func others() {
        #expect(owned(1_000) == .copy)
        tracker.lost()
        #expect(owned(1_000) == .copy)
    }

    @Test("An ownership right after a program's death is the compositor's rescue of its contents")
    mutating func rescue() {
        #expect(owned(1_000) == .copy)
        tracker.lost()
        #expect(owned(1_001, followsDeath: true) == .rescue)
        #expect(owned(1_001) == .repeatedOwnership)
    }
}
