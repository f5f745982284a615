import Glibc

/// The time of an entry: in JSON, a string such as "2026-11-28T17:05:35.123Z", or a number of seconds or milliseconds
/// since the Unix epoch.
package struct EntryTime: Codable, Equatable, Sendable {
    /// The milliseconds since the Unix epoch.
    package let milliseconds: Int

    package init(milliseconds: Int) { self.milliseconds = milliseconds }

    /// The smallest number that counts as milliseconds: as seconds, it would be after the year 5000.
    private static let leastMilliseconds = 1e11

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Double.self) {
            let value = number < Self.leastMilliseconds ? number * 1_000 : number
            guard value >= 0, value < 1e15 else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "the time is out of range")
            }
            milliseconds = Int(value)
        } else {
            guard let time = Self(try container.decode(String.self)) else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "a time is a number, or text such as 2026-11-28T17:05:35Z")
            }
            self = time
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// The time in UTC, in the form of RFC 3339.
    package var text: String {
        var seconds = time_t((Double(milliseconds) / 1_000).rounded(.down))
        let rest = milliseconds - seconds * 1_000
        var date = unsafe tm()
        unsafe gmtime_r(&seconds, &date)
        func digits(_ number: Int, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(count - text.count, 0)) + text
        }
        let day = unsafe [Int(date.tm_year) + 1_900, Int(date.tm_mon) + 1, Int(date.tm_mday)]
        let time = unsafe [Int(date.tm_hour), Int(date.tm_min), Int(date.tm_sec)]
        return digits(day[0], 4) + "-" + digits(day[1], 2) + "-" + digits(day[2], 2) + "T"
            + time.map { digits($0, 2) }.joined(separator: ":") + "." + digits(rest, 3) + "Z"
    }

    /// Reads a time such as `2026-11-28T17:05:35.123+01:00`; nil for any other text.
    package init?(_ text: String) {
        var rest = Array(text.utf8)[...]
        func number(_ count: Int, before separator: UInt8?) -> Int? {
            let digits = rest.prefix(count)
            guard digits.count == count, let value = Int(String(decoding: digits, as: UTF8.self)), value >= 0 else {
                return nil
            }
            rest = rest.dropFirst(count)
            guard let separator else { return value }
            guard let next = rest.popFirst(), next | 0x20 == separator | 0x20 else { return nil }
            return value
        }
        guard let year = number(4, before: UInt8(ascii: "-")), let month = number(2, before: UInt8(ascii: "-")),
            let day = number(2, before: UInt8(ascii: "t")), let hour = number(2, before: UInt8(ascii: ":")),
            let minute = number(2, before: UInt8(ascii: ":")), let second = number(2, before: nil),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61
        else { return nil }
        var fraction = 0
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard !digits.isEmpty else { return nil }
            rest = rest.dropFirst(1 + digits.count)
            let padded = String(decoding: digits.prefix(3), as: UTF8.self) + "00"
            fraction = Int(padded.prefix(3)) ?? 0
        }
        let zone = rest.popFirst()
        var offset = 0
        if zone == UInt8(ascii: "+") || zone == UInt8(ascii: "-") {
            guard let hours = number(2, before: UInt8(ascii: ":")), let minutes = number(2, before: nil) else {
                return nil
            }
            offset = (hours * 60 + minutes) * (zone == UInt8(ascii: "+") ? 60 : -60)
        } else if zone != UInt8(ascii: "Z"), zone != UInt8(ascii: "z") {
            return nil
        }
        guard rest.isEmpty else { return nil }
        var date = unsafe tm()
        unsafe date.tm_year = Int32(year - 1_900)
        unsafe date.tm_mon = Int32(month - 1)
        unsafe date.tm_mday = Int32(day)
        unsafe date.tm_hour = Int32(hour)
        unsafe date.tm_min = Int32(minute)
        unsafe date.tm_sec = Int32(second)
        milliseconds = (unsafe timegm(&date) - offset) * 1_000 + fraction
    }
}
