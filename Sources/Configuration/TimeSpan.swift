/// A length of time as people write it.
package enum TimeSpan {
    private static let units: [(names: [String], seconds: Double)] = [
        (["ms"], 0.001), (["s", "sec", "second", "seconds"], 1), (["min", "minute", "minutes"], 60),
        (["h", "hour", "hours"], 3600), (["d", "day", "days"], 86_400), (["w", "week", "weeks"], 604_800),
    ]

    /// Seconds of `45s`, `1.5 h`, `30 days`, in any case; nil for what is none, one without a unit included.
    package static func parse(_ text: String) -> Double? {
        let number = text.utf8.prefix { $0 >= 0x30 && $0 <= 0x39 || $0 == UInt8(ascii: ".") }
        let unit = text.utf8.dropFirst(number.count).drop { $0 == UInt8(ascii: " ") }
        let name = String(decoding: unit, as: UTF8.self).lowercased()
        guard let value = Double(String(decoding: number, as: UTF8.self)), value.isFinite,
            let factor = units.first(where: { $0.names.contains(name) })?.seconds
        else { return nil }
        return value * factor
    }

    /// A number of seconds, or text with its unit.
    static func read(_ given: ConfigurationValue, in range: ClosedRange<Double>) -> Double? {
        (given.json(as: Double.self) ?? given.text.flatMap(parse)).flatMap { range.contains($0) ? $0 : nil }
    }

    static func json(_ seconds: Double) -> String {
        Int(exactly: seconds).map { String($0) } ?? String(seconds)
    }

    /// What may be, in seconds.
    static func text(_ range: ClosedRange<Double>) -> String {
        "from \(json(range.lowerBound)) to \(json(range.upperBound))"
    }
}
