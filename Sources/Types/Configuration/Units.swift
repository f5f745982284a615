/// Parsing of a number of bytes with a unit.
package enum ByteCount {
    private static let units: [(name: String, bytes: Int)] = [
        ("", 1), ("b", 1), ("kb", 1000), ("mb", 1_000_000), ("gb", 1_000_000_000), ("k", 1 << 10), ("m", 1 << 20),
        ("g", 1 << 30), ("kib", 1 << 10), ("mib", 1 << 20), ("gib", 1 << 30),
    ]

    /// Parses a string such as `67108864`, `64 MiB`, `64M` or `64 MB`, in any case; nil if the string is malformed or
    /// the number is too large for an `Int`.
    package static func parse(_ text: String) -> Int? {
        let digits = text.utf8.prefix { $0 >= 0x30 && $0 <= 0x39 }
        let unit = text.utf8.dropFirst(digits.count).drop { $0 == UInt8(ascii: " ") }
        let name = String(decoding: unit, as: UTF8.self).lowercased()
        guard let number = Int(String(decoding: digits, as: UTF8.self)),
            let factor = units.first(where: { $0.name == name })?.bytes,
            case let (bytes, overflows) = number.multipliedReportingOverflow(by: factor), !overflows
        else { return nil }
        return bytes
    }
}

/// Parsing of a duration with a unit.
package enum TimeSpan {
    private static let units: [(names: [String], seconds: Double)] = [
        (["ms"], 0.001), (["s", "sec", "second", "seconds"], 1), (["min", "minute", "minutes"], 60),
        (["h", "hour", "hours"], 3600), (["d", "day", "days"], 86_400), (["w", "week", "weeks"], 604_800),
    ]

    /// Parses a string such as `45s`, `1.5 h` or `30 days`, in any case, to seconds; nil if the string is malformed or
    /// has no unit.
    package static func parse(_ text: String) -> Double? {
        let number = text.utf8.prefix { $0 >= 0x30 && $0 <= 0x39 || $0 == UInt8(ascii: ".") }
        let unit = text.utf8.dropFirst(number.count).drop { $0 == UInt8(ascii: " ") }
        let name = String(decoding: unit, as: UTF8.self).lowercased()
        guard let value = Double(String(decoding: number, as: UTF8.self)), value.isFinite,
            let factor = units.first(where: { $0.names.contains(name) })?.seconds
        else { return nil }
        return value * factor
    }

    /// Reads a number of seconds, or a string with a unit.
    static func read(_ given: ConfigurationValue, in range: ClosedRange<Double>) -> Double? {
        (given.json(as: Double.self) ?? given.text.flatMap(parse)).flatMap { range.contains($0) ? $0 : nil }
    }

    static func json(_ seconds: Double) -> String {
        Int(exactly: seconds).map { String($0) } ?? String(seconds)
    }

    /// Returns the range in seconds, as messages show it.
    static func text(_ range: ClosedRange<Double>) -> String {
        "from \(json(range.lowerBound)) to \(json(range.upperBound))"
    }
}
