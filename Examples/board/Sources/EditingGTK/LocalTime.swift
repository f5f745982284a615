import CGtk

/// Times in the notation of the user's locale.
public enum LocalTime {
    /// Returns a time in few letters: `14:05` today, `Yesterday 14:05`, `Mon 14:05` within a week, or else the date.
    /// The text stays right until midnight.
    ///
    /// - Parameter yesterday: The word for the day before today.
    public static func text(ofSecondsSince1970 seconds: Double, yesterday: String) -> String {
        guard let time = Moment(seconds), let now = Moment.now else { return "" }
        return switch now.day - time.day {
        case ...0: time.text("%H:%M")
        case 1: "\(yesterday) \(time.text("%H:%M"))"
        case ..<7: time.text("%a %H:%M")
        default: time.text("%x")
        }
    }

    /// Returns a date and time.
    public static func longText(ofSecondsSince1970 seconds: Double) -> String { Moment(seconds)?.text("%c") ?? "" }

    /// A time in the user's time zone.
    @safe
    private final class Moment {
        private let time: OpaquePointer

        init?(_ seconds: Double) {
            guard let time = unsafe g_date_time_new_from_unix_local(gint64(seconds)) else { return nil }
            unsafe self.time = time
        }

        private init?(_ time: OpaquePointer?) {
            guard let time = unsafe time else { return nil }
            unsafe self.time = time
        }

        static var now: Moment? { unsafe Moment(g_date_time_new_now_local()) }

        deinit { unsafe g_date_time_unref(time) }

        /// The number of the day.
        var day: Int {
            let offset = unsafe Int(g_date_time_get_utc_offset(time)) / 1_000_000
            return unsafe (Int(g_date_time_to_unix(time)) + offset) / 86_400
        }

        func text(_ format: String) -> String {
            guard let text = unsafe g_date_time_format(time, format) else { return "" }
            defer { unsafe g_free(text) }
            return unsafe String(cString: text)
        }
    }
}
