/// Events in the order they came, taken out of Xlib's queue since something behind them was looked for.
struct EventQueue {
    private var events: [DisplayEvent] = []
    /// How many of them are out again.
    private var popped = 0

    var count: Int { events.count - popped }

    mutating func append(_ event: DisplayEvent) {
        events.append(event)
    }

    /// Takes out, in their order, the changes of ownership.
    mutating func popOwnerChanges() -> [DisplayEvent] {
        let waiting = events[popped...]
        self = EventQueue()
        events = waiting.filter { !$0.isOwnerChange }
        return waiting.filter(\.isOwnerChange)
    }

    mutating func popFirst() -> DisplayEvent? {
        guard popped < events.count else { return nil }
        defer {
            popped += 1
            // After a flood the memory is given back.
            if popped == events.count { self = EventQueue() }
        }
        return events[popped]
    }
}

extension DisplayEvent {
    fileprivate var isOwnerChange: Bool {
        switch self {
        case .ownerSet, .ownerDied: true
        default: false
        }
    }
}
