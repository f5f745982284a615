import FoundationEssentials

/// How long ago something was, in one unit: `12s`, `5m`, `3h`, `2d`, `7w`, `1y`.
enum Age {
    /// Each with the seconds from which on it is used.
    private static let units: [(name: String, seconds: Int, from: Int)] = [
        ("y", 31_556_952, 31_556_952), ("w", 604_800, 1_209_600), ("d", 86_400, 86_400), ("h", 3_600, 3_600),
        ("m", 60, 60),
    ]

    /// - Parameter moment: In milliseconds of the Unix epoch. One that is to come, as clocks are set back, was now.
    static func text(since moment: Int, at now: Date) -> String {
        let seconds = max(now.timeIntervalSince1970 - Double(moment) / 1_000, 0)
        guard let unit = units.first(where: { seconds >= Double($0.from) }) else { return "\(Int(seconds))s" }
        return "\(Int(min(seconds / Double(unit.seconds), 1e9)))\(unit.name)"
    }
}
