/// The origin of one version of a pasteboard's contents: the moment and the machine of a copy or a clear.
///
/// Linked machines pass a version on under its origin. Versions with equal origins are the same contents; otherwise the
/// version with the greater origin is newer, on every machine.
package struct ContentsOrigin: Hashable, Comparable, Codable, Sendable {
    /// The time by the machine's ``HybridClock``, in microseconds since the Unix epoch.
    package let time: Int
    /// The machine's name. The name's bytes order versions of the same time. Linked machines must have different names:
    /// two machines whose clocks are behind the clock of a third give their next versions the same time.
    package let machine: String

    package init(time: Int, machine: String) {
        self.time = time
        self.machine = machine
    }

    /// Returns true if the time is so far ahead of the present that the version must be refused.
    ///
    /// - Parameter now: The present time, in microseconds since the Unix epoch.
    package func isTooFarAhead(of now: Int) -> Bool { time > now + HybridClock.maxAhead }

    // The comparison of strings would treat canonically equivalent names with different bytes as equal.
    package static func == (left: ContentsOrigin, right: ContentsOrigin) -> Bool {
        left.time == right.time && left.machine.utf8.elementsEqual(right.machine.utf8)
    }

    package static func < (left: ContentsOrigin, right: ContentsOrigin) -> Bool {
        guard left.time == right.time else { return left.time < right.time }
        return left.machine.utf8.lexicographicallyPrecedes(right.machine.utf8)
    }
}

/// A hybrid logical clock (Kulkarni et al. 2014): the time of the system's clock, moved ahead as far as necessary for
/// each version to be newer than the versions known before it. The logical part is not separate: it is added to the
/// time.
package struct HybridClock: Equatable, Sendable {
    /// The limit on how far a version from another machine may be ahead of the present time, in microseconds: 10
    /// minutes. A version moves the clocks of all linked machines to its time, and a clock never goes back.
    package static let maxAhead = 600_000_000

    /// The latest time that was returned or observed.
    private var last = 0

    package init() {}

    /// Returns a time for a new version: at least `now`, and later than every time returned or observed so far.
    ///
    /// - Parameter now: The present time, in microseconds since the Unix epoch.
    package mutating func next(at now: Int) -> Int {
        // The end of the range is reached only by observing an origin that must be refused.
        last = max(now, last < .max ? last + 1 : last)
        return last
    }

    /// Moves the clock to the time of a version that was accepted from another machine, or restored after a restart.
    package mutating func observe(_ time: Int) { last = max(last, time) }
}
