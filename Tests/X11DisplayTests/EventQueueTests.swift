import SelectionProtocol
import Testing
import X11Display

@Suite struct EventQueueTests {
    private var queue = EventQueue()

    private static func event(_ number: UInt32) -> DisplayEvent { .windowDestroyed(WindowID(number)) }

    private mutating func append(_ numbers: ClosedRange<UInt32>, to lane: EventQueue.LaneID) {
        for number in numbers { queue.append(Self.event(number), to: lane) }
    }

    private mutating func pop(_ count: Int) -> [UInt32] {
        (0..<count).compactMap { _ in
            if case .windowDestroyed(let window) = queue.popFirst() { window.id } else { nil }
        }
    }

    @Test("The events of one lane are returned in order")
    mutating func order() {
        append(1...3, to: 7)
        #expect(queue.count == 3)
        #expect(pop(4) == [1, 2, 3])
        #expect(queue.count == 0)
        append(4...4, to: 7)
        #expect(pop(2) == [4])
    }

    @Test("Lanes are served in turn, so one event does not wait for another lane's thousand events")
    mutating func turns() {
        append(1...1_000, to: 1)
        #expect(pop(10) == Array(1...10))
        append(2_001...2_003, to: 2)
        append(3_001...3_001, to: 3)
        #expect(pop(8) == [2_001, 3_001, 11, 2_002, 12, 2_003, 13, 14])
        #expect(queue.count == 986)
    }

    @Test("A lane whose events cost more waits until the other lanes have cost as much")
    mutating func costs() {
        append(1...5, to: 1)
        append(11...15, to: 2)
        #expect(pop(1) == [1])
        queue.charge(3, to: 1)
        #expect(pop(5) == [11, 12, 13, 14, 2])
        // A charge to an empty lane still counts when the lane has events again.
        #expect(pop(1) == [15])
        queue.charge(100, to: 2)
        append(16...16, to: 2)
        append(21...22, to: 3)
        #expect(pop(6) == [21, 3, 22, 4, 5, 16])
        #expect(queue.count == 0)
    }

    @Test("Changes of ownership are removed from their lane, and the other events keep their order")
    mutating func ownerChanges() {
        let selection = SelectionProtocol.Atom(1 as UInt32)
        func set(_ window: UInt32) -> DisplayEvent {
            .ownerSet(selection: selection, window: WindowID(window), time: .current)
        }
        queue.append(set(1), to: 9)
        queue.append(Self.event(5), to: 9)
        queue.append(set(2), to: 9)
        append(1...2, to: 1)
        #expect(queue.popOwnerChanges(of: 9) == [set(1), set(2)])
        #expect(queue.count == 3)
        #expect(queue.popOwnerChanges(of: 8) == [])
        #expect(pop(3).sorted() == [1, 2, 5])
    }
}
