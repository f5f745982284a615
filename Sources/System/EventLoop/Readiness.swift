import LinuxSystem

/// The events that a handler waits for.
package struct Interest: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let readable = Interest(rawValue: 1)
    package static let writable = Interest(rawValue: 2)

    var pollEvents: PollEvents {
        // An empty literal would take a hundred times as long, because it goes through the witness table for a set of
        // another module, and the loop does this for each descriptor.
        var events = PollEvents(rawValue: 0)
        if contains(.readable) { events.insert(.input) }
        if contains(.writable) { events.insert(.output) }
        return events
    }
}

/// The operations that a descriptor is ready for.
package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let readable = Readiness(rawValue: 1)
    package static let writable = Readiness(rawValue: 2)
    /// The other end is gone, or the descriptor has an error. It comes with ``readable``, since reading returns the
    /// remaining bytes and then the reason. It comes regardless of the interest until the registration is canceled.
    package static let hangup = Readiness(rawValue: 4)

    init(_ events: PollEvents) {
        self.init(rawValue: 0)
        if events.contains(.input) { insert(.readable) }
        if events.contains(.output) { insert(.writable) }
        if events.contains(.hangup) || events.contains(.error) {
            insert(.readable)
            insert(.hangup)
        }
    }

    /// Returns the events that are still wanted: a handler earlier in the round may have changed the interest.
    func wanted(by interest: Interest) -> Readiness {
        if contains(.hangup) { return self }
        return intersection(Readiness(rawValue: interest.rawValue))
    }
}
