/// Events taken out of Xlib's queue: those of each program in the order they came, and the programs by turns.
///
/// A program may ask for more than can be answered in seconds, and who asks once is not to wait behind it. Each lane goes on
/// where it has cost less than the others; one that comes anew begins where the others are. What concerns the bridge's own
/// windows and the owners of selections has a lane of its own, and so has what means nothing.
struct EventQueue {
    typealias LaneID = UInt32

    private struct Lane {
        var events: [(number: Int, event: DisplayEvent)] = []
        /// How many of them are out again.
        var popped = 0

        var head: Int { events[popped].number }
    }

    private var lanes: [LaneID: Lane] = [:]
    /// What each lane has cost by now, those that are empty included.
    private var costs: [LaneID: Int] = [:]
    /// What the lane had cost that was last gone on with.
    private var clock = 0
    private var arrivals = 0
    private(set) var count = 0

    func contains(_ event: DisplayEvent) -> Bool {
        lanes.values.contains { lane in lane.events[lane.popped...].contains { $0.event == event } }
    }

    mutating func append(_ event: DisplayEvent, to lane: LaneID) {
        if lanes[lane] == nil { costs[lane] = max(costs[lane] ?? 0, clock) }
        lanes[lane, default: Lane()].events.append((arrivals, event))
        arrivals += 1
        count += 1
    }

    /// Takes the next event out of the lane that has cost the least; of several, of the one whose event came first.
    mutating func popFirst() -> DisplayEvent? {
        let next = lanes.min { (costs[$0.key] ?? 0, $0.value.head) < (costs[$1.key] ?? 0, $1.value.head) }
        guard let lane = next?.key, let index = lanes.index(forKey: lane) else { return nil }
        let event = lanes.values[index].events[lanes.values[index].popped].event
        lanes.values[index].popped += 1
        if lanes.values[index].popped == lanes.values[index].events.count { lanes.remove(at: index) }
        clock = costs[lane] ?? clock
        costs[lane] = clock + 1
        count -= 1
        if count == 0 { begin() }
        return event
    }

    /// The handling of an event of that lane has cost so much more than others do.
    mutating func charge(_ cost: Int, to lane: LaneID) {
        guard count > 0, cost > 0 else { return }
        costs[lane] = max(costs[lane] ?? 0, clock) + cost
    }

    /// Takes out, in their order, the changes of ownership, which are all in that lane.
    mutating func popOwnerChanges(of lane: LaneID) -> [DisplayEvent] {
        guard let waiting = lanes[lane].map({ $0.events[$0.popped...] }) else { return [] }
        let changes = waiting.filter(\.event.isOwnerChange).map(\.event)
        count -= changes.count
        let rest = waiting.filter { !$0.event.isOwnerChange }
        lanes[lane] = rest.isEmpty ? nil : Lane(events: rest)
        if count == 0 { begin() }
        return changes
    }

    /// Nothing is left: no lane has cost anything. After a flood the memory is given back.
    private mutating func begin() {
        guard arrivals < Self.manyArrivals else { return self = EventQueue() }
        lanes.removeAll(keepingCapacity: true)
        costs.removeAll(keepingCapacity: true)
        (clock, arrivals) = (0, 0)
    }

    private static let manyArrivals = 256
}

extension DisplayEvent {
    fileprivate var isOwnerChange: Bool {
        switch self {
        case .ownerSet, .ownerDied: true
        default: false
        }
    }
}
