/// Events taken out of Xlib's queue: each program's events in order of arrival, and the programs in turn.
///
/// One program may send more requests than can be answered in seconds, and must not delay the single request of
/// another. Each program has a lane, and the lane with the lowest cost so far is served next; a new lane starts at the
/// cost of the lane served last. Events about the bridge's own windows and about the owners of selections have one
/// lane, and meaningless events have another.
package struct EventQueue {
    package typealias LaneID = UInt32

    private struct Lane {
        var events: [(number: Int, event: DisplayEvent)] = []
        /// The number of events already taken from the front.
        var popped = 0

        var head: Int { events[popped].number }
    }

    private var lanes: [LaneID: Lane] = [:]
    /// The cost of each lane so far, including empty lanes.
    private var costs: [LaneID: Int] = [:]
    /// The cost of the lane that was served last, before that service.
    private var clock = 0
    private var arrivals = 0
    package private(set) var count = 0

    package init() {}

    func contains(_ event: DisplayEvent) -> Bool {
        lanes.values.contains { lane in lane.events[lane.popped...].contains { $0.event == event } }
    }

    package mutating func append(_ event: DisplayEvent, to lane: LaneID) {
        if lanes[lane] == nil { costs[lane] = max(costs[lane] ?? 0, clock) }
        lanes[lane, default: Lane()].events.append((arrivals, event))
        arrivals += 1
        count += 1
    }

    /// Removes and returns the next event of the lane with the lowest cost; if several lanes have that cost, of the
    /// lane whose first event arrived earliest.
    package mutating func popFirst() -> DisplayEvent? {
        let next = lanes.min { (costs[$0.key] ?? 0, $0.value.head) < (costs[$1.key] ?? 0, $1.value.head) }
        guard let lane = next?.key, let index = lanes.index(forKey: lane) else { return nil }
        let event = lanes.values[index].events[lanes.values[index].popped].event
        lanes.values[index].popped += 1
        if lanes.values[index].popped == lanes.values[index].events.count { lanes.remove(at: index) }
        clock = costs[lane] ?? clock
        costs[lane] = clock + 1
        count -= 1
        if count == 0 { reset() }
        return event
    }

    /// Charges a lane for an event whose handling cost that much more than usual.
    package mutating func charge(_ cost: Int, to lane: LaneID) {
        guard count > 0, cost > 0 else { return }
        costs[lane] = max(costs[lane] ?? 0, clock) + cost
    }

    /// Removes and returns the changes of ownership in the given lane, in order. All such changes are in that lane.
    package mutating func popOwnerChanges(of lane: LaneID) -> [DisplayEvent] {
        guard let waiting = lanes[lane].map({ $0.events[$0.popped...] }) else { return [] }
        let changes = waiting.filter(\.event.isOwnerChange).map(\.event)
        count -= changes.count
        let rest = waiting.filter { !$0.event.isOwnerChange }
        lanes[lane] = rest.isEmpty ? nil : Lane(events: rest)
        if count == 0 { reset() }
        return changes
    }

    /// Resets all costs when the queue has become empty. After a flood, the queue's memory is released too.
    private mutating func reset() {
        guard arrivals < Self.maxRetainedArrivals else { return self = EventQueue() }
        lanes.removeAll(keepingCapacity: true)
        costs.removeAll(keepingCapacity: true)
        (clock, arrivals) = (0, 0)
    }

    private static let maxRetainedArrivals = 256
}

extension DisplayEvent {
    fileprivate var isOwnerChange: Bool {
        switch self {
        case .ownerSet, .ownerDied: true
        default: false
        }
    }
}
