package import SelectionProtocol

/// Windows of transfers in pieces that are over. They are not destroyed at once: xsel sends a second notify behind the last
/// piece, and ends with the selection that it owns where the window is gone by then.
package struct RetiredWindows {

    package init() {}
    /// So long a window stays.
    package static let rest = Duration.seconds(5)
    /// Of more, the oldest go sooner.
    private static let most = 64

    /// In the order of their ends.
    private var windows: [(window: WindowID, until: ContinuousClock.Instant)] = []

    /// When the first of them is to go.
    package var deadline: ContinuousClock.Instant? { windows.first?.until }

    package mutating func append(_ window: WindowID, now: ContinuousClock.Instant) {
        windows.append((window, now + Self.rest))
    }

    /// Takes out those that are to go.
    package mutating func take(now: ContinuousClock.Instant) -> [WindowID] {
        let due = windows.prefix { $0.until <= now }.count
        let count = max(due, windows.count - Self.most)
        defer { windows.removeFirst(count) }
        return windows.prefix(count).map(\.window)
    }
}
