/// Durations as the wire has them.
extension Duration {
    /// Whole milliseconds, the rest of one left out.
    package var wholeMilliseconds: Int {
        Int(components.seconds) * 1_000 + Int(components.attoseconds / Self.attosecondsOfMillisecond)
    }

    /// The milliseconds, the rest of one counted as one.
    package var startedMilliseconds: Int {
        let (seconds, attoseconds) = components
        let millisecond = Self.attosecondsOfMillisecond
        return Int(seconds) * 1_000 + Int((attoseconds + millisecond - 1) / millisecond)
    }

    private static var attosecondsOfMillisecond: Int64 { 1_000_000_000_000_000 }
}
