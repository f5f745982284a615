import Glibc

/// The times that a search can name: a day, month or year, or a time before now.
///
/// - `2026-11-28`, `2026-11` and `2026` are the beginnings of that day, month and year, in local time.
/// - `today` and `yesterday` are the beginnings of these days.
/// - `30m`, `12h`, `7d`, `2w` and `1y` are that many minutes, hours, days, weeks and years ago.
package enum SearchDate {
    /// Returns a time in seconds since the Unix epoch.
    package static func time(_ text: String, now: Int) throws(SearchQueryError) -> Int {
        guard let time = named(text, now: now) ?? ago(text, now: now) ?? date(text) else {
            throw SearchQueryError("\(text) is not a time; write a day such as 2026-11-28, or 7d for seven days ago")
        }
        return time
    }

    private static func named(_ text: String, now: Int) -> Int? {
        switch text.lowercased() {
        case "today": midnight(of: now, daysBefore: 0)
        case "yesterday": midnight(of: now, daysBefore: 1)
        default: nil
        }
    }

    private static func ago(_ text: String, now: Int) -> Int? {
        let units: [Character: Int] = ["m": 60, "h": 3_600, "d": 86_400, "w": 604_800, "y": 31_557_600]
        guard let unit = text.last.flatMap({ units[$0] }), let number = Int(text.dropLast()), number >= 0 else {
            return nil
        }
        let (length, overflows) = number.multipliedReportingOverflow(by: unit)
        return overflows ? 0 : max(now - length, 0)
    }

    private static func date(_ text: String) -> Int? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { $0.allSatisfy(\.isASCII) ? Int($0) : nil }
        guard numbers.count == parts.count, parts.count <= 3, parts[0].count == 4 else { return nil }
        let (year, month, day) = (numbers[0], numbers.count > 1 ? numbers[1] : 1, numbers.count > 2 ? numbers[2] : 1)
        guard (1...12).contains(month), (1...31).contains(day) else { return nil }
        var date = unsafe tm()
        unsafe date.tm_year = Int32(year - 1900)
        unsafe date.tm_mon = Int32(month - 1)
        unsafe date.tm_mday = Int32(day)
        unsafe date.tm_isdst = -1
        let time = unsafe mktime(&date)
        // A day that the month does not have, such as the 31st of June, becomes a day of the next month.
        return unsafe Int(date.tm_mday) == day ? time : nil
    }

    private static func midnight(of now: Int, daysBefore days: Int32) -> Int {
        var time = time_t(now)
        var date = unsafe tm()
        unsafe localtime_r(&time, &date)
        unsafe date.tm_mday -= days
        unsafe (date.tm_hour, date.tm_min, date.tm_sec, date.tm_isdst) = (0, 0, 0, -1)
        return unsafe mktime(&date)
    }
}
